package dev.kermes.spring;

import dev.kermes.http.HttpServer;

/** Adds routes and options before the server starts; any number of beans, in their order. */
@FunctionalInterface
public interface HttpServerCustomizer {

  /** Changes the server, which has the routes of all beans. */
  void customize(HttpServer server);
}
