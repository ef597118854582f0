package dev.kermes.http;

import java.util.Set;

/** Opens WebSockets; its requests never reach a virtual thread. */
record WebSocketRoute(WebSocketHandler handler, Set<String> origins) {

  HttpHandler onLoop() {
    return HttpHandler.onLoop(this::handle);
  }

  private void handle(HttpMessage request) {
    Response refusal = WebSocketHandshake.refusal(request, origins);
    if (refusal != null) request.respond(refusal);
    else request.upgrade(handler);
  }
}
