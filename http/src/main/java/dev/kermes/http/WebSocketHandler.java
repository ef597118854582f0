package dev.kermes.http;

import java.util.List;

/**
 * Handles the events of WebSockets. The methods are called in order and one at a time per socket,
 * on virtual threads, so they may block; the server reads from the client no faster than they
 * return. An exception closes the socket with 1011.
 */
@FunctionalInterface
public interface WebSocketHandler {

  /**
   * The supported subprotocols, the best first; none by default. A client that offers none of them
   * is connected without a subprotocol.
   */
  default List<String> subprotocols() {
    return List.of();
  }

  /** Called when the socket is open. */
  default void onOpen(WebSocket socket) throws Exception {}

  /** Called for each text message. */
  void onText(WebSocket socket, String text) throws Exception;

  /** Called for each binary message; by default closes the socket with 1003. */
  default void onBinary(WebSocket socket, byte[] bytes) throws Exception {
    socket.close(1003, "text is expected here");
  }

  /**
   * Called when the socket is closed, as the last call.
   *
   * @param code the status code of RFC 6455, 7.4; 1006 if the connection was lost
   */
  default void onClose(WebSocket socket, int code, String reason) throws Exception {}
}
