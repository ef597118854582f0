package dev.kermes.testkit;

import dev.kermes.server.node.ServerNode;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.sentinel.WatchedNode;
import dev.kermes.server.time.Clock;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import javax.net.ssl.SSLContext;
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
public final class KermesSentinel extends NodeDeployment<KermesSentinel.Node> {

  /** A server or a sentinel. */
  public static final class Node extends DeployedNode {

    private final ServerNode state;

    private Node(ServerNode state, NodeProcess process) {
      super(state, process);
      this.state = state;
    }

    /** Whether it is a sentinel. */
    public boolean isSentinel() {
      return state instanceof SentinelNode;
    }

    @Override
    public boolean isMaster() {
      return !isSentinel() && state.master() == null;
    }

    @Override
    public boolean isFailed() {
      return !state.isReachable();
    }

    @Override
    String role() {
      return isSentinel() ? "sentinel" : super.role();
    }
  }

  private static final String MASTER_NAME = "mymaster";

  private final Plan plan;
  private volatile SentinelGroup group;

  private KermesSentinel(Plan plan, Setup setup) {
    super(setup);
    this.plan = plan;
    group = new SentinelGroup(setup.random());
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
    return all().stream().filter(each -> !each.isSentinel()).toList();
  }

  /** A server by its position in {@link #nodes}. */
  public Node node(int index) {
    return nodes().get(index);
  }

  /** The sentinels. */
  public List<Node> sentinels() {
    return all().stream().filter(Node::isSentinel).toList();
  }

  /** A sentinel by its position in {@link #sentinels}. */
  public Node sentinel(int index) {
    return sentinels().get(index);
  }

  /** The name by which clients ask for the master: {@value #MASTER_NAME}. */
  public String masterName() {
    return MASTER_NAME;
  }

  /** The master that the sentinels name, which may have failed. */
  public Node master() {
    ServerNode current = group.current(MASTER_NAME);
    for (Node each : nodes()) if (each.state == current) return each;
    throw new IllegalStateException("no master: name=" + MASTER_NAME);
  }

  /** The servers that are not the master. */
  public List<Node> replicas() {
    Node master = master();
    return nodes().stream().filter(each -> each != master).toList();
  }

  /** The URL for our client: {@code redis-sentinel://127.0.0.1:port,127.0.0.1:port?master=name}. */
  @Override
  public String url() {
    String name = URLEncoder.encode(MASTER_NAME, StandardCharsets.UTF_8);
    return url("sentinel", sentinels()) + "?master=" + name;
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
    for (Node each : nodes()) if (!each.isFailed()) each.process().awaitSync();
    return master();
  }

  /**
   * Ends a server or a sentinel at once. If it is the master, the sentinels see it down after
   * {@code down-after-milliseconds}, and the replica with the newest data takes over; see {@link
   * #awaitMaster}. Writes that no replica has received are lost, as those of a killed redis-server.
   */
  public void kill(Node node) {
    node.process().kill();
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
    node.process().awaitSync();
  }

  /**
   * Starts a killed node again, without data and on the same port; returns when it is in sync. A
   * master that has not been replaced is the master again, without data.
   */
  public void restart(Node node) {
    node.process().start();
    node.state.running().follow();
    node.process().awaitSync();
  }

  /**
   * Keeps a replica the given number of writes behind its master, until a call with 0 lets it catch
   * up, it is killed, or the deployment is reset. Connections of replicas must not use TLS.
   *
   * @throws IllegalStateException if it is a master, or is not in sync
   */
  public void lag(Node replica, int writes) {
    replica.process().lag(writes);
  }

  // Its life

  @Override
  void startNodes(IntUnaryOperator portOf) {
    WatchedNode master = null;
    for (int i = 0; i <= plan.replicas(); i++) {
      WatchedNode state = group.newNode(master);
      start(new Node(state, process(state, portOf.applyAsInt(i), setup().options())));
      if (master == null) master = state;
      state.running().follow();
    }
    noteServers();
    for (int i = 0; i < plan.sentinels(); i++) {
      SentinelNode state = group.newSentinel();
      int port = portOf.applyAsInt(1 + plan.replicas() + i);
      start(new Node(state, process(state, port, plan.sentinelOptions())));
    }
    watch();
  }

  private void watch() {
    Node master = node(0);
    long millis = plan.downAfter().toMillis();
    int agreeing = plan.quorum() > 0 ? plan.quorum() : plan.sentinels() / 2 + 1;
    group.look(setup().clock().millis());
    MonitoredMaster unused =
        group.locked(() -> {
          MonitoredMaster monitored =
              group.monitor(MASTER_NAME, master.host(), master.port(), agreeing);
          monitored.downAfterMillis(millis);
          monitored.failoverTimeoutMillis(10 * millis);
          return monitored;
        });
  }

  /** The nodes with their roles, and the settings of the sentinels. */
  @Override
  List<String> shape() {
    List<String> shape = new ArrayList<>();
    for (Node each : nodes()) {
      shape.add(each.state + " of " + each.state.master() + " " + !each.isFailed());
      shape.add("lagging " + each.isLagging());
    }
    for (Node each : sentinels()) shape.add(each.state + " " + !each.isFailed());
    List<String> settings =
        group.locked(() -> {
          List<String> watched = new ArrayList<>();
          for (MonitoredMaster each : group.masters().values()) watched.add(each.settings());
          for (Node each : sentinels()) {
            if (each.state instanceof SentinelNode own) watched.add(own.options().toString());
          }
          return watched;
        });
    shape.addAll(settings);
    return shape;
  }

  @Override
  List<Node> servers() {
    return nodes();
  }

  @Override
  void closing() {
    group.closing();
  }

  @Override
  void forget() {
    group = new SentinelGroup(setup().random());
  }

  @Override
  String title() {
    return "Redis with sentinels";
  }

  /**
   * The nodes and what sentinels tell of them.
   *
   * @param quorum 0 for a majority
   */
  private record Plan(
      int replicas,
      int sentinels,
      int quorum,
      Duration downAfter,
      Map<String, String> sentinelOptions) {

    /** The port of a node in the order of the starts; 0 for a free one. */
    private int port(int i, int firstPort, int firstSentinelPort) {
      int servers = 1 + replicas;
      int first = i < servers ? firstPort : firstSentinelPort;
      return first == 0 ? 0 : first + (i < servers ? i : i - servers);
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
    private FrontTls tls = FrontTls.NONE;

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
     * KermesSentinel#faults} and the report has their commands.
     */
    public Builder withFaults() {
      hasFaults = true;
      return this;
    }

    /**
     * Makes clients use TLS; all servers and sentinels then have proxies, as {@link #withFaults}
     * gives them.
     *
     * @param context has the key and the certificate. The kit's own client trusts what the context
     *     trusts
     */
    public Builder tls(SSLContext context) {
      tls = new FrontTls(context);
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
      Plan plan = new Plan(replicas, sentinels, quorum, downAfter, Map.copyOf(sentinelOptions));
      Setup setup = new Setup(clock, Map.copyOf(options), hasFaults, seed, tls);
      KermesSentinel started = new KermesSentinel(plan, setup);
      started.begin(i -> plan.port(i, port, sentinelPort));
      return started;
    }
  }
}
