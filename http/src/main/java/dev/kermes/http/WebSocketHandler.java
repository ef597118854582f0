package dev.kermes.http;

import java.util.List;

/**
 * What happens on WebSockets. For one socket its methods are called in order and one at a time, on
 * virtual threads: they may block, and the client is read no faster than they return. What they
 * throw closes the socket with 1011.
 */
@FunctionalInterface
public interface WebSocketHandler {

  /**
   * The subprotocols that it speaks, the best first; none by default. A client that offers none of
   * them is connected without one.
   */
  default List<String> subprotocols() {
    return List.of();
  }

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
