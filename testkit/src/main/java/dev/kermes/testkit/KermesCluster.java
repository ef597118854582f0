package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.commands.HashSlots;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of Redis servers in this JVM, for development and tests: slots, redirections, real
 * replication between masters and replicas, moves of slots and failover.
 *
 * <pre>{@code
 * try (KermesCluster cluster = KermesCluster.start(3, 1)) {
 *   RedisClient redis = RedisClient.open(cluster.url()); // or any other client
 *   cluster.move(0, 999, cluster.node(2));
 *   cluster.kill(cluster.node(0)); // its replica takes over
 * }
 * }</pre>
 *
 * It is not a distributed engine: the nodes share one state and die together with the JVM.
 *
 * <p>Any thread.
 */
public final class KermesCluster implements TestDeployment {

  /** A node, whatever its role is at present. */
  public static final class Node {

    private final ClusterNode state;
    private final NodeProcess process;

    private Node(ClusterNode state, NodeProcess process) {
      this.state = state;
      this.process = process;
    }

    /** The id in CLUSTER NODES, 40 hexadecimal digits. */
    public String id() {
      return state.id();
    }

    /** The address for clients. */
    public String host() {
      return state.host();
    }

    /** The port for clients. */
    public int port() {
      return process.port();
    }

    /** The port at which other nodes reach it. */
    int serverPort() {
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

    /** Whether it is a master. */
    public boolean isMaster() {
      return !state.isReplica();
    }

    /** Whether it has been killed or frozen. */
    public boolean isFailed() {
      return state.isFailed();
    }

    /** Whether {@link KermesCluster#lag} keeps it behind its master. */
    public boolean isLagging() {
      return process.isLagging();
    }

    ControlConnection connect() throws IOException {
      return process.connect();
    }

    @Override
    public String toString() {
      return (isMaster() ? "master " : "replica ") + host() + ":" + port();
    }
  }

  private final Plan plan;
  private final @Nullable NodeFronts fronts;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private volatile Topology topology;
  private volatile List<String> shapeAtStart = List.of();
  private @Nullable RedisClient client;

  private KermesCluster(Plan plan) {
    this.plan = plan;
    fronts = plan.hasFaults() ? new NodeFronts(plan.seedOfFaults()) : null;
    topology = new Topology(plan.random());
  }

  /**
   * Starts a cluster on free ports of the loopback address.
   *
   * @param masters the number of masters, which share the slots evenly
   * @param replicas the number of replicas of each master
   */
  public static KermesCluster start(int masters, int replicas) {
    return builder().masters(masters).replicas(replicas).start();
  }

  /** A builder for three masters without replicas on free ports. */
  public static Builder builder() {
    return new Builder();
  }

  // Its nodes

  /** The nodes: first those that began as masters, then each master's replicas in turn. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** A node by its position in {@link #nodes}. */
  public Node node(int index) {
    return nodes.get(index);
  }

  /** The URL for our client: {@code redis-cluster://127.0.0.1:port,127.0.0.1:port}. */
  @Override
  public String url() {
    List<String> addresses =
        nodes.stream()
            .filter(each -> !each.isFailed())
            .map(each -> each.host() + ":" + each.port())
            .toList();
    return "redis-cluster://" + String.join(",", addresses);
  }

  /** A client of the cluster, which ends with it, or with a reset that starts other nodes. */
  @Override
  public synchronized RedisClient client() {
    if (client == null) client = RedisClient.open(url());
    return client;
  }

  /**
   * The faults that clients meet at all nodes; {@link FaultRule#port} limits a rule to one.
   *
   * @throws IllegalStateException without {@link Builder#withFaults}
   */
  @Override
  public Faults faults() {
    if (fronts != null) return fronts.faults();
    throw new IllegalStateException("clients meet no faults: start it by builder().withFaults()");
  }

  /** The hash slot of a key. */
  public static int slot(String key) {
    return HashSlots.of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** The master of a slot. */
  public Node masterOf(int slot) {
    ClusterNode owner = topology.owner(slot);
    if (owner == null) throw new IllegalStateException("slot without a master: " + slot);
    return find(owner);
  }

  /** The replicas of a master. */
  public List<Node> replicasOf(Node master) {
    return topology.replicasOf(master.state).stream().map(this::find).toList();
  }

  private Node find(ClusterNode state) {
    for (Node each : nodes) if (each.state == state) return each;
    throw new IllegalArgumentException("a node of another cluster: " + state);
  }

  // Changes

  /**
   * Moves slots with their keys to another master, one after another as redis-cli does: clients may
   * use the keys all the time, and meet MOVED, ASK and TRYAGAIN.
   *
   * @param first the first slot
   * @param last the last slot, included
   */
  public void move(int first, int last, Node target) {
    try (SlotMover mover = new SlotMover(target)) {
      for (int slot = first; slot <= last; slot++) {
        Node source = masterOf(slot);
        if (source != target) mover.move(slot, source);
      }
    }
  }

  /**
   * Makes a replica the master without losing a write, as CLUSTER FAILOVER does; returns when it
   * is.
   *
   * @throws IllegalStateException if it is a master, or its master is not there
   */
  public void failover(Node replica) {
    replica.process.call("CLUSTER", "FAILOVER");
    NodeProcess.await("takes over: " + replica, replica::isMaster);
  }

  /**
   * Ends a node at once. If it is a master, a replica takes over: the one with the newest data.
   * Writes that no replica has received are lost, as those of a killed redis-server.
   */
  public void kill(Node node) {
    List<Node> heirs = heirs(node);
    node.process.kill();
    awaitHeir(node, heirs);
  }

  /**
   * Freezes a node like a suspended process: it accepts connections, and answers nothing. If it is
   * a master, a replica takes over.
   */
  public void freeze(Node node) {
    List<Node> heirs = heirs(node);
    node.state.freeze();
    awaitHeir(node, heirs);
  }

  private List<Node> heirs(Node node) {
    List<Node> replicas = new ArrayList<>(replicasOf(node));
    replicas.removeIf(each -> !each.state.mayTakeOver());
    return replicas;
  }

  private static void awaitHeir(Node node, List<Node> heirs) {
    if (heirs.isEmpty()) return;
    NodeProcess.await("replaced: " + node, () -> heirs.stream().anyMatch(Node::isMaster));
  }

  /** Lets a frozen node continue. If it was a master and was replaced, it becomes a replica. */
  public void thaw(Node node) {
    node.state.thaw();
    node.process.awaitSync();
  }

  /** Starts a killed node again, without data and on the same port; returns when it is in sync. */
  public void restart(Node node) {
    node.process.start();
    topology.found(node.state);
    node.process.awaitSync();
  }

  /**
   * Keeps a replica the given number of writes behind its master, until a call with 0 lets it catch
   * up, it is killed, or the cluster is reset. Connections of replicas must not use TLS.
   *
   * @throws IllegalStateException if it is a master, or is not in sync
   */
  public void lag(Node replica, int writes) {
    replica.process.lag(writes);
  }

  // State

  /**
   * Returns the cluster to its state at the start: no data, the first options, users, scripts and
   * functions, no faults, no report. Closes connections that subscribe, wait, watch keys or are in
   * a transaction; other connections stay open. If slots, roles or nodes have changed, new nodes
   * take the ports of the old ones.
   */
  @Override
  public void reset() {
    if (fronts != null) fronts.faults().clear();
    if (!shape().equals(shapeAtStart) || !restoreAll()) startAnew();
    if (fronts != null) fronts.log().clear();
  }

  /** The nodes with their roles, and the first slot of each run of slots with its owner. */
  private List<String> shape() {
    List<String> shape = new ArrayList<>();
    for (Node each : nodes) {
      ClusterNode state = each.state;
      boolean isWhole = !state.isFailed() && state.isMember() && !each.isLagging();
      boolean isMoving = !state.migrating().isEmpty() || !state.importing().isEmpty();
      shape.add(state.id() + " of " + state.master() + " " + isWhole + " " + isMoving);
    }
    ClusterNode before = null;
    for (int slot = 0; slot < HashSlots.COUNT; slot++) {
      ClusterNode owner = topology.owner(slot);
      if (owner != before) shape.add(slot + ": " + owner);
      before = owner;
    }
    return shape;
  }

  /** Restores all nodes; returns false if one cannot be. */
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
    endNodes();
    if (fronts != null) fronts.faults().disconnectAll();
    nodes.clear();
    topology = new Topology(plan.random());
    startNodes(ports::get);
  }

  private void startNodes(IntUnaryOperator portOf) {
    for (int i = 0; i < plan.masters() * (1 + plan.replicas()); i++) add(portOf.applyAsInt(i));
    form();
    for (Node each : nodes) each.process.awaitSync();
    for (Node each : nodes) each.process.noteState();
    shapeAtStart = shape();
  }

  private void add(int port) {
    ClusterNode state = topology.newNode();
    NodeProcess process = new NodeProcess(state, port, plan.options(), Clock.system(), fronts);
    nodes.add(new Node(state, process));
    process.start();
  }

  private void form() {
    int masters = plan.masters();
    for (int i = 0; i < masters; i++) {
      BitSet slots = new BitSet();
      slots.set(i * HashSlots.COUNT / masters, (i + 1) * HashSlots.COUNT / masters);
      topology.assign(slots, node(i).state);
    }
    for (int i = masters; i < nodes.size(); i++) {
      topology.replicate(node(i).state, node((i - masters) % masters).state);
    }
  }

  /** The last commands since the reset with their replies and faults, and keys; many lines. */
  @Override
  public String report() {
    List<String> lines = new ArrayList<>();
    lines.add("Redis Cluster at " + url());
    for (Node each : nodes) lines.add("  " + each + (each.isFailed() ? ", failed" : ""));
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
    topology.closing();
    for (Node each : nodes) each.process.kill();
  }

  /** Everything that a cluster is started with; {@code seed} is null for random ids. */
  private record Plan(
      int masters,
      int replicas,
      Map<String, String> options,
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

  /** The configuration of a cluster that is about to start. */
  public static final class Builder {

    private final Map<String, String> options = new LinkedHashMap<>();
    private int masters = 3;
    private int replicas;
    private int port;
    private boolean hasFaults;
    private @Nullable Long seed;

    private Builder() {}

    /** The number of masters, which share the slots evenly. */
    public Builder masters(int count) {
      masters = count;
      return this;
    }

    /** The number of replicas of each master. */
    public Builder replicas(int perMaster) {
      replicas = perMaster;
      return this;
    }

    /** The port of the first node, which those of the others follow; 0 for free ports. */
    public Builder port(int first) {
      port = first;
      return this;
    }

    /** The seed of the ids, and of jitter and probability of faults. */
    public Builder seed(long number) {
      seed = number;
      return this;
    }

    /**
     * Puts a proxy in front of each node, so that clients meet {@link KermesCluster#faults} and the
     * report has their commands. Clients with TLS do not pass through.
     */
    public Builder withFaults() {
      hasFaults = true;
      return this;
    }

    /** Any option of redis.conf by its name, for all nodes. */
    public Builder option(String name, String value) {
      options.put(name, value);
      return this;
    }

    /**
     * Starts the nodes; returns when all replicas have the data of their masters.
     *
     * @throws IllegalArgumentException for an unknown option, a wrong value, or no masters
     * @throws java.io.UncheckedIOException if a node cannot listen
     */
    public KermesCluster start() {
      if (masters < 1 || masters > HashSlots.COUNT || replicas < 0) {
        throw new IllegalArgumentException(
            "no such cluster: masters=" + masters + ", replicas=" + replicas);
      }
      Plan plan = new Plan(masters, replicas, Map.copyOf(options), hasFaults, seed);
      KermesCluster cluster = new KermesCluster(plan);
      boolean isUp = false;
      try {
        cluster.startNodes(i -> port == 0 ? 0 : port + i);
        isUp = true;
      } finally {
        if (!isUp) cluster.close();
      }
      return cluster;
    }
  }
}
