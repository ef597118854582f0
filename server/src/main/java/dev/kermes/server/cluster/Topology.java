package dev.kermes.server.cluster;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.node.NodeServer;
import dev.kermes.server.time.Clock;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The topology of a cluster in one JVM: its nodes, and which of them owns which hash slot. All
 * servers share it, so that no node can have an old view and no gossip is needed:
 *
 * <pre>
 *   a command, redis-cli, the test  -> a change here -> every server follows: replication, clients
 *   a server before each command    -> a look here   -> serves it, or MOVED, ASK, CLUSTERDOWN
 * </pre>
 *
 * <p>Any thread. Reads take no lock; changes take the monitor of this object. A holder of a
 * keyspace lock may take the monitor, a holder of the monitor never takes a keyspace lock.
 */
public final class Topology {

  private static final int ID_BYTES = 20;

  /** As many as Valkey keeps by default. */
  private static final int MIGRATIONS_MAX = 1000;

  private final RandomGenerator random;
  private final List<ClusterNode> nodes = new CopyOnWriteArrayList<>();
  private final AtomicReferenceArray<@Nullable ClusterNode> owners =
      new AtomicReferenceArray<>(HashSlots.COUNT);

  /** Newest first. */
  private final Deque<SlotMigration> migrations = new ArrayDeque<>();

  /** Held by the one move in one step that runs. */
  private final Lock migrating = new ReentrantLock();

  private volatile long epoch;
  private volatile boolean isCovered;
  private volatile boolean hasMajority;
  private volatile boolean isClosing;

  /** Creates a topology without nodes, whose ids are drawn from {@code random}. */
  public Topology(RandomGenerator random) {
    this.random = random;
  }

  // Reading

  /** All nodes that were ever added, members or not. */
  public List<ClusterNode> nodes() {
    return nodes;
  }

  /** The nodes that a node knows, itself included. */
  public List<ClusterNode> knownTo(ClusterNode viewer) {
    if (!viewer.isMember) return List.of(viewer);
    return nodes.stream().filter(ClusterNode::isMember).toList();
  }

  /** The member with an id that a node knows; null if there is none. */
  public @Nullable ClusterNode find(ClusterNode viewer, String id) {
    for (ClusterNode each : knownTo(viewer)) if (each.id().equals(id)) return each;
    return null;
  }

  /** The replicas of a master. */
  public List<ClusterNode> replicasOf(ClusterNode master) {
    return nodes.stream().filter(each -> each.isMember && each.master == master).toList();
  }

  /** The owner of a slot, null if it has none. */
  public @Nullable ClusterNode owner(int slot) {
    return owners.get(slot);
  }

  /** The same after a change that is under way: the former owner has its new role by then. */
  public synchronized @Nullable ClusterNode settledOwner(int slot) {
    return owners.get(slot);
  }

  /** The slots of a master. */
  public BitSet slotsOf(ClusterNode master) {
    BitSet slots = new BitSet(HashSlots.COUNT);
    for (int slot = 0; slot < HashSlots.COUNT; slot++) {
      if (owners.get(slot) == master) slots.set(slot);
    }
    return slots;
  }

  /** The highest epoch. */
  public long epoch() {
    return epoch;
  }

  /**
   * Whether a node may serve keys.
   *
   * @param needsAllSlots whether that requires that every slot has a master that has not failed
   */
  public boolean isUp(ClusterNode viewer, boolean needsAllSlots) {
    if (viewer.isMember) return hasMajority && (isCovered || !needsAllSlots);
    return viewer.slotCount == HashSlots.COUNT || viewer.slotCount > 0 && !needsAllSlots;
  }

  // Nodes

  /** Adds a master without slots. */
  public synchronized ClusterNode newNode() {
    ClusterNode node = new ClusterNode(this, newId(), newId(), ++epoch);
    nodes.add(node);
    changed();
    return node;
  }

  private String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Makes a node, which has no slots, the replica of a master. */
  public synchronized void replicate(ClusterNode node, ClusterNode master) {
    attach(node, master);
    changed();
  }

  /** Makes a replica the owner of its master's slots, and all others its replicas. */
  public synchronized void promote(ClusterNode replica) {
    ClusterNode former = replica.master;
    if (former == null) return;
    replica.epoch = ++epoch;
    for (int slot = 0; slot < HashSlots.COUNT; slot++) {
      if (owners.get(slot) == former) owners.set(slot, replica);
    }
    former.migrating.clear();
    former.importing.clear();
    for (ClusterNode each : nodes) {
      if (each != replica && (each == former || each.master == former)) each.master = replica;
      each.migrating.replaceAll((slot, to) -> to == former ? replica : to);
      each.importing.replaceAll((slot, from) -> from == former ? replica : from);
    }
    replica.master = null; // at last: a thread that sees it sees the rest
    changed();
  }

  /** Makes a node part of the cluster again. */
  public synchronized void join(ClusterNode node) {
    if (node.isMember) return;
    node.isMember = true;
    if (node.epoch == 0) node.epoch = ++epoch;
    changed();
  }

  /** Takes a node out of the cluster, as a master without slots that knows only itself. */
  public synchronized void leave(ClusterNode node) {
    node.isMember = false;
    node.master = null;
    node.shardId = newId();
    removeAll(slotsOf(node));
    node.migrating.clear();
    node.importing.clear();
    for (ClusterNode each : nodes) {
      each.migrating.values().removeIf(to -> to == node);
      each.importing.values().removeIf(from -> from == node);
    }
    changed();
  }

  /** Gives a node that has left another id and the first epoch. */
  public synchronized void renew(ClusterNode node) {
    node.id(newId());
    node.epoch = 0;
  }

  /** Gives a node an epoch of its own, unless it has the highest; returns whether it got one. */
  public synchronized boolean bumpEpoch(ClusterNode node) {
    if (node.epoch == epoch && epoch > 0) return false;
    node.epoch = ++epoch;
    return true;
  }

  /** Gives a node without an epoch that one; returns whether it had none. */
  public synchronized boolean setEpoch(ClusterNode node, long number) {
    if (node.epoch != 0) return false;
    node.epoch = number;
    epoch = Math.max(epoch, number);
    return true;
  }

  // Lost servers

  /** Marks a node as failed and has its best replica take over. No keyspace lock may be held. */
  void lost(ClusterNode node) {
    if (isClosing) return;
    synchronized (this) {
      node.isFailed = true;
      changed();
    }
    ClusterNode next = successorOf(node);
    if (next != null) next.running().takeOver();
  }

  /** The replica with the newest data that may take over; null if there is none. */
  public @Nullable ClusterNode successorOf(ClusterNode master) {
    return replicasOf(master).stream()
        .filter(ClusterNode::mayTakeOver)
        .max(Comparator.comparingLong(each -> each.running().progress().offset()))
        .orElse(null);
  }

  /** Notes that the server of a node is there again. */
  public synchronized void found(ClusterNode node) {
    node.isFailed = false;
    changed();
  }

  /** Notes that all servers are about to end, so that none takes over. */
  public void closing() {
    isClosing = true;
  }

  // Slots

  /** Gives slots to a master. */
  public synchronized void assign(BitSet slots, ClusterNode master) {
    for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
      own(slot, master);
    }
    changed();
  }

  /** Takes slots from their owner. */
  public synchronized void remove(BitSet slots) {
    removeAll(slots);
    changed();
  }

  private void removeAll(BitSet slots) {
    for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
      own(slot, null);
    }
  }

  private void own(int slot, @Nullable ClusterNode master) {
    ClusterNode former = owners.getAndSet(slot, master);
    if (former != null && former != master) former.migrating.remove(slot);
    if (master != null) master.importing.remove(slot);
  }

  /**
   * Gives a slot to a master at the end of its move, with a new epoch. The former owner deletes the
   * keys that it still has. If the slot was its last one, it becomes a replica of the new owner.
   */
  public synchronized void settle(int slot, ClusterNode master) {
    ClusterNode former = owners.get(slot);
    settleOne(slot, master);
    if (former != null && former != master) followOwner(former, master);
    changed();
  }

  private synchronized void settleOne(int slot, ClusterNode master) {
    ClusterNode former = owners.get(slot);
    if (former != master) {
      master.epoch = ++epoch;
      master.lost.clear(slot);
      if (former != null) former.lost.set(slot);
    }
    own(slot, master);
  }

  /**
   * Makes a master that has lost its last slot a replica of the slot's owner, together with its
   * replicas, so that a scaled-down shard serves the data that it had. With {@code
   * cluster-allow-replica-migration no} a master stays one without slots, and a replica stays with
   * it.
   */
  private void followOwner(ClusterNode former, ClusterNode owner) {
    if (!slotsOf(former).isEmpty()) return;
    boolean isLeaving = former.mayMigrate();
    for (ClusterNode each : replicasOf(former)) {
      if (isLeaving || each.mayMigrate()) attach(each, owner);
    }
    if (!isLeaving) return;
    former.migrating.clear();
    former.importing.clear();
    attach(former, owner);
  }

  private static void attach(ClusterNode replica, ClusterNode master) {
    replica.shardId = master.shardId;
    replica.master = master;
  }

  /** The slots that a node has lost since the last call. */
  public synchronized BitSet takeLost(ClusterNode node) {
    BitSet lost = (BitSet) node.lost.clone();
    node.lost.clear();
    return lost;
  }

  /** Opens a slot for its move to another node. */
  public synchronized void beginMigrating(int slot, ClusterNode from, ClusterNode to) {
    from.migrating.put(slot, to);
  }

  /** Opens a slot for its move from another node. */
  public synchronized void beginImporting(int slot, ClusterNode to, ClusterNode from) {
    to.importing.put(slot, from);
  }

  /** Closes a slot of a node without moving it. */
  public synchronized void close(int slot, ClusterNode node) {
    node.migrating.remove(slot);
    node.importing.remove(slot);
    changed();
  }

  // Moves in one step

  /**
   * Begins to move slots with their keys to another master, in a thread of its own; returns the
   * name of the move.
   */
  public synchronized String migrate(BitSet slots, ClusterNode from, ClusterNode to, Clock clock) {
    SlotMigration migration = new SlotMigration(newId(), slots, from, to, clock);
    migrations.addFirst(migration);
    if (migrations.size() > MIGRATIONS_MAX) migrations.removeLast();
    Thread.ofPlatform()
        .daemon()
        .name("kermes-slots")
        .start(() -> {
          migrating.lock();
          try {
            migration.run();
          } finally {
            migrating.unlock();
          }
        });
    return migration.name();
  }

  /** The moves from and to a node, the newest first. */
  public synchronized List<SlotMigration> migrations(ClusterNode node) {
    return migrations.stream()
        .filter(each -> each.source() == node || each.target() == node)
        .toList();
  }

  /**
   * Gives slots to the target of a move at its end.
   *
   * @return null, or the reason why the move is impossible by now
   */
  synchronized @Nullable String settle(SlotMigration migration) {
    ClusterNode source = migration.source();
    ClusterNode target = migration.target();
    BitSet kept = slotsOf(source);
    kept.and(migration.slots());
    if (!target.importing.isEmpty()) return "Slots are being manually imported";
    if (target.isReplica()) return "Target node is not a master";
    if (!target.isMember || !kept.equals(migration.slots())) return "The slots have changed";
    kept.stream().forEach(slot -> settleOne(slot, target));
    followOwner(source, target);
    changed();
    return null;
  }

  // Changes

  private void changed() {
    Set<ClusterNode> masters = new HashSet<>();
    int served = 0;
    for (ClusterNode each : nodes) {
      each.slotCount = slotsOf(each).cardinality();
      if (!each.isMember || each.slotCount == 0) continue;
      masters.add(each);
      if (!each.isFailed) served += each.slotCount;
    }
    isCovered = served == HashSlots.COUNT;
    long alive = masters.stream().filter(each -> !each.isFailed).count();
    hasMajority = alive > masters.size() / 2;
    for (ClusterNode each : nodes) {
      NodeServer server = each.server();
      if (server != null) server.follow();
    }
  }
}
