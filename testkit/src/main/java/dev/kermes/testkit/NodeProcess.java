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
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a node of a cluster or a sentinel group, which ends and starts again, and the proxy
 * in front of it if clients meet faults. Any thread.
 */
final class NodeProcess {

  /** The time for a change of roles, and for a replica to get its data. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final long POLL_NANOS = 200_000;

  private final ServerNode state;
  private final int serverPort;
  private final Map<String, String> options;
  private final Clock clock;
  private final @Nullable Proxy front;
  private final AtomicReference<@Nullable RedisServer> server = new AtomicReference<>();
  private final AtomicReference<@Nullable ReplicationLag> lag = new AtomicReference<>();
  private volatile @Nullable ServerState first;

  /**
   * Creates it.
   *
   * @param port the port for clients; 0 for a free one at the first start
   * @param fronts null if clients meet no faults
   */
  NodeProcess(
      ServerNode state,
      int port,
      Map<String, String> options,
      Clock clock,
      @Nullable NodeFronts fronts) {
    this.state = state;
    this.options = Map.copyOf(options);
    this.clock = clock;
    front = fronts == null ? null : fronts.at(port);
    serverPort = front == null ? port : 0;
    if (front != null) state.front(front.port());
  }

  /** The port for clients. */
  int port() {
    return state.frontPort();
  }

  /** The beginning of URLs for clients. */
  String scheme() {
    return (front == null ? FrontTls.NONE : front.tls()).scheme();
  }

  void start() {
    RedisServer.Builder builder = RedisServer.builder().loops(1).node(state).clock(clock);
    builder.port(state.port() > 0 ? state.port() : serverPort);
    // Replicas get their data at once, and without a file.
    builder.preset("repl-diskless-sync-delay", "0").preset("repl-diskless-load", "on-empty-db");
    options.forEach(builder::option);
    server.set(builder.start());
    if (front != null) front.target(ServerAddress.local(state.port()));
  }

  /** Ends the server as a crash would; does nothing if it has ended. */
  void kill() {
    endLag();
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

  // Its state at the start

  /**
   * Notes the present options and users as those to which {@link #restore} returns. Does nothing if
   * it cannot read them, for lack of a password for instance.
   */
  void noteState() {
    try (ControlConnection connection = connect()) {
      first = ServerState.read(connection);
    } catch (IOException e) {
      first = null; // it cannot be restored
    }
  }

  /**
   * Returns the server to the state that was noted, and closes connections with a state. The data
   * of a replica follow those of its master.
   */
  void restore(boolean isMaster) throws IOException {
    ServerState noted = first;
    if (noted == null) throw new IOException("its state at the start is not known: " + state);
    try (ControlConnection connection = connect()) {
      Set<Integer> busy = noted.restoreNode(connection, isMaster);
      if (front != null) ServerState.awaitEnd(connection, front.closeAll(busy));
    }
  }

  // Replication

  /**
   * Keeps a replica the given number of writes behind its master; 0 lets it catch up.
   *
   * @throws IllegalArgumentException for a negative number
   * @throws IllegalStateException if it is a master, or is not in sync
   */
  void lag(int writes) {
    if (writes < 0) throw new IllegalArgumentException("a lag is not negative: writes=" + writes);
    if (state.master() == null) throw new IllegalStateException("not a replica: " + state);
    ReplicationLag present = lag.get();
    if (present == null && writes > 0) present = detour();
    if (present != null) present.limit(writes);
    awaitSync();
  }

  /** Leads the replication through a proxy; returns when the replica is in sync. */
  private ReplicationLag detour() {
    try {
      ReplicationLag opened = new ReplicationLag(this::masterAddress);
      lag.set(opened);
      state.detour(opened.port());
      state.running().follow();
      awaitSync();
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerAddress masterAddress() {
    ServerNode master = state.master();
    return ServerAddress.local(master == null ? 0 : master.port());
  }

  private void endLag() {
    ReplicationLag present = lag.getAndSet(null);
    if (present == null) return;
    state.detour(0);
    try {
      present.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a test keeps it behind its master. */
  boolean isLagging() {
    ReplicationLag present = lag.get();
    return present != null && present.isOn();
  }

  /**
   * Waits until the server is a master, or has its master's data up to the present. Does not wait
   * for one that is kept behind.
   */
  void awaitSync() {
    if (isLagging()) return;
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
