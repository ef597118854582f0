package dev.kermes.http;

/**
 * Answers requests with {@link HttpMessage#respond}, at once or later and from any thread. A
 * handler runs on its own virtual thread and may block; see {@link #onLoop} for handlers that never
 * block.
 */
@FunctionalInterface
public interface HttpHandler {

  /**
   * Handles a request. An exception is answered with 500, or with the status of an {@link
   * HttpException}.
   */
  void handle(HttpMessage request) throws Exception;

  /**
   * Runs {@code handler}, which must never block, on the event loop; this saves two thread
   * switches. Bodies are read completely before it is called.
   */
  static HttpHandler onLoop(HttpHandler handler) {
    return new OnLoop(handler);
  }

  /** A handler that runs on the event loop; see {@link #onLoop}. */
  record OnLoop(HttpHandler handler) implements HttpHandler {
    @Override
    public void handle(HttpMessage request) throws Exception {
      handler.handle(request);
    }
  }
}
