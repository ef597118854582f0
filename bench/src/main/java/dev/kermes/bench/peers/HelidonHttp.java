package dev.kermes.bench.peers;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.staticcontent.FileSystemHandlerConfig;
import io.helidon.webserver.staticcontent.StaticContentFeature;
import java.nio.file.Path;

/** Helidon: {@code PORT FOLDER}; a virtual thread for each request, its service of static files. */
public final class HelidonHttp {

  private HelidonHttp() {}

  public static void main(String[] arguments) {
    FileSystemHandlerConfig files = FileSystemHandlerConfig.create(Path.of(arguments[1]));
    HttpRouting.Builder routing =
        HttpRouting.builder()
            .get(
                "/hello/{name}",
                (request, response) ->
                    response.send("Hello " + request.path().pathParameters().get("name")))
            .register("/", StaticContentFeature.createService(files));
    WebServer.builder()
        .host("127.0.0.1")
        .port(Integer.parseInt(arguments[0]))
        .routing(routing)
        .build()
        .start();
  }
}
