package dev.kermes.bench.peers;

import static dev.kermes.http.StandardHttpResponses.ok;

import dev.kermes.http.HttpHandler;
import dev.kermes.http.HttpServer;
import java.nio.file.Path;

/** Ours: {@code PORT FOLDER [LOOPS [TRANSPORT]]}. */
public final class KermesHttp {

  private KermesHttp() {}

  public static void main(String[] arguments) throws InterruptedException {
    HttpServer server = new HttpServer(Integer.parseInt(arguments[0]));
    if (arguments.length > 2) server.loops(Integer.parseInt(arguments[2]));
    if (arguments.length > 3) server.transport(arguments[3]);
    server
        .files("/{file}**", Path.of(arguments[1]))
        .get(
            "/hello/{name}",
            HttpHandler.onLoop(
                request -> request.respond(ok("Hello " + request.pathParam("name")))))
        .start();
    Thread.currentThread().join();
  }
}
