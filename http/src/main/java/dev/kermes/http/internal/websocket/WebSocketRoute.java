package dev.kermes.http.internal.websocket;

import dev.kermes.http.HttpHandler;
import dev.kermes.http.HttpLimits;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.WebSocketHandler;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.exchange.Request;
import dev.kermes.http.internal.exchange.Upgrade;
import dev.kermes.http.internal.syntax.HeaderSyntax;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A route that accepts WebSocket handshakes, entirely on the event loop. */
public record WebSocketRoute(
    WebSocketHandler handler, Set<String> origins, List<String> subprotocols) implements Upgrade {

  /** Creates a route; throws IllegalArgumentException if a subprotocol is not a token. */
  public static WebSocketRoute of(WebSocketHandler handler, Set<String> origins) {
    List<String> subprotocols = List.copyOf(handler.subprotocols());
    for (String name : subprotocols) {
      if (!HeaderSyntax.isToken(name)) {
        throw new IllegalArgumentException("not a subprotocol: name=" + name);
      }
    }
    return new WebSocketRoute(handler, Set.copyOf(origins), subprotocols);
  }

  public HttpHandler onLoop() {
    return HttpHandler.onLoop(this::handle);
  }

  private void handle(HttpMessage message) {
    Request request = (Request) message;
    Response refusal = WebSocketHandshake.refusal(request, origins);
    if (refusal != null) request.respond(refusal);
    else request.upgrade(this);
  }

  @Override
  public List<Response.Header> headers(Request request) {
    return WebSocketHandshake.answer(request.fields(), compression(request), subprotocol(request));
  }

  @Override
  public void install(
      Request request, Channel channel, ConnectionTimeouts timeouts, HttpLimits limits) {
    new WebSocketSession(limits, channel, timeouts, handler, request, subprotocol(request))
        .install(compression(request));
  }

  private static @Nullable DeflateOffer compression(Request request) {
    return WebSocketHandshake.compression(request.fields());
  }

  private @Nullable String subprotocol(Request request) {
    return WebSocketHandshake.subprotocol(request.fields(), subprotocols);
  }
}
