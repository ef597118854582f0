package dev.kermes.testkit;

import dev.kermes.server.node.ServerNode;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.sentinel.WatchedNode;
import dev.kermes.server.time.Clock;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A master, its replicas and the sentinels that watch them, in this JVM, for development and tests:
 * real replication, SENTINEL and its events, failover.
 *
 * <pre>{@code
 * try (KermesSentinel sentinel = KermesSentinel.start(1, 3)) {
 *   RedisClient redis = RedisClient.open(sentinel.url()); // or any other client
 *   sentinel.kill(sentinel.master()); // after 300 ms a replica takes over
 *   sentinel.awaitMaster();
 * }
 * }</pre>
 *
 * It is not a distributed system: the nodes share one state and die together with the JVM.
 *
 * <p>Any thread.
 */
public final class KermesSentinel implements AutoCloseable {

  /** A server or a sentinel. */
  public static final class Node {

    private final ServerNode state;
    private final NodeProcess process;

    private Node(ServerNode state, NodeProcess process) {
      this.state = state;
      this.process = process;
    }

    /** The address on which it listens. */
    public String host() {
      return state.host();
    }

    /** The port on which it listens. */
    public int port() {
      return state.port();
    }

    /** Its host and port; unresolved, as the options of clients take it. */
    public InetSocketAddress address() {
      return InetSocketAddress.createUnresolved(host(), port());
    }

    /** The URL for a client of this node alone: {@code redis://127.0.0.1:port}. */
    public String url() {
      return "redis://" + host() + ":" + port();
    }

    /** Whether it is a sentinel. */
    public boolean isSentinel() {
      return state instanceof SentinelNode;
    }

    /** Whether it is a master, or was one when it was lost and has not been replaced. */
    public boolean isMaster() {
      return !isSentinel() && state.master() == null;
    }

    /** Whether it has been killed or frozen. */
    public boolean isFailed() {
      return !state.isReachable();
    }

    @Override
    public String toString() {
      String role = isSentinel() ? "sentinel " : isMaster() ? "master " : "replica ";
      return role + host() + ":" + port();
    }
  }

  private static final String MASTER_NAME = "mymaster";

  private final SentinelGroup group;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Node> sentinels = new ArrayList<>();

  private KermesSentinel(SentinelGroup group) {
    this.group = group;
  }

  /**
   * Starts servers and sentinels on free ports of the loopback address.
   *
   * @param replicas the number of replicas of the master
   * @param sentinels the number of sentinels, whose majority is the quorum
   */
  public static KermesSentinel start(int replicas, int sentinels) {
    return builder().replicas(replicas).sentinels(sentinels).start();
  }

  /** A builder for a master, one replica and three sentinels on free ports. */
  public static Builder builder() {
    return new Builder();
  }

  // Its nodes

  /** The servers: first the one that began as the master. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** A server by its position in {@link #nodes}. */
  public Node node(int index) {
    return nodes.get(index);
  }

  /** The sentinels. */
  public List<Node> sentinels() {
    return List.copyOf(sentinels);
  }

  /** A sentinel by its position in {@link #sentinels}. */
  public Node sentinel(int index) {
    return sentinels.get(index);
  }

  /** The name by which clients ask for the master: {@value #MASTER_NAME}. */
  public String masterName() {
    return MASTER_NAME;
  }

  /** The master that the sentinels name, which may have failed. */
  public Node master() {
    ServerNode current = group.current(MASTER_NAME);
    for (Node each : nodes) if (each.state == current) return each;
    throw new IllegalStateException("no master: name=" + MASTER_NAME);
  }

  /** The servers that are not the master. */
  public List<Node> replicas() {
    Node master = master();
    return nodes.stream().filter(each -> each != master).toList();
  }

  /** The URL for our client: {@code redis-sentinel://127.0.0.1:port,127.0.0.1:port?master=name}. */
  public String url() {
    List<String> addresses =
        sentinels.stream()
            .filter(each -> !each.isFailed())
            .map(each -> each.host() + ":" + each.port())
            .toList();
    String name = URLEncoder.encode(MASTER_NAME, StandardCharsets.UTF_8);
    return "redis-sentinel://" + String.join(",", addresses) + "?master=" + name;
  }

  // Changes

  /**
   * Makes the best replica the master without losing a write, and returns it when the sentinels
   * name it.
   *
   * @throws IllegalStateException if there is no replica, or a failover is under way
   */
  public Node failover() {
    Node former = master();
    String refusal =
        group.locked(() -> {
          MonitoredMaster monitored = Objects.requireNonNull(group.masters().get(MASTER_NAME));
          return monitored.requestFailover(group.leader());
        });
    if (!refusal.isEmpty()) throw new IllegalStateException(refusal);
    NodeProcess.await("replaced: " + former, () -> master() != former);
    return awaitMaster();
  }

  /**
   * Waits until the master is there and no failover is under way, and until all servers that are
   * there have its data; returns the master.
   */
  public Node awaitMaster() {
    NodeProcess.await("a master", () -> !group.isFailingOver(MASTER_NAME) && !master().isFailed());
    for (Node each : nodes) if (!each.isFailed()) each.process.awaitSync();
    return master();
  }

  /**
   * Ends a server or a sentinel at once. If it is the master, the sentinels see it down after
   * {@code down-after-milliseconds}, and the replica with the newest data takes over; see {@link
   * #awaitMaster}. Writes that no replica has received are lost, as those of a killed redis-server.
   */
  public void kill(Node node) {
    node.process.kill();
  }

  /**
   * Freezes a server or a sentinel like a suspended process: it accepts connections, and answers
   * nothing. If it is the master, a replica takes over as after {@link #kill}.
   */
  public void freeze(Node node) {
    node.state.freeze();
  }

  /** Lets a frozen node continue. If it was the master and was replaced, it becomes a replica. */
  public void thaw(Node node) {
    node.state.thaw();
    node.process.awaitSync();
  }

  /**
   * Starts a killed node again, without data and on the same port; returns when it is in sync. A
   * master that has not been replaced is the master again, without data.
   */
  public void restart(Node node) {
    node.process.start();
    node.state.running().follow();
    node.process.awaitSync();
  }

  /** Ends all nodes; returns when their threads are gone. */
  @Override
  public void close() {
    group.closing();
    for (Node each : sentinels) each.process.kill();
    for (Node each : nodes) each.process.kill();
  }

  /** The configuration of servers and sentinels that are about to start. */
  public static final class Builder {

    /** Soon enough for a test; only a killed or frozen server is ever unreachable. */
    private static final Duration DOWN_AFTER = Duration.ofMillis(300);

    /** The sentinels look this often in a second. */
    private static final String LOOKS = "50";

    private final Map<String, String> options = new LinkedHashMap<>();
    private final Map<String, String> sentinelOptions = new LinkedHashMap<>(Map.of("hz", LOOKS));
    private int replicas = 1;
    private int sentinels = 3;
    private int quorum;
    private int port;
    private int sentinelPort;
    private Duration downAfter = DOWN_AFTER;
    private Clock clock = Clock.system();
    private RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create();

    private Builder() {}

    /** The number of replicas of the master. */
    public Builder replicas(int count) {
      replicas = count;
      return this;
    }

    /** The number of sentinels. */
    public Builder sentinels(int count) {
      sentinels = count;
      return this;
    }

    /** The number of sentinels that must be there to see the master down; 0 for a majority. */
    public Builder quorum(int count) {
      quorum = count;
      return this;
    }

    /** The port of the first server, which those of the replicas follow; 0 for free ports. */
    public Builder port(int first) {
      port = first;
      return this;
    }

    /** The port of the first sentinel, which those of the others follow; 0 for free ports. */
    public Builder sentinelPort(int first) {
      sentinelPort = first;
      return this;
    }

    /**
     * The time after which an unreachable server counts as down; by default 300 ms. A failover may
     * take ten times as long, and is tried again after twice that time.
     */
    public Builder downAfter(Duration time) {
      downAfter = time;
      return this;
    }

    /** The clock of all nodes; by default the machine's. */
    public Builder clock(Clock time) {
      clock = time;
      return this;
    }

    /** The seed of the ids. */
    public Builder seed(long number) {
      random = RandomGeneratorFactory.of("L64X128MixRandom").create(number);
      return this;
    }

    /** Any option of redis.conf by its name, for all servers. */
    public Builder option(String name, String value) {
      options.put(name, value);
      return this;
    }

    /** Any option of redis.conf by its name, for all sentinels. */
    public Builder sentinelOption(String name, String value) {
      sentinelOptions.put(name, value);
      return this;
    }

    /**
     * Starts servers and sentinels; returns when all replicas have the data of the master.
     *
     * @throws IllegalArgumentException for an unknown option, a wrong value, or no sentinels
     * @throws java.io.UncheckedIOException if a node cannot listen
     */
    public KermesSentinel start() {
      if (replicas < 0 || sentinels < 1 || quorum < 0 || downAfter.toMillis() < 1) {
        throw new IllegalArgumentException(
            "no such sentinels: replicas=%d, sentinels=%d, quorum=%d, downAfter=%s"
                .formatted(replicas, sentinels, quorum, downAfter));
      }
      KermesSentinel started = new KermesSentinel(new SentinelGroup(random));
      boolean isUp = false;
      try {
        startServers(started);
        startSentinels(started);
        isUp = true;
      } finally {
        if (!isUp) started.close();
      }
      return started;
    }

    private void startServers(KermesSentinel started) {
      WatchedNode master = null;
      for (int i = 0; i <= replicas; i++) {
        WatchedNode state = started.group.newNode(master);
        start(started.nodes, state, port, options);
        if (master == null) master = state;
        state.running().follow();
      }
      for (Node each : started.nodes) each.process.awaitSync();
    }

    private void startSentinels(KermesSentinel started) {
      SentinelGroup group = started.group;
      for (int i = 0; i < sentinels; i++) {
        start(started.sentinels, group.newSentinel(), sentinelPort, sentinelOptions);
      }
      Node master = started.node(0);
      long millis = downAfter.toMillis();
      int agreeing = quorum > 0 ? quorum : sentinels / 2 + 1;
      group.look(clock.millis());
      MonitoredMaster unused =
          group.locked(() -> {
            MonitoredMaster monitored =
                group.monitor(MASTER_NAME, master.host(), master.port(), agreeing);
            monitored.downAfterMillis(millis);
            monitored.failoverTimeoutMillis(10 * millis);
            return monitored;
          });
    }

    private void start(
        List<Node> started, ServerNode state, int first, Map<String, String> itsOptions) {
      int own = first == 0 ? 0 : first + started.size();
      NodeProcess process = new NodeProcess(state, own, itsOptions, clock);
      started.add(new Node(state, process));
      process.start();
    }
  }
}
