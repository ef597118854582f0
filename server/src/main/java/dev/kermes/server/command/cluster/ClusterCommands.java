package dev.kermes.server.command.cluster;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.node.NodeServer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CLUSTER and ASKING, which a server outside of clusters refuses. */
public final class ClusterCommands {

  /** The reply of a Redis with {@code cluster-enabled no}, by which tools recognise it. */
  public static final String DISABLED = "ERR This instance has cluster support disabled";

  private ClusterCommands() {}

  /** The node that this server is; null after replying that it is none. */
  private static @Nullable ClusterNode self(Call call) {
    ClusterNode self = call.engine().cluster();
    if (self == null) call.error(DISABLED);
    return self;
  }

  /** ASKING: admits the next command to a slot that is coming to this node. O(1). */
  public static void asking(Call call) {
    if (self(call) == null) return;
    call.session().set(ClientMode.ASKS, true);
    call.reply().ok();
  }

  // Views

  /** CLUSTER INFO: facts about the cluster, a line for each. O(slots). */
  public static void clusterInfo(Call call) {
    ClusterNode self = self(call);
    if (self != null) call.reply().verbatim("txt", ClusterViews.info(call, self));
  }

  /** CLUSTER NODES: a line for each node. O(nodes * slots). */
  public static void clusterNodes(Call call) {
    ClusterNode self = self(call);
    if (self != null) call.reply().verbatim("txt", ClusterViews.nodes(call, self));
  }

  /** CLUSTER SLOTS: ranges of slots, each with its master and replicas. O(slots). */
  public static void clusterSlots(Call call) {
    ClusterNode self = self(call);
    if (self != null) ClusterViews.slots(call, self);
  }

  /** CLUSTER SHARDS: the masters with their slots and replicas. O(nodes * slots). */
  public static void clusterShards(Call call) {
    ClusterNode self = self(call);
    if (self != null) ClusterViews.shards(call, self);
  }

  /** CLUSTER REPLICAS id: the lines of NODES for the replicas of a master. O(nodes). */
  public static void clusterReplicas(Call call) {
    ClusterNode self = self(call);
    ClusterNode master = self == null ? null : node(call, self, "ERR Unknown node ");
    if (self == null || master == null) return;
    if (master.isReplica()) {
      call.error("ERR The specified node is not a master");
      return;
    }
    List<ClusterNode> replicas = self.topology().replicasOf(master);
    call.reply().array(replicas.size());
    for (ClusterNode each : replicas) call.reply().bulk(ClusterViews.line(call, self, each));
  }

  /** CLUSTER SLAVES id: CLUSTER REPLICAS by its former name. */
  public static void clusterSlaves(Call call) {
    clusterReplicas(call);
  }

  /** CLUSTER LINKS: no links, since the nodes need no bus. O(1). */
  public static void clusterLinks(Call call) {
    if (self(call) != null) call.reply().array(0);
  }

  /** CLUSTER MYID: the id of this node. O(1). */
  public static void clusterMyid(Call call) {
    ClusterNode self = self(call);
    if (self != null) call.reply().bulk(self.id());
  }

  /** CLUSTER MYSHARDID: the id that this node shares with its master or replicas. O(1). */
  public static void clusterMyshardid(Call call) {
    ClusterNode self = self(call);
    if (self != null) call.reply().bulk(self.shardId());
  }

  /** CLUSTER COUNT-FAILURE-REPORTS id: 0, since nodes do not have to agree on a failure. O(1). */
  public static void clusterCountFailureReports(Call call) {
    ClusterNode self = self(call);
    boolean isKnown = self != null && node(call, self, "ERR Unknown node ") != null;
    if (isKnown) call.reply().integer(0);
  }

  /** CLUSTER HELP: the subcommands. */
  public static void clusterHelp(Call call) {
    if (self(call) != null) Help.reply(call);
  }

  // Keys

  /** CLUSTER KEYSLOT key: the slot of a key. O(N), N: bytes of the key. */
  public static void clusterKeyslot(Call call) {
    if (self(call) != null) call.reply().integer(HashSlots.of(call.arg(2)));
  }

  /** CLUSTER COUNTKEYSINSLOT slot: the number of keys here. O(keys of this node). */
  public static void clusterCountkeysinslot(Call call) {
    if (self(call) == null) return;
    BitSet slots = slot(call, "ERR Invalid slot");
    if (call.failed()) return;
    call.reply().integer(KeysInSlots.of(call.engine(), slots, Long.MAX_VALUE).size());
  }

  /** CLUSTER GETKEYSINSLOT slot count: some keys of a slot. O(keys of this node). */
  public static void clusterGetkeysinslot(Call call) {
    if (self(call) == null) return;
    String mistake = "ERR Invalid slot or number of keys";
    BitSet slots = slot(call, mistake);
    long max = call.failed() ? 0 : call.integerInRange(3, 0, Long.MAX_VALUE, mistake);
    if (call.failed()) return;
    List<byte[]> keys = KeysInSlots.of(call.engine(), slots, max);
    call.reply().array(keys.size());
    for (byte[] key : keys) call.reply().bulk(key);
  }

  /**
   * CLUSTER SLOT-STATS SLOTSRANGE start end | ORDERBY metric [LIMIT n] [ASC | DESC]: keys of the
   * slots of this node and what commands have cost them. O(keys of this node).
   */
  public static void clusterSlotStats(Call call) {
    ClusterNode self = self(call);
    if (self != null) new SlotStats(call, self).execute();
  }

  private static BitSet slot(Call call, String mistake) {
    BitSet slots = new BitSet();
    long slot = call.integerInRange(2, 0, HashSlots.COUNT - 1, mistake);
    if (!call.failed()) slots.set((int) slot);
    return slots;
  }

  // Slots

  /** CLUSTER ADDSLOTS slot [slot ...]: gives free slots to this node. O(slots). */
  public static void clusterAddslots(Call call) {
    ClusterNode self = self(call);
    if (self != null) SlotChanges.add(call, self, SlotChanges.listed(call));
  }

  /** CLUSTER ADDSLOTSRANGE start end [start end ...]: the same for ranges. O(slots). */
  public static void clusterAddslotsrange(Call call) {
    ClusterNode self = self(call);
    if (self != null) SlotChanges.add(call, self, SlotChanges.ranges(call, 2));
  }

  /** CLUSTER DELSLOTS slot [slot ...]: leaves slots without a master. O(slots). */
  public static void clusterDelslots(Call call) {
    ClusterNode self = self(call);
    if (self != null) SlotChanges.remove(call, self, SlotChanges.listed(call));
  }

  /** CLUSTER DELSLOTSRANGE start end [start end ...]: the same for ranges. O(slots). */
  public static void clusterDelslotsrange(Call call) {
    ClusterNode self = self(call);
    if (self != null) SlotChanges.remove(call, self, SlotChanges.ranges(call, 2));
  }

  /** CLUSTER FLUSHSLOTS: takes all slots from this node, which must be empty. O(slots). */
  public static void clusterFlushslots(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    if (hasKeys(call.engine())) {
      call.error("ERR DB must be empty to perform CLUSTER FLUSHSLOTS.");
      return;
    }
    self.topology().remove(self.topology().slotsOf(self));
    call.reply().ok();
  }

  /** CLUSTER SETSLOT slot IMPORTING id | MIGRATING id | NODE id | STABLE: moves a slot. */
  public static void clusterSetslot(Call call) {
    ClusterNode self = self(call);
    if (self != null) SlotChanges.set(call, self);
  }

  /**
   * CLUSTER MIGRATESLOTS SLOTSRANGE start end [start end ...] NODE id [SLOTSRANGE ...]: begins to
   * move slots with their keys from this node. Replies OK before. O(keys of this node).
   */
  public static void clusterMigrateslots(Call call) {
    ClusterNode self = self(call);
    if (self != null) new SlotMigrations(call, self).start();
  }

  /** CLUSTER CANCELSLOTMIGRATIONS: gives up the moves from this node that are under way. O(N). */
  public static void clusterCancelslotmigrations(Call call) {
    ClusterNode self = self(call);
    if (self != null) new SlotMigrations(call, self).cancel();
  }

  /** CLUSTER GETSLOTMIGRATIONS: describes the moves from and to this node. O(N), N: moves. */
  public static void clusterGetslotmigrations(Call call) {
    ClusterNode self = self(call);
    if (self != null) new SlotMigrations(call, self).list();
  }

  /**
   * CLUSTER MIGRATION IMPORT start end [start end ...] | CANCEL ID id | CANCEL ALL | STATUS ID id |
   * STATUS ALL: moves slots with their keys to this node; replies the id of the move. O(keys).
   */
  public static void clusterMigration(Call call) {
    ClusterNode self = self(call);
    if (self != null) new SlotImports(call, self).execute();
  }

  private static boolean hasKeys(Engine engine) {
    return engine.keyspace().database(0).size() > 0;
  }

  // Nodes

  /** The node that argument 2 names; null after replying an error that begins with a text. */
  private static @Nullable ClusterNode node(Call call, ClusterNode self, String error) {
    ClusterNode node = self.topology().find(self, call.text(2));
    if (node == null) call.error(error + call.shown(2));
    return node;
  }

  /** CLUSTER MEET host port [bus-port]: takes a node that has been reset into the cluster. */
  public static void clusterMeet(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    long port = call.integer(3, "ERR Invalid base port specified: " + call.shown(3));
    if (call.failed()) return;
    for (ClusterNode each : self.topology().nodes()) {
      if (each.port() != port && each.clientPort() != port) continue;
      self.topology().join(each);
      self.topology().join(self);
      call.reply().ok();
      return;
    }
    call.error("ERR Invalid node address specified: " + call.shown(2) + ":" + call.shown(3));
  }

  /** CLUSTER FORGET id: takes a node out of the cluster, for all nodes at once. O(slots). */
  public static void clusterForget(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    ClusterNode node = null;
    for (ClusterNode each : self.topology().nodes())
      if (each.id().equals(call.text(2))) node = each;
    if (node == null) {
      call.error("ERR Unknown node " + call.shown(2));
    } else if (node == self) {
      call.error("ERR I tried hard but I can't forget myself...");
    } else if (node == self.master()) {
      call.error("ERR Can't forget my master!");
    } else {
      if (node.isMember()) self.topology().leave(node);
      call.reply().ok();
    }
  }

  /** CLUSTER REPLICATE id: makes this node, which must be empty, the replica of a master. */
  public static void clusterReplicate(Call call) {
    ClusterNode self = self(call);
    ClusterNode master = self == null ? null : node(call, self, "ERR Unknown node ");
    if (self == null || master == null) return;
    boolean isUsed = hasKeys(call.engine()) || !self.topology().slotsOf(self).isEmpty();
    if (master == self) {
      call.error("ERR Can't replicate myself");
    } else if (master.isReplica()) {
      call.error("ERR I can only replicate a master, not a replica.");
    } else if (!self.isReplica() && isUsed) {
      call.error("ERR To set a master the node must be empty and without assigned slots.");
    } else {
      self.topology().replicate(self, master);
      call.reply().ok();
    }
  }

  /**
   * CLUSTER FAILOVER [FORCE | TAKEOVER]: makes this replica the master: once it has all writes, or
   * at once. Replies OK before.
   */
  public static void clusterFailover(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    boolean isForced = call.argc() == 3 && (call.is(2, "FORCE") || call.is(2, "TAKEOVER"));
    if (call.argc() > 2 && !isForced) {
      call.syntaxError();
      return;
    }
    ClusterNode master = self.master();
    NodeServer server = master == null || master.isFailed() ? null : master.server();
    if (master == null) {
      call.error("ERR You should send CLUSTER FAILOVER to a replica");
    } else if (isForced) {
      self.topology().promote(self);
      call.engine().replication().promote();
      call.reply().ok();
    } else if (server == null || !call.engine().replication().masterStream().isConnected()) {
      call.error("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
    } else {
      server.handOver(self);
      call.reply().ok();
    }
  }

  /**
   * CLUSTER RESET [HARD | SOFT]: takes this node out of the cluster, without data. Refused for a
   * master with keys, unless the others have forgotten it. O(keys).
   */
  public static void clusterReset(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    boolean isHard = call.argc() == 3 && call.is(2, "HARD");
    if (call.argc() > 3 || call.argc() == 3 && !isHard && !call.is(2, "SOFT")) {
      call.syntaxError();
    } else if (self.isMember() && !self.isReplica() && hasKeys(call.engine())) {
      call.error("ERR CLUSTER RESET can't be called with master nodes containing keys");
    } else {
      reset(call.engine(), self, isHard);
      call.reply().ok();
    }
  }

  private static void reset(Engine engine, ClusterNode self, boolean isHard) {
    Topology topology = self.topology();
    topology.leave(self);
    if (isHard) topology.renew(self);
    engine.replication().promote();
    engine.keyspace().clear();
  }

  // Epochs and files

  /** CLUSTER BUMPEPOCH: gives this node the highest epoch. O(1). */
  public static void clusterBumpepoch(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    boolean isBumped = self.topology().bumpEpoch(self);
    call.reply().simple((isBumped ? "BUMPED " : "STILL ") + self.epoch());
  }

  /** CLUSTER SET-CONFIG-EPOCH epoch: of a node that has been reset and is alone. O(1). */
  public static void clusterSetConfigEpoch(Call call) {
    ClusterNode self = self(call);
    if (self == null) return;
    long epoch = call.integer(2);
    if (call.failed()) return;
    if (epoch < 0) {
      call.error("ERR Invalid config epoch specified: " + epoch);
    } else if (self.topology().knownTo(self).size() > 1) {
      call.error(
          "ERR The user can assign a config epoch only when the node does not know any other node.");
    } else if (self.topology().setEpoch(self, epoch)) {
      call.reply().ok();
    } else {
      call.error("ERR Node config epoch is already non-zero");
    }
  }

  /** CLUSTER SAVECONFIG: does nothing, since the topology ends with the JVM. O(1). */
  public static void clusterSaveconfig(Call call) {
    if (self(call) != null) call.reply().ok();
  }
}
