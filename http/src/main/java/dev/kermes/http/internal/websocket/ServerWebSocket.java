package dev.kermes.http.internal.websocket;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The server's side of an open WebSocket, as handlers see it. Any thread. */
public final class ServerWebSocket implements WebSocket {

  private final HttpMessage request;
  private final WebSocketSession session;
  private final @Nullable String subprotocol;

  ServerWebSocket(HttpMessage request, WebSocketSession session, @Nullable String subprotocol) {
    this.request = request;
    this.session = session;
    this.subprotocol = subprotocol;
  }

  @Override
  public HttpMessage request() {
    return request;
  }

  @Override
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  @Override
  public CompletableFuture<Void> send(String text) {
    return session.send(text);
  }

  @Override
  public CompletableFuture<Void> send(byte[] bytes) {
    return session.send(bytes);
  }

  @Override
  public boolean isOpen() {
    return session.isOpen();
  }

  @Override
  public void close() {
    close(1000, "");
  }

  @Override
  public void close(int code, String reason) {
    session.close(code, reason);
  }
}
