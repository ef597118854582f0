package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.sentinel.WatchedNode;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

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
public final class KermesSentinel implements TestDeployment {

  /** A server or a sentinel. */
  public static final class Node {

    private final ServerNode state;
    private final NodeProcess process;

    private Node(ServerNode state, NodeProcess process) {
      this.state = state;
      this.process = process;
    }

    /** The address for clients. */
    public String host() {
      return state.host();
    }

    /** The port for clients. */
    public int port() {
      return process.port();
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

    /** Whether {@link KermesSentinel#lag} keeps it behind its master. */
    public boolean isLagging() {
      return process.isLagging();
    }

    @Override
    public String toString() {
      String role = isSentinel() ? "sentinel " : isMaster() ? "master " : "replica ";
      return role + host() + ":" + port();
    }
  }

  private static final String MASTER_NAME = "mymaster";

  private final Plan plan;
  private final @Nullable NodeFronts fronts;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final List<Node> sentinels = new CopyOnWriteArrayList<>();
  private volatile SentinelGroup group;
  private volatile List<String> shapeAtStart = List.of();
  private @Nullable RedisClient client;

  private KermesSentinel(Plan plan) {
    this.plan = plan;
    fronts = plan.hasFaults() ? new NodeFronts(plan.seedOfFaults()) : null;
    group = new SentinelGroup(plan.random());
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
  @Override
  public String url() {
    List<String> addresses =
        sentinels.stream()
            .filter(each -> !each.isFailed())
            .map(each -> each.host() + ":" + each.port())
            .toList();
    String name = URLEncoder.encode(MASTER_NAME, StandardCharsets.UTF_8);
    return "redis-sentinel://" + String.join(",", addresses) + "?master=" + name;
  }

  /** A client of the master, which ends with it, or with a reset that starts other nodes. */
  @Override
  public synchronized RedisClient client() {
    if (client == null) client = RedisClient.open(url());
    return client;
  }

  /**
   * The faults that clients meet at all servers and sentinels; {@link FaultRule#port} limits a rule
   * to one.
   *
   * @throws IllegalStateException without {@link Builder#withFaults}
   */
  @Override
  public Faults faults() {
    if (fronts != null) return fronts.faults();
    throw new IllegalStateException("clients meet no faults: start it by builder().withFaults()");
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

  /**
   * Keeps a replica the given number of writes behind its master, until a call with 0 lets it catch
   * up, it is killed, or the deployment is reset. Connections of replicas must not use TLS.
   *
   * @throws IllegalStateException if it is a master, or is not in sync
   */
  public void lag(Node replica, int writes) {
    replica.process.lag(writes);
  }

  // State

  /**
   * Returns it to its state at the start, except for its clock: no data, the first options, users,
   * scripts and functions, no faults, no report. Closes connections to servers that subscribe,
   * wait, watch keys or are in a transaction; other connections stay open. If roles, nodes or
   * settings of the sentinels have changed, new nodes take the ports of the old ones.
   */
  @Override
  public void reset() {
    if (fronts != null) fronts.faults().clear();
    if (!shape().equals(shapeAtStart) || !restoreAll()) startAnew();
    if (fronts != null) fronts.log().clear();
  }

  /** The nodes with their roles, and the settings of the sentinels. */
  private List<String> shape() {
    List<String> shape = new ArrayList<>();
    for (Node each : nodes) {
      shape.add(each.state + " of " + each.state.master() + " " + !each.isFailed());
      shape.add("lagging " + each.isLagging());
    }
    for (Node each : sentinels) shape.add(each.state + " " + !each.isFailed());
    List<String> settings =
        group.locked(() -> {
          List<String> watched = new ArrayList<>();
          for (MonitoredMaster each : group.masters().values()) watched.add(each.settings());
          for (Node each : sentinels) {
            if (each.state instanceof SentinelNode own) watched.add(own.options().toString());
          }
          return watched;
        });
    shape.addAll(settings);
    return shape;
  }

  /** Restores all servers; returns false if one cannot be. */
  private boolean restoreAll() {
    try {
      for (Node each : nodes) each.process.restore(each.isMaster());
    } catch (IOException e) {
      return false; // it is replaced
    }
    for (Node each : nodes) each.process.awaitSync();
    return true;
  }

  private synchronized void startAnew() {
    List<Integer> ports = nodes.stream().map(Node::port).toList();
    List<Integer> sentinelPorts = sentinels.stream().map(Node::port).toList();
    endNodes();
    if (fronts != null) fronts.faults().disconnectAll();
    nodes.clear();
    sentinels.clear();
    group = new SentinelGroup(plan.random());
    startNodes(ports::get, sentinelPorts::get);
  }

  private void startNodes(IntUnaryOperator portOf, IntUnaryOperator sentinelPortOf) {
    WatchedNode master = null;
    for (int i = 0; i <= plan.replicas(); i++) {
      WatchedNode state = group.newNode(master);
      start(nodes, state, portOf.applyAsInt(i), plan.options());
      if (master == null) master = state;
      state.running().follow();
    }
    for (Node each : nodes) each.process.awaitSync();
    for (Node each : nodes) each.process.noteState();
    for (int i = 0; i < plan.sentinels(); i++) {
      int port = sentinelPortOf.applyAsInt(i);
      start(sentinels, group.newSentinel(), port, plan.sentinelOptions());
    }
    watch();
    shapeAtStart = shape();
  }

  private void start(
      List<Node> started, ServerNode state, int port, Map<String, String> itsOptions) {
    NodeProcess process = new NodeProcess(state, port, itsOptions, plan.clock(), fronts);
    started.add(new Node(state, process));
    process.start();
  }

  private void watch() {
    Node master = node(0);
    long millis = plan.downAfter().toMillis();
    int agreeing = plan.quorum() > 0 ? plan.quorum() : plan.sentinels() / 2 + 1;
    group.look(plan.clock().millis());
    MonitoredMaster unused =
        group.locked(() -> {
          MonitoredMaster monitored =
              group.monitor(MASTER_NAME, master.host(), master.port(), agreeing);
          monitored.downAfterMillis(millis);
          monitored.failoverTimeoutMillis(10 * millis);
          return monitored;
        });
  }

  /** The last commands since the reset with their replies and faults, and keys; many lines. */
  @Override
  public String report() {
    List<String> lines = new ArrayList<>();
    lines.add("Redis with sentinels at " + url());
    for (Node each : nodes) lines.add("  " + each + (each.isFailed() ? ", failed" : ""));
    for (Node each : sentinels) lines.add("  " + each + (each.isFailed() ? ", failed" : ""));
    List<NodeProcess> masters =
        nodes.stream()
            .filter(each -> each.isMaster() && !each.isFailed())
            .map(each -> each.process)
            .toList();
    lines.addAll(NodeFronts.report(fronts, masters));
    return String.join("\n", lines);
  }

  /** Ends all nodes and the client; returns when their threads are gone. */
  @Override
  public synchronized void close() {
    endNodes();
    if (fronts != null) fronts.close();
  }

  private void endNodes() {
    if (client != null) client.close();
    client = null;
    group.closing();
    for (Node each : sentinels) each.process.kill();
    for (Node each : nodes) each.process.kill();
  }

  /**
   * Everything that it is started with.
   *
   * @param quorum 0 for a majority
   * @param seed null for random ids
   */
  private record Plan(
      int replicas,
      int sentinels,
      int quorum,
      Duration downAfter,
      Clock clock,
      Map<String, String> options,
      Map<String, String> sentinelOptions,
      boolean hasFaults,
      @Nullable Long seed) {

    long seedOfFaults() {
      return seed == null ? 0 : seed;
    }

    RandomGenerator random() {
      RandomGeneratorFactory<RandomGenerator> factory =
          RandomGeneratorFactory.of("L64X128MixRandom");
      return seed == null ? factory.create() : factory.create(seed);
    }
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
    private boolean hasFaults;
    private @Nullable Long seed;

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

    /** The seed of the ids, and of jitter and probability of faults. */
    public Builder seed(long number) {
      seed = number;
      return this;
    }

    /**
     * Puts a proxy in front of each server and sentinel, so that clients meet {@link
     * KermesSentinel#faults} and the report has their commands. Clients with TLS do not pass
     * through.
     */
    public Builder withFaults() {
      hasFaults = true;
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
      KermesSentinel started =
          new KermesSentinel(
              new Plan(
                  replicas,
                  sentinels,
                  quorum,
                  downAfter,
                  clock,
                  Map.copyOf(options),
                  Map.copyOf(sentinelOptions),
                  hasFaults,
                  seed));
      boolean isUp = false;
      try {
        started.startNodes(
            i -> port == 0 ? 0 : port + i, i -> sentinelPort == 0 ? 0 : sentinelPort + i);
        isUp = true;
      } finally {
        if (!isUp) started.close();
      }
      return started;
    }
  }
}
