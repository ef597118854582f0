package dev.kermes.server.cluster;

import dev.kermes.server.config.ClusterOptions;
import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster. Any thread reads it; only the {@link Topology} changes its role, its epoch
 * and its open slots, except for the facts that its own server announces.
 */
public final class ClusterNode extends ServerNode {

  /**
   * The address that clients get.
   *
   * @param ip empty for the loopback address
   * @param hostname empty for none
   * @param port 0 for the port on which the server listens
   * @param tlsPort 0 for the TLS port on which the server listens
   * @param busPort 0 for the port of clients and 10,000
   */
  private record Announced(String ip, String hostname, int port, int tlsPort, int busPort) {
    private static final Announced NOTHING = new Announced("", "", 0, 0, 0);
  }

  private final Topology topology;
  private volatile String id;
  private volatile Announced announced = Announced.NOTHING;
  private volatile boolean staysReplica;
  private volatile boolean mayMigrate = true;

  private final SlotUsage usage = new SlotUsage();

  // Changed by the topology under its monitor.
  volatile String shardId;
  volatile @Nullable ClusterNode master;
  volatile boolean isFailed;
  volatile boolean isMember = true;
  volatile int slotCount;
  volatile long epoch;

  /** Open slots of this node with the nodes that they are leaving to, and are coming from. */
  final Map<Integer, ClusterNode> migrating = new ConcurrentSkipListMap<>();

  final Map<Integer, ClusterNode> importing = new ConcurrentSkipListMap<>();

  /** Slots that another node owns now, whose keys are still to be deleted here. */
  final BitSet lost = new BitSet();

  ClusterNode(Topology topology, String id, String shardId, long epoch) {
    this.topology = topology;
    this.id = id;
    this.shardId = shardId;
    this.epoch = epoch;
  }

  public Topology topology() {
    return topology;
  }

  /** 40 hexadecimal digits. */
  public String id() {
    return id;
  }

  void id(String fresh) {
    id = fresh;
  }

  /** The id that a master and its replicas share. */
  public String shardId() {
    return shardId;
  }

  // Addresses

  /** Takes what the others need to know from the options of its server. */
  public void announce(ClusterOptions options) {
    staysReplica = options.staysReplica.isOn();
    mayMigrate = options.mayMigrate.isOn();
    announced =
        new Announced(
            options.ip.value(),
            options.hostname.value(),
            options.port.intValue(),
            options.tlsPort.intValue(),
            options.busPort.intValue());
  }

  /** The IP address for clients. */
  public String ip() {
    return announced.ip().isEmpty() ? host() : announced.ip();
  }

  /** The host name for clients; empty for none. */
  public String hostname() {
    return announced.hostname();
  }

  /** The port for clients without TLS; 0 for none. */
  public int clientPort() {
    return announced.port() > 0 ? announced.port() : plainPort();
  }

  /** The port for clients with TLS; 0 for none. */
  public int clientTlsPort() {
    return announced.tlsPort() > 0 ? announced.tlsPort() : tlsPort();
  }

  /** The port of the bus that it announces; 0 for none. There is no bus. */
  public int busPort() {
    return announced.busPort();
  }

  // Role

  @Override
  protected String mode() {
    return "cluster";
  }

  /** The master that it replicates; null for a master. */
  @Override
  public @Nullable ClusterNode master() {
    return master;
  }

  @Override
  public void promoted() {
    topology.promote(this);
  }

  public boolean isReplica() {
    return master != null;
  }

  /** Whether it may take over when its master fails. */
  public boolean mayTakeOver() {
    return !staysReplica && !isFailed && server() != null;
  }

  /** Whether it becomes a replica of another master when its shard has lost its last slot. */
  boolean mayMigrate() {
    return mayMigrate;
  }

  /** Whether its server has been lost. */
  public boolean isFailed() {
    return isFailed;
  }

  /** Whether it is part of the cluster; a node that has been reset knows only itself. */
  public boolean isMember() {
    return isMember;
  }

  /** The epoch of its configuration; a replica has that of its master. */
  public long epoch() {
    ClusterNode followed = master;
    return followed == null ? epoch : followed.epoch;
  }

  // Slots

  /**
   * The master of a slot as this node sees it; null if the slot is not served. A node that is not a
   * member is a cluster of its own.
   */
  public @Nullable ClusterNode ownerOf(int slot) {
    ClusterNode owner = topology.owner(slot);
    boolean isKnown = owner == this || isMember && owner != null && owner.isMember;
    return isKnown ? owner : null;
  }

  /** The costs of commands by slot. Guarded by the keyspace lock of its server. */
  public SlotUsage usage() {
    return usage;
  }

  /** The node that a slot of this one is leaving to; null if it stays. */
  public @Nullable ClusterNode migratingTo(int slot) {
    return migrating.get(slot);
  }

  /** The node that a slot is coming from; null if none is coming. */
  public @Nullable ClusterNode importingFrom(int slot) {
    return importing.get(slot);
  }

  /** The slots that are leaving, with the nodes that they leave to; unmodifiable. */
  public Map<Integer, ClusterNode> migrating() {
    return Map.copyOf(migrating);
  }

  /** The slots that are coming, with the nodes that they come from; unmodifiable. */
  public Map<Integer, ClusterNode> importing() {
    return Map.copyOf(importing);
  }

  // Its server

  @Override
  protected void lost() {
    topology.lost(this);
  }

  @Override
  protected void found() {
    topology.found(this);
  }

  /**
   * Its server.
   *
   * @throws IllegalStateException if it cannot be reached
   */
  SlotServer slotServer() {
    if (isReachable() && running() instanceof SlotServer slotServer) return slotServer;
    throw new IllegalStateException("Unable to connect to " + this);
  }

  /** Sends a message to the subscribers at the other nodes; the caller has served its own. */
  public void publish(byte[] channel, byte[] message, boolean isSharded) {
    for (ClusterNode each : topology.nodes()) {
      NodeServer other = each.server();
      boolean isReceiver = each != this && (!isSharded || each.shardId.equals(shardId));
      if (isReceiver && other != null) other.deliver(channel, message, isSharded);
    }
  }

  @Override
  public String toString() {
    return "node " + id.substring(0, 8) + " at " + host() + ":" + port();
  }
}
