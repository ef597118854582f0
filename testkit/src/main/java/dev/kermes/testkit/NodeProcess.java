package dev.kermes.testkit;

import dev.kermes.server.RedisServer;
import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a node of a cluster or a sentinel group, which ends and starts again. Any thread.
 */
final class NodeProcess {

  /** The time for a change of roles, and for a replica to get its data. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final long POLL_NANOS = 200_000;

  private final ServerNode state;
  private final int port;
  private final Map<String, String> options;
  private final Clock clock;
  private final AtomicReference<@Nullable RedisServer> server = new AtomicReference<>();

  /**
   * Creates it.
   *
   * @param port 0 for a free one at the first start
   */
  NodeProcess(ServerNode state, int port, Map<String, String> options, Clock clock) {
    this.state = state;
    this.port = port;
    this.options = Map.copyOf(options);
    this.clock = clock;
  }

  void start() {
    RedisServer.Builder builder = RedisServer.builder().loops(1).node(state).clock(clock);
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

  /** Waits until the server is a master, or has its master's data up to the present. */
  void awaitSync() {
    await("in sync: " + state, () -> isInSync(state.server()));
    ServerNode master = state.master();
    NodeServer source = master == null || !master.isReachable() ? null : master.server();
    if (source == null) return;
    long wanted = source.progress().offset();
    await("in sync: " + state, () -> offset(state.server()) >= wanted);
  }

  private static long offset(@Nullable NodeServer server) {
    return server == null ? -1 : server.progress().offset();
  }

  private static boolean isInSync(@Nullable NodeServer server) {
    return server != null && server.progress().isInSync();
  }

  /**
   * Waits for an event, for a limited time.
   *
   * @throws IllegalStateException if it does not happen
   */
  static void await(String event, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new IllegalStateException("never " + event);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
