package dev.kermes.http;

import java.util.List;
import java.util.Set;

/** Opens WebSockets; its requests never reach a virtual thread. */
record WebSocketRoute(WebSocketHandler handler, Set<String> origins, List<String> subprotocols) {

  /** IllegalArgumentException if a subprotocol cannot be named in a header field. */
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
