package dev.kermes.testkit;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import javax.net.ssl.SSLContext;
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
public final class KermesCluster extends NodeDeployment<KermesCluster.Node> {

  /** A node, whatever its role is at present. */
  public static final class Node extends DeployedNode {

    private final ClusterNode state;

    private Node(ClusterNode state, NodeProcess process) {
      super(state, process);
      this.state = state;
    }

    /** The id in CLUSTER NODES, 40 hexadecimal digits. */
    public String id() {
      return state.id();
    }

    /** The port at which other nodes reach it. */
    int serverPort() {
      return state.port();
    }

    /** Whether it is a master. */
    @Override
    public boolean isMaster() {
      return !state.isReplica();
    }

    @Override
    public boolean isFailed() {
      return state.isFailed();
    }

    ControlConnection connect() throws IOException {
      return process().connect();
    }
  }

  private final int masters;
  private final int replicas;
  private volatile Topology topology;

  private KermesCluster(int masters, int replicas, Setup setup) {
    super(setup);
    this.masters = masters;
    this.replicas = replicas;
    topology = new Topology(setup.random());
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
    return all();
  }

  /** A node by its position in {@link #nodes}. */
  public Node node(int index) {
    return nodes().get(index);
  }

  /** The URL for our client: {@code redis-cluster://127.0.0.1:port,127.0.0.1:port}. */
  @Override
  public String url() {
    return url("cluster", nodes());
  }

  /** The hash slot of a key. */
  public static int slot(String key) {
    return HashSlots.of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** The master of a slot. */
  public Node masterOf(int slot) {
    ClusterNode owner = topology.settledOwner(slot);
    if (owner == null) throw new IllegalStateException("slot without a master: " + slot);
    return find(owner);
  }

  /** The replicas of a master. */
  public List<Node> replicasOf(Node master) {
    return topology.replicasOf(master.state).stream().map(this::find).toList();
  }

  private Node find(ClusterNode state) {
    for (Node each : nodes()) if (each.state == state) return each;
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
   * Makes a replica the master without losing a write, as CLUSTER FAILOVER does, once it is
   * connected to its master; returns when it is the master.
   *
   * @throws IllegalStateException if it is a master, or its master is not there
   */
  public void failover(Node replica) {
    replica.process().awaitSync();
    replica.process().call("CLUSTER", "FAILOVER");
    NodeProcess.await("takes over: " + replica, replica::isMaster);
  }

  /**
   * Ends a node at once. If it is a master, a replica takes over: the one with the newest data.
   * Writes that no replica has received are lost, as those of a killed redis-server.
   */
  public void kill(Node node) {
    List<Node> heirs = heirs(node);
    node.process().kill();
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
    node.process().awaitSync();
  }

  /** Starts a killed node again, without data and on the same port; returns when it is in sync. */
  public void restart(Node node) {
    node.process().start();
    topology.found(node.state);
    node.process().awaitSync();
  }

  /**
   * Keeps a replica the given number of writes behind its master, until a call with 0 lets it catch
   * up, it is killed, or the cluster is reset. Connections of replicas must not use TLS.
   *
   * @throws IllegalStateException if it is a master, or is not in sync
   */
  public void lag(Node replica, int writes) {
    replica.process().lag(writes);
  }

  // Its life

  @Override
  void startNodes(IntUnaryOperator portOf) {
    for (int i = 0; i < masters * (1 + replicas); i++) {
      ClusterNode state = topology.newNode();
      start(new Node(state, process(state, portOf.applyAsInt(i), setup().options())));
    }
    form();
    noteServers();
  }

  private void form() {
    for (int i = 0; i < masters; i++) {
      BitSet slots = new BitSet();
      slots.set(i * HashSlots.COUNT / masters, (i + 1) * HashSlots.COUNT / masters);
      topology.assign(slots, node(i).state);
    }
    for (int i = masters; i < nodes().size(); i++) {
      topology.replicate(node(i).state, node((i - masters) % masters).state);
    }
  }

  /** The nodes with their roles, and the first slot of each run of slots with its owner. */
  @Override
  List<String> shape() {
    List<String> shape = new ArrayList<>();
    for (Node each : nodes()) {
      ClusterNode state = each.state;
      boolean isWhole = !state.isFailed() && state.isMember() && !each.isLagging();
      boolean isMoving = !state.migrating().isEmpty() || !state.importing().isEmpty();
      shape.add(state.id() + " of " + state.master() + " " + isWhole + " " + isMoving);
    }
    ClusterNode before = null;
    for (int slot = 0; slot < HashSlots.COUNT; slot++) {
      ClusterNode owner = topology.settledOwner(slot);
      if (owner != before) shape.add(slot + ": " + owner);
      before = owner;
    }
    return shape;
  }

  @Override
  List<Node> servers() {
    return all();
  }

  @Override
  void closing() {
    topology.closing();
  }

  @Override
  void forget() {
    topology = new Topology(setup().random());
  }

  @Override
  String title() {
    return "Redis Cluster";
  }

  /** The configuration of a cluster that is about to start. */
  public static final class Builder {

    private final Map<String, String> options = new LinkedHashMap<>();
    private int masters = 3;
    private int replicas;
    private int port;
    private Clock clock = Clock.system();
    private boolean hasFaults;
    private @Nullable Long seed;
    private FrontTls tls = FrontTls.NONE;

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
     * Puts a proxy in front of each node, so that clients meet {@link KermesCluster#faults} and the
     * report has their commands.
     */
    public Builder withFaults() {
      hasFaults = true;
      return this;
    }

    /**
     * Makes clients use TLS; all nodes then have proxies, as {@link #withFaults} gives them.
     *
     * @param context has the key and the certificate. The kit's own client trusts what the context
     *     trusts
     */
    public Builder tls(SSLContext context) {
      tls = new FrontTls(context);
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
      Setup setup = new Setup(clock, Map.copyOf(options), hasFaults, seed, tls);
      KermesCluster cluster = new KermesCluster(masters, replicas, setup);
      cluster.begin(i -> port == 0 ? 0 : port + i);
      return cluster;
    }
  }
}
