package dev.kermes.server.sentinel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels of one JVM, the servers that they watch, and what they know. All sentinels share
 * it, so that they agree without asking each other:
 *
 * <pre>
 *   the cron of each sentinel    -> {@link #look}     -> down or not, failover, events
 *   a client, by SENTINEL        -> a look or change here
 *   a server that takes over     -> {@link #promoted}
 * </pre>
 *
 * A server is reachable exactly while it runs and is not frozen; no message has to arrive in time.
 *
 * <p>Any thread; guarded by its monitor. A holder of a keyspace lock may take the monitor, a holder
 * of the monitor never takes a keyspace lock.
 */
public final class SentinelGroup {

  private static final int ID_BYTES = 20;

  private final RandomGenerator random;
  private final List<WatchedNode> nodes = new CopyOnWriteArrayList<>();
  private final List<SentinelNode> sentinels = new CopyOnWriteArrayList<>();
  private final Map<String, MonitoredMaster> masters = new LinkedHashMap<>();
  private long epoch;
  private long now;
  private boolean isClosing;

  /** Creates a group without servers, whose ids are drawn from {@code random}. */
  public SentinelGroup(RandomGenerator random) {
    this.random = random;
  }

  // Members

  /** Adds a server, which replicates a master if there is one. */
  public synchronized WatchedNode newNode(@Nullable WatchedNode master) {
    WatchedNode node = new WatchedNode(this, master);
    nodes.add(node);
    return node;
  }

  /** Adds a sentinel. */
  public synchronized SentinelNode newSentinel() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    SentinelNode sentinel = new SentinelNode(this, HexFormat.of().formatHex(bytes));
    sentinels.add(sentinel);
    return sentinel;
  }

  List<WatchedNode> nodes() {
    return nodes;
  }

  List<SentinelNode> sentinels() {
    return sentinels;
  }

  /** The server at an address; null if it is none of this JVM. */
  @Nullable WatchedNode nodeAt(String ip, int port) {
    for (WatchedNode each : nodes) {
      boolean isThere = each.port() == port || each.frontPort() == port;
      if (each.host().equals(ip) && isThere) return each;
    }
    return null;
  }

  /** The first sentinel that is there. */
  public SentinelNode leader() {
    return sentinels.stream()
        .filter(ServerNode::isReachable)
        .findFirst()
        .orElse(sentinels.getFirst()); // all are about to end
  }

  // Masters

  /** Runs work that reads or changes masters. */
  public synchronized <T> T locked(Supplier<T> work) {
    return work.get();
  }

  /** The masters by their names; read them in {@link #locked}. */
  public Map<String, MonitoredMaster> masters() {
    return masters;
  }

  /** Begins to watch a master, whose name is free. */
  public synchronized MonitoredMaster monitor(String name, String ip, int port, int quorum) {
    MonitoredMaster fresh = new MonitoredMaster(this, name, ip, port, quorum);
    masters.put(name, fresh);
    announce("+monitor", fresh.master().inEvents() + " quorum " + quorum);
    fresh.look();
    return fresh;
  }

  /** Stops watching a master. */
  public synchronized void remove(MonitoredMaster monitored) {
    announce("-monitor", monitored.master().inEvents());
    masters.remove(monitored.name());
  }

  /** Forgets what is known about a master, and learns it anew. */
  public synchronized void reset(MonitoredMaster monitored) {
    monitored.reset();
  }

  /** The server that is the master of that name for clients; null if there is no such master. */
  public synchronized @Nullable ServerNode current(String name) {
    MonitoredMaster monitored = masters.get(name);
    return monitored == null ? null : monitored.current().node;
  }

  /** Whether a failover of a master is under way. */
  public synchronized boolean isFailingOver(String name) {
    MonitoredMaster monitored = masters.get(name);
    return monitored != null && monitored.failover() != null;
  }

  // Time and epochs

  /**
   * Does what is due.
   *
   * @param millis the time of a sentinel's clock
   */
  public synchronized void look(long millis) {
    if (isClosing) return;
    now = Math.max(now, millis);
    for (MonitoredMaster each : List.copyOf(masters.values())) each.look();
  }

  long now() {
    return now;
  }

  /** The highest epoch. */
  public long epoch() {
    return epoch;
  }

  long nextEpoch() {
    return ++epoch;
  }

  /** Notes an epoch of another sentinel. */
  void sawEpoch(long other) {
    if (other <= epoch) return;
    epoch = other;
    announce("+new-epoch", Long.toString(epoch));
  }

  /** Notes that all servers are about to end. */
  public synchronized void closing() {
    isClosing = true;
  }

  // Roles

  /** Notes that a server has taken over; the caller holds its keyspace lock. */
  synchronized void promoted(WatchedNode node) {
    WatchedNode former = node.master;
    if (former == null) return;
    node.master = null;
    former.master = node;
    NodeServer server = node.server();
    if (server != null) server.disconnectClients();
    for (MonitoredMaster each : masters.values()) {
      if (each.master().node == former) each.promoted(node);
    }
  }

  /** Makes a server the replica of another, and its clients ask for the master again. */
  void follow(@Nullable ServerNode replica, @Nullable ServerNode master) {
    if (!(replica instanceof WatchedNode follower)) return;
    follower.master = (WatchedNode) master;
    NodeServer server = follower.server();
    if (server == null) return;
    server.follow();
    server.disconnectClients();
  }

  // Events

  /** Sends an event to the subscribers at all sentinels. */
  public synchronized void announce(String type, String text) {
    for (SentinelNode each : sentinels) announce(each, type, text);
  }

  /** Sends an event to the subscribers at one sentinel. */
  void announce(SentinelNode sentinel, String type, String text) {
    NodeServer server = sentinel.server();
    if (server != null) server.deliver(type.getBytes(UTF_8), text.getBytes(UTF_8), false);
  }
}
