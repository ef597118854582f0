package dev.kermes.testkit;

import dev.kermes.server.RedisServer;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.NodeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The server of a node of a cluster, which ends and starts again. Any thread. */
final class NodeProcess {

  private final ClusterNode state;
  private final int port;
  private final Map<String, String> options;
  private final AtomicReference<@Nullable RedisServer> server = new AtomicReference<>();

  /**
   * Creates it.
   *
   * @param port 0 for a free one at the first start
   */
  NodeProcess(ClusterNode state, int port, Map<String, String> options) {
    this.state = state;
    this.port = port;
    this.options = Map.copyOf(options);
  }

  void start() {
    RedisServer.Builder builder = RedisServer.builder().loops(1).cluster(state);
    builder.port(state.port() > 0 ? state.port() : port);
    // Replicas get their data at once, and without a file.
    builder.preset("repl-diskless-sync-delay", "0").preset("repl-diskless-load", "on-empty-db");
    options.forEach(builder::option);
    server.set(builder.start());
  }

  /** Ends the server as a crash would; does nothing if it has ended. */
  void kill() {
    RedisServer running = server.getAndSet(null);
    if (running == null) return;
    NodeServer node = state.server();
    if (node != null) node.thaw(); // a frozen one could not end
    running.closeWithoutSaving();
  }

  /**
   * Sends a command.
   *
   * @throws IllegalStateException if it is an error
   */
  void call(String... words) {
    try (ControlConnection connection = connect()) {
      var unused = ControlConnection.accepted(connection.call(List.of(words)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ControlConnection connect() throws IOException {
    return new ControlConnection(ServerAddress.local(state.port()));
  }
}
