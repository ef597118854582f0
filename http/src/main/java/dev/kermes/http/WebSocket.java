package dev.kermes.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A WebSocket connection, on which both sides send messages; RFC 6455. Any thread. */
public final class WebSocket {

  private final HttpMessage request;
  private final WebSocketSession session;
  private final @Nullable String subprotocol;

  WebSocket(HttpMessage request, WebSocketSession session, @Nullable String subprotocol) {
    this.request = request;
    this.session = session;
    this.subprotocol = subprotocol;
  }

  /** The handshake request, with its path parameters, query, header fields and cookies. */
  public HttpMessage request() {
    return request;
  }

  /** The one of {@link WebSocketHandler#subprotocols} agreed on; null if there is none. */
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  /**
   * Sends a text.
   *
   * @return a future that completes when the message has been handed to the network, which is the
   *     time to send more. It fails with an IOException if the socket is closed, or if more than
   *     {@link HttpLimits#messageMax} bytes are waiting because the client reads too slowly.
   */
  public CompletableFuture<Void> send(String text) {
    return session.send(text);
  }

  /** Sends bytes; like {@link #send(String)}. */
  public CompletableFuture<Void> send(byte[] bytes) {
    return session.send(bytes);
  }

  /** Whether messages can be sent. */
  public boolean isOpen() {
    return session.isOpen();
  }

  /** Closes the socket with 1000. */
  public void close() {
    close(1000, "");
  }

  /**
   * Closes the socket after the messages sent before.
   *
   * @param code 1000, 1001, 1003, 1007 to 1014, or 3000 to 4999
   * @param reason at most 123 bytes of UTF-8
   */
  public void close(int code, String reason) {
    session.close(code, reason);
  }
}
