package dev.kermes.http;

/**
 * What happens on WebSockets. For one socket its methods are called in order and one at a time, on
 * virtual threads: they may block, and the client is read no faster than they return. What they
 * throw closes the socket with 1011.
 */
@FunctionalInterface
public interface WebSocketHandler {

  /** The socket is open. */
  default void onOpen(WebSocket socket) throws Exception {}

  /** A text came. */
  void onText(WebSocket socket, String text) throws Exception;

  /** Bytes came; by default the socket is closed with 1003. */
  default void onBinary(WebSocket socket, byte[] bytes) throws Exception {
    socket.close(1003, "text is expected here");
  }

  /**
   * The socket is closed, the last call.
   *
   * @param code why, as of RFC 6455, 7.4; 1006 if the connection was lost
   */
  default void onClose(WebSocket socket, int code, String reason) throws Exception {}
}
