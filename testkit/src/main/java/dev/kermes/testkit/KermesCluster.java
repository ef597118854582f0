package dev.kermes.testkit;

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
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

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
public final class KermesCluster implements AutoCloseable {

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

    /** Whether it is a master. */
    public boolean isMaster() {
      return !state.isReplica();
    }

    /** Whether it has been killed or frozen. */
    public boolean isFailed() {
      return state.isFailed();
    }

    ControlConnection connect() throws IOException {
      return process.connect();
    }

    @Override
    public String toString() {
      return (isMaster() ? "master " : "replica ") + host() + ":" + port();
    }
  }

  private final Topology topology;
  private final List<Node> nodes = new ArrayList<>();

  private KermesCluster(Topology topology) {
    this.topology = topology;
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
  public String url() {
    List<String> addresses =
        nodes.stream()
            .filter(each -> !each.isFailed())
            .map(each -> each.host() + ":" + each.port())
            .toList();
    return "redis-cluster://" + String.join(",", addresses);
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

  /** Ends all nodes; returns when their threads are gone. */
  @Override
  public void close() {
    topology.closing();
    for (Node each : nodes) each.process.kill();
  }

  /** The configuration of a cluster that is about to start. */
  public static final class Builder {

    private final Map<String, String> options = new LinkedHashMap<>();
    private int masters = 3;
    private int replicas;
    private int port;
    private RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create();

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

    /** The seed of the ids. */
    public Builder seed(long number) {
      random = RandomGeneratorFactory.of("L64X128MixRandom").create(number);
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
      KermesCluster cluster = new KermesCluster(new Topology(random));
      boolean isUp = false;
      try {
        for (int i = 0; i < masters * (1 + replicas); i++) add(cluster, i);
        form(cluster);
        isUp = true;
      } finally {
        if (!isUp) cluster.close();
      }
      return cluster;
    }

    private void add(KermesCluster cluster, int index) {
      ClusterNode state = cluster.topology.newNode();
      int own = port == 0 ? 0 : port + index;
      NodeProcess process = new NodeProcess(state, own, options, Clock.system());
      cluster.nodes.add(new Node(state, process));
      process.start();
    }

    private void form(KermesCluster cluster) {
      for (int i = 0; i < masters; i++) {
        BitSet slots = new BitSet();
        slots.set(i * HashSlots.COUNT / masters, (i + 1) * HashSlots.COUNT / masters);
        cluster.topology.assign(slots, cluster.node(i).state);
      }
      for (int i = masters; i < cluster.nodes.size(); i++) {
        cluster.topology.replicate(
            cluster.node(i).state, cluster.node((i - masters) % masters).state);
      }
      for (Node each : cluster.nodes) each.process.awaitSync();
    }
  }
}
