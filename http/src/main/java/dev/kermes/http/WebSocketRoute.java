package dev.kermes.http;

import java.util.List;
import java.util.Set;

/** A route that accepts WebSocket handshakes, entirely on the event loop. */
record WebSocketRoute(WebSocketHandler handler, Set<String> origins, List<String> subprotocols) {

  /** Creates a route; throws IllegalArgumentException if a subprotocol is not a token. */
  static WebSocketRoute of(WebSocketHandler handler, Set<String> origins) {
    List<String> subprotocols = List.copyOf(handler.subprotocols());
    for (String name : subprotocols) {
      if (!HeaderSyntax.isToken(name)) {
        throw new IllegalArgumentException("not a subprotocol: name=" + name);
      }
    }
    return new WebSocketRoute(handler, Set.copyOf(origins), subprotocols);
  }

  HttpHandler onLoop() {
    return HttpHandler.onLoop(this::handle);
  }

  private void handle(HttpMessage request) {
    Response refusal = WebSocketHandshake.refusal(request, origins);
    if (refusal != null) request.respond(refusal);
    else request.upgrade(this);
  }
}
