package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.HashSlots;
import dev.kermes.commands.KeyFinder;
import dev.kermes.commands.KeyFlag;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.client.Transaction;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallArguments;
import dev.kermes.server.command.cluster.Endpoints;
import dev.kermes.server.command.scripting.ScriptingCommands;
import dev.kermes.server.config.ClusterOptions;
import dev.kermes.server.engine.Engine;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node of a cluster serves the keys of a command, as Redis decides it: all keys
 * must have the same slot, and then
 *
 * <pre>
 *   slot                    keys                   reply
 *   without a master                               CLUSTERDOWN
 *   another node's                                 MOVED, unless this replica may serve the read
 *   this node's                                    serves it
 *   leaving this node       all here               serves it
 *                           some here              TRYAGAIN
 *                           none here              ASK
 *   coming to this node     after ASKING           serves it, or TRYAGAIN if several are not all here
 *                           otherwise              MOVED
 * </pre>
 *
 * <p>Guarded by the keyspace lock.
 */
final class SlotCheck {

  private static final String CROSS_SLOT = "CROSSSLOT Keys in request don't hash to the same slot";
  private static final String DOWN = "CLUSTERDOWN The cluster is down";
  private static final String DOWN_FOR_WRITES =
      "CLUSTERDOWN The cluster is down and only accepts read commands";
  private static final String NOT_SERVED = "CLUSTERDOWN Hash slot not served";
  private static final String TRY_AGAIN = "TRYAGAIN Multiple keys request during rehashing of slot";

  private final Engine engine;
  private final ClusterOptions options;

  /** Shows one queued command at a time. */
  private final Call queued;

  // The command that is being checked

  private int slot;
  private boolean crosses;
  private boolean hasShardChannels;
  private boolean hasWritingScript;
  private @Nullable ClusterNode owner;
  private @Nullable ClusterNode target;
  private boolean isComing;
  private byte[] firstKey = {};
  private boolean hasOtherKeys;
  private int present;
  private int missing;

  SlotCheck(Engine engine, Call scratch) {
    this.engine = engine;
    options = engine.settings().clusterOptions();
    queued = scratch;
  }

  /** Whether an error is one of these. */
  static boolean isRedirection(String error) {
    return isOfOtherNodes(error)
        || error.startsWith("ASK ")
        || error.startsWith("TRYAGAIN ")
        || error.startsWith("CROSSSLOT ");
  }

  /** Whether an error comes from what other nodes do, which changes at any time. */
  static boolean isOfOtherNodes(String error) {
    return error.startsWith("MOVED ") || error.startsWith("CLUSTERDOWN ");
  }

  /** The error of a command in a script, instead of the one that a client would get. */
  static String errorInScript(CommandSpec spec, String error) {
    return switch (error) {
      case CROSS_SLOT ->
          "ERR Command '"
              + spec.fullName()
              + "' in script attempted to access keys that don't hash to the same slot";
      case TRY_AGAIN ->
          "ERR Unable to execute command '"
              + spec.fullName()
              + "' in script because undeclared keys were accessed during rehashing of the slot";
      case DOWN -> "ERR Script attempted to execute a command while the cluster is down";
      case DOWN_FOR_WRITES ->
          "ERR Script attempted to execute a write command while the cluster is down and readonly";
      case NOT_SERVED -> "ERR Script attempted to access a slot not served";
      default -> "ERR Script attempted to access a non local key in a cluster node";
    };
  }

  /** The slot of the keys of the last command; -1 if it had none. */
  int slot() {
    return slot;
  }

  /** The slot of the first key of a command; -1 if it has none. */
  int slotOf(Call call) {
    ClusterNode self = engine.cluster();
    slot = -1;
    if (self != null) read(self, call);
    return slot;
  }

  /** The error of a command whose keys this node does not serve; null if it runs here. */
  @Nullable String error(Call call) {
    ClusterNode self = engine.cluster();
    if (self == null) return null;
    read(self, call);
    if (slot < 0) return null;
    ClusterNode master = owner;
    if (master == null) return NOT_SERVED;
    if (crosses) return CROSS_SLOT;
    CommandSpec spec = call.spec();
    String down = whyDown(self, call.client(), spec);
    if (down != null) return down;
    boolean isOpen = target != null || isComing;
    if (isOpen && spec.name().equals("MIGRATE")) return null; // it moves the keys that are here
    if (target != null && missing > 0) {
      return present > 0 ? TRY_AGAIN : "ASK " + place(self, target);
    }
    if (isComing && isAsking(call.client(), spec)) {
      return hasOtherKeys && missing > 0 ? TRY_AGAIN : null;
    }
    boolean isServed = master == self || readsHere(self, master, call.client(), spec);
    return isServed ? null : "MOVED " + place(self, master);
  }

  private String place(ClusterNode self, ClusterNode node) {
    return slot + " " + Endpoints.of(self, node, options);
  }

  private static boolean isAsking(Session session, CommandSpec spec) {
    return session.is(ClientMode.ASKS) || spec.has(CommandFlag.ASKING);
  }

  /** Whether this node is a replica that may serve the reads of that client. */
  private boolean readsHere(
      ClusterNode self, ClusterNode master, Session session, CommandSpec spec) {
    boolean isAllowed = session.is(ClientMode.READS_REPLICAS) || hasShardChannels;
    boolean writes = hasWritingScript || CommandGuard.changesData(session, spec);
    return isAllowed && !writes && self.master() == master;
  }

  private @Nullable String whyDown(ClusterNode self, Session session, CommandSpec spec) {
    if (self.topology().isUp(self, options.needsAllSlots.isOn())) return null;
    if (hasShardChannels) return options.messagesWhenDown.isOn() ? null : DOWN;
    if (!options.readsWhenDown.isOn()) return DOWN;
    return CommandGuard.changesData(session, spec) ? DOWN_FOR_WRITES : null;
  }

  /** Whether a command is about shard channels. */
  private static boolean isSharded(CommandSpec spec) {
    return !spec.keySpecs().isEmpty() && !spec.keySpecs().getFirst().isKey();
  }

  // Reading the keys

  private void read(ClusterNode self, Call call) {
    slot = -1;
    crosses = false;
    hasShardChannels = false;
    hasWritingScript = false;
    owner = null;
    target = null;
    isComing = false;
    hasOtherKeys = false;
    present = 0;
    missing = 0;
    Session session = call.client();
    Transaction transaction = session.transaction();
    if (!CommandGuard.isExec(call.spec())) {
      readKeys(self, call);
    } else if (transaction != null) {
      queued.session(session);
      for (StoredCommand each : transaction.commands()) {
        queued.load(each);
        readKeys(self, queued);
      }
    }
  }

  private void readKeys(ClusterNode self, Call call) {
    if (call.spec().keySpecs().isEmpty()) return;
    CallArguments arguments = new CallArguments(call, 0);
    boolean isSharded = isSharded(call.spec());
    hasShardChannels |= isSharded;
    if (self.isReplica()) hasWritingScript |= ScriptingCommands.mayWrite(call);
    KeyFinder.KeyVisitor visitor =
        (int index, Set<KeyFlag> flags) -> readKey(self, call.arg(index), isSharded);
    int unused = KeyFinder.findRouted(call.spec(), arguments, visitor);
  }

  private void readKey(ClusterNode self, byte[] key, boolean isChannel) {
    int keySlot = HashSlots.of(key);
    if (slot < 0) {
      slot = keySlot;
      firstKey = key;
      owner = self.ownerOf(slot);
      if (owner == self) target = self.migratingTo(slot);
      isComing = target == null && self.importingFrom(slot) != null;
    } else if (slot != keySlot) {
      crosses = true;
    } else if (!Arrays.equals(key, firstKey)) {
      hasOtherKeys = true;
    }
    if (isChannel || crosses || target == null && !isComing) return;
    if (engine.keyspace().database(0).lookup(key) == null) missing++;
    else present++;
  }

  // Blocked clients

  /** The error that ends a client's wait for a key that moved away; null if it still waits. */
  @Nullable String errorOf(BlockedClient blocked) {
    ClusterNode self = engine.cluster();
    if (self == null || blocked.keys().isEmpty()) return null;
    if (!self.topology().isUp(self, options.needsAllSlots.isOn())) return DOWN;
    hasShardChannels = false;
    hasWritingScript = false;
    slot = HashSlots.of(blocked.keys().getFirst().bytes());
    ClusterNode master = self.ownerOf(slot);
    if (master == self || self.importingFrom(slot) != null) return null;
    if (master == null) return NOT_SERVED;
    CommandSpec spec = blocked.command().spec();
    boolean isServed = readsHere(self, master, blocked.session(), spec);
    return isServed ? null : "MOVED " + place(self, master);
  }
}
