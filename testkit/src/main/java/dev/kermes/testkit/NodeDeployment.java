package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * A deployment of several nodes, from its start to its end:
 *
 * <pre>
 *   begin    startNodes, then the shape that a reset restores is noted
 *   reset    the shape is as at the start and all servers can be restored: the nodes stay
 *            otherwise: all nodes end, forget, startNodes at the same ports
 *   close    all nodes and proxies end
 * </pre>
 *
 * The subclass knows which nodes there are, and what connects them. Any thread; begin, reset and
 * close while no other thread uses it.
 *
 * @param <N> a node
 */
abstract sealed class NodeDeployment<N extends DeployedNode> implements TestDeployment
    permits KermesCluster, KermesSentinel {

  /**
   * The part of a builder that all deployments have.
   *
   * @param options of all servers
   * @param seed null for random ids
   */
  record Setup(
      Clock clock,
      Map<String, String> options,
      boolean hasFaults,
      @Nullable Long seed,
      FrontTls tls) {

    private long seedOfFaults() {
      return seed == null ? 0 : seed;
    }

    RandomGenerator random() {
      RandomGeneratorFactory<RandomGenerator> factory =
          RandomGeneratorFactory.of("L64X128MixRandom");
      return seed == null ? factory.create() : factory.create(seed);
    }
  }

  private final Setup setup;
  private final @Nullable NodeFronts fronts;

  /** All nodes in the order of their starts. */
  private final List<N> nodes = new CopyOnWriteArrayList<>();

  private volatile List<String> shapeAtStart = List.of();
  private @Nullable RedisClient client;

  NodeDeployment(Setup setup) {
    this.setup = setup;
    boolean hasFronts = setup.hasFaults() || setup.tls().isOn();
    fronts = hasFronts ? new NodeFronts(setup.seedOfFaults(), setup.tls()) : null;
  }

  // The subclass's part

  /**
   * Starts all nodes and connects them; returns when all replicas have the data of their masters.
   *
   * @param portOf the port of each node in the order of the starts; 0 for a free one
   */
  abstract void startNodes(IntUnaryOperator portOf);

  /** The facts that a reset restores by new nodes: roles, slots, settings; lines of text. */
  abstract List<String> shape();

  /** Notes that all nodes are about to end, so that none takes over. */
  abstract void closing();

  /** Replaces the state that the nodes share by that before the start. */
  abstract void forget();

  /** The first line of the report, without the URL. */
  abstract String title();

  // Nodes

  /** All nodes in the order of their starts. */
  final List<N> all() {
    return List.copyOf(nodes);
  }

  /** The nodes that have data, in the order of their starts. */
  abstract List<N> servers();

  final Setup setup() {
    return setup;
  }

  /** The process of a node that is about to start. */
  final NodeProcess process(ServerNode state, int port, Map<String, String> options) {
    return new NodeProcess(state, port, options, setup.clock(), fronts);
  }

  /** Starts a node. */
  final void start(N node) {
    nodes.add(node);
    node.process().start();
  }

  /** Waits until all replicas have the data of their masters; notes options and users. */
  final void noteServers() {
    for (N each : servers()) each.process().awaitSync();
    for (N each : servers()) each.process().noteState();
  }

  /** The URL with the nodes that have not failed: {@code kind://127.0.0.1:port,127.0.0.1:port}. */
  final String url(String kind, List<N> among) {
    List<String> addresses =
        among.stream()
            .filter(each -> !each.isFailed())
            .map(each -> each.host() + ":" + each.port())
            .toList();
    return setup.tls().scheme() + "-" + kind + "://" + String.join(",", addresses);
  }

  // Access

  /** A client, which ends with the deployment, or with a reset that starts other nodes. */
  @Override
  public final synchronized RedisClient client() {
    if (client == null) client = setup.tls().open(url());
    return client;
  }

  /**
   * The faults that clients meet at all nodes; {@link FaultRule#port} limits a rule to one.
   *
   * @throws IllegalStateException if it was started without {@code withFaults()}
   */
  @Override
  public final Faults faults() {
    if (fronts != null) return fronts.faults();
    throw new IllegalStateException("clients meet no faults: start it by builder().withFaults()");
  }

  /**
   * The clock of all nodes.
   *
   * @throws IllegalStateException if it was started without a {@link ManualClock}
   */
  @Override
  public final ManualClock clock() {
    if (setup.clock() instanceof ManualClock manual) return manual;
    throw new IllegalStateException(
        "the nodes were started in real time, so their clock cannot be moved");
  }

  // Its life

  /** Starts all nodes; ends those that run if one cannot start. */
  final void begin(IntUnaryOperator portOf) {
    boolean isUp = false;
    try {
      startAll(portOf);
      isUp = true;
    } finally {
      if (!isUp) close();
    }
  }

  private void startAll(IntUnaryOperator portOf) {
    startNodes(portOf);
    shapeAtStart = shape();
  }

  /**
   * Returns it to its state at the start, except for its clock: no data, the first options, users,
   * scripts and functions, no faults, no report. Closes connections to servers that subscribe,
   * wait, watch keys or are in a transaction; other connections stay open. If slots, roles, nodes
   * or settings of sentinels have changed, new nodes take the ports of the old ones.
   */
  @Override
  public final void reset() {
    if (fronts != null) fronts.faults().clear();
    if (!shape().equals(shapeAtStart) || !restoreAll()) startAnew();
    if (fronts != null) fronts.log().clear();
  }

  /** Restores all servers; returns false if one cannot be. */
  private boolean restoreAll() {
    try {
      for (N each : servers()) each.process().restore(each.isMaster());
    } catch (IOException e) {
      return false; // it is replaced
    }
    for (N each : servers()) each.process().awaitSync();
    return true;
  }

  private synchronized void startAnew() {
    List<Integer> ports = nodes.stream().map(DeployedNode::port).toList();
    endNodes();
    if (fronts != null) fronts.faults().disconnectAll();
    nodes.clear();
    forget();
    startAll(ports::get);
  }

  /** The last commands since the reset with their replies and faults, and keys; many lines. */
  @Override
  public final String report() {
    List<String> lines = new ArrayList<>();
    lines.add(title() + " at " + url());
    for (N each : nodes) lines.add("  " + each + (each.isFailed() ? ", failed" : ""));
    List<NodeProcess> masters =
        servers().stream()
            .filter(each -> each.isMaster() && !each.isFailed())
            .map(DeployedNode::process)
            .toList();
    lines.addAll(NodeFronts.report(fronts, masters));
    return String.join("\n", lines);
  }

  /** Ends all nodes and the client; returns when their threads are gone. */
  @Override
  public final synchronized void close() {
    endNodes();
    if (fronts != null) fronts.close();
  }

  private void endNodes() {
    if (client != null) client.close();
    client = null;
    closing();
    for (N each : all().reversed()) each.process().kill(); // sentinels before their servers
  }
}
