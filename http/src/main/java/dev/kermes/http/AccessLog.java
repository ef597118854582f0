package dev.kermes.http;

/** Hears of every response, on the connection's event loop: it must not block. */
@FunctionalInterface
public interface AccessLog {

  /**
   * A response has been handed to the connection.
   *
   * @param length of the body in bytes; -1 if it is not known before its end
   * @param nanos since the request's head was complete
   */
  void answered(HttpMessage request, int status, long length, long nanos);
}
