package dev.kermes.http;

/** Receives every response. Called on the connection's event loop, so it must not block. */
@FunctionalInterface
public interface AccessLog {

  /**
   * Called when a response has been handed to the connection.
   *
   * @param length length of the body in bytes; -1 if it is unknown until the body ends
   * @param nanos nanoseconds since the request's head was complete
   */
  void answered(HttpMessage request, int status, long length, long nanos);
}
