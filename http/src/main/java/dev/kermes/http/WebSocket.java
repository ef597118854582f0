package dev.kermes.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection that both sides send messages on; RFC 6455. Any thread. */
public final class WebSocket {

  private final HttpMessage request;
  private final WebSocketSession session;
  private final @Nullable String subprotocol;

  WebSocket(HttpMessage request, WebSocketSession session, @Nullable String subprotocol) {
    this.request = request;
    this.session = session;
    this.subprotocol = subprotocol;
  }

  /** The request that it began with: path parameters, query, header fields, cookies. */
  public HttpMessage request() {
    return request;
  }

  /** Which of {@link WebSocketHandler#subprotocols} is spoken; null if none was agreed on. */
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  /**
   * Sends a text.
   *
   * @return completed when it has been handed to the network, which is when to send more; fails
   *     with an IOException if the socket is closed, or if more than {@link HttpLimits#messageMax}
   *     bytes wait already because the client takes nothing
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

  /** Closes it with 1000. */
  public void close() {
    close(1000, "");
  }

  /**
   * Closes it once what was sent before is through.
   *
   * @param code 1000, 1001, 1003, 1007 to 1014, or 3000 to 4999
   * @param reason at most 123 bytes of UTF-8
   */
  public void close(int code, String reason) {
    session.close(code, reason);
  }
}
