package dev.kermes.bench.peers;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * Vert.x: {@code PORT FOLDER}; a verticle per processor, sendFile, native transports if available.
 */
public final class VertxHttp extends AbstractVerticle {

  private final int port;
  private final String folder;

  private VertxHttp(int port, String folder) {
    this.port = port;
    this.folder = folder;
  }

  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    int port = Integer.parseInt(arguments[0]);
    int instances = Runtime.getRuntime().availableProcessors();
    vertx
        .deployVerticle(
            () -> new VertxHttp(port, arguments[1]),
            new DeploymentOptions().setInstances(instances))
        .await();
  }

  @Override
  public void start() {
    vertx.createHttpServer().requestHandler(this::answer).listen(port, "127.0.0.1");
  }

  private void answer(HttpServerRequest request) {
    String path = String.valueOf(request.path());
    if (path.startsWith("/hello/")) {
      request.response().putHeader("content-type", "text/plain; charset=utf-8");
      request.response().end("Hello " + path.substring(7));
    } else {
      request.response().sendFile(folder + path);
    }
  }
}
