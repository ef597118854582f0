package dev.kermes.http;

/**
 * Answers requests with {@link HttpMessage#respond}, now or later and from any thread. It runs on a
 * virtual thread of its own and may block; see {@link #onLoop} for one that never does.
 */
@FunctionalInterface
public interface HttpHandler {

  /** Handles a request; what it throws becomes a 500, or the status of an {@link HttpException}. */
  void handle(HttpMessage request) throws Exception;

  /**
   * Has {@code handler} run on the event loop, which saves two changes of threads: for one that
   * never blocks. Bodies are read before it is called.
   */
  static HttpHandler onLoop(HttpHandler handler) {
    return new OnLoop(handler);
  }

  /** What {@link #onLoop} makes. */
  record OnLoop(HttpHandler handler) implements HttpHandler {
    @Override
    public void handle(HttpMessage request) throws Exception {
      handler.handle(request);
    }
  }
}
