package dev.kermes.tools.metrics;

import dev.kermes.http.HttpServer;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.server.RedisServer;
import java.io.UncheckedIOException;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Serves the metrics of a server at {@code /metrics}. */
public final class MetricsServer implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(MetricsServer.class.getName());

  private volatile @Nullable HttpServer http;

  /**
   * Starts; to be called once.
   *
   * @throws IllegalArgumentException if the port cannot be listened on
   */
  public void start(RedisServer server, String address, int port) {
    HttpServer started =
        new HttpServer(port)
            .host(address)
            .loops(1)
            .get(
                "/metrics",
                request ->
                    request.respond(
                        StandardHttpResponses.ok(
                            MetricsPage.CONTENT_TYPE, MetricsPage.of(server.info("everything")))));
    try {
      started.start();
    } catch (UncheckedIOException e) {
      started.close();
      throw new IllegalArgumentException("metrics-port: " + e.getMessage(), e);
    }
    http = started;
    LOG.info("Metrics at " + started.url() + "/metrics");
  }

  @Override
  public void close() {
    HttpServer started = http;
    if (started != null) started.close();
  }
}
