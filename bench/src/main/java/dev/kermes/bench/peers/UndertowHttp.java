package dev.kermes.bench.peers;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.PathTemplateHandler;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceHandler;
import io.undertow.util.Headers;
import java.nio.file.Path;
import java.util.Deque;
import java.util.Objects;

/** Undertow: {@code PORT FOLDER}; its resource handler with its own cache. */
public final class UndertowHttp {

  private UndertowHttp() {}

  public static void main(String[] arguments) {
    ResourceHandler files = Handlers.resource(new PathResourceManager(Path.of(arguments[1])));
    PathTemplateHandler routes = new PathTemplateHandler(files);
    routes.add(
        "/hello/{name}",
        exchange -> {
          exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; charset=utf-8");
          Deque<String> names = Objects.requireNonNull(exchange.getQueryParameters().get("name"));
          exchange.getResponseSender().send("Hello " + names.getFirst());
        });
    Undertow.builder()
        .addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1")
        .setHandler(routes)
        .build()
        .start();
  }
}
