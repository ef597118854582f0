package dev.kermes.server.command.cluster;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.command.Call;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Changes of the owners of slots: CLUSTER ADDSLOTS, DELSLOTS, SETSLOT. */
final class SlotChanges {

  private static final String INVALID = "ERR Invalid or out of range slot";

  private SlotChanges() {}

  // Several slots

  /** The slots that the arguments list; an error may have been replied. */
  static BitSet listed(Call call) {
    BitSet slots = new BitSet(HashSlots.COUNT);
    for (int i = 2; i < call.argc() && !call.failed(); i++) {
      int slot = slot(call, i);
      if (!call.failed()) addOnce(call, slots, slot);
    }
    return slots;
  }

  /** The slots in the ranges from an argument on; an error may have been replied. */
  static BitSet ranges(Call call, int from) {
    BitSet slots = new BitSet(HashSlots.COUNT);
    if (call.argc() % 2 != from % 2 || call.argc() == from) {
      call.error("ERR wrong number of arguments for '" + call.spec().fullName() + "' command");
    }
    for (int i = from; i < call.argc() && !call.failed(); i += 2) {
      int start = slot(call, i);
      int end = call.failed() ? 0 : slot(call, i + 1);
      if (call.failed()) return slots;
      if (start > end) {
        call.error("ERR start slot number " + start + " is greater than end slot number " + end);
      }
      for (int slot = start; slot <= end && !call.failed(); slot++) addOnce(call, slots, slot);
    }
    return slots;
  }

  /** The slot that an argument names; an error may have been replied. */
  static int slot(Call call, int i) {
    long slot = call.integer(i, INVALID);
    if (!call.failed() && (slot < 0 || slot >= HashSlots.COUNT)) call.error(INVALID);
    return (int) slot;
  }

  private static void addOnce(Call call, BitSet slots, int slot) {
    if (slots.get(slot)) call.error("ERR Slot " + slot + " specified multiple times");
    slots.set(slot);
  }

  /** Gives free slots to this node, unless an error was replied. */
  static void add(Call call, ClusterNode self, BitSet slots) {
    for (int slot = next(call, slots, 0); slot >= 0; slot = next(call, slots, slot + 1)) {
      if (self.topology().owner(slot) != null) {
        call.error("ERR Slot " + slot + " is already busy");
      }
    }
    if (call.failed()) return;
    self.topology().assign(slots, self);
    call.reply().ok();
  }

  /** Takes slots from their masters, unless an error was replied. */
  static void remove(Call call, ClusterNode self, BitSet slots) {
    for (int slot = next(call, slots, 0); slot >= 0; slot = next(call, slots, slot + 1)) {
      if (self.topology().owner(slot) == null) {
        call.error("ERR Slot " + slot + " is already unassigned");
      }
    }
    if (call.failed()) return;
    self.topology().remove(slots);
    call.reply().ok();
  }

  private static int next(Call call, BitSet slots, int from) {
    return call.failed() ? -1 : slots.nextSetBit(from);
  }

  // One slot that moves

  static void set(Call call, ClusterNode self) {
    if (self.isReplica()) {
      call.error("ERR Please use SETSLOT only with masters.");
      return;
    }
    int slot = slot(call, 2);
    if (call.failed()) return;
    Topology topology = self.topology();
    boolean hasNode = call.argc() == 5;
    if (call.is(3, "MIGRATING") && hasNode) {
      migrating(call, self, slot);
    } else if (call.is(3, "IMPORTING") && hasNode) {
      importing(call, self, slot);
    } else if (call.is(3, "STABLE") && call.argc() == 4) {
      topology.close(slot, self);
    } else if (call.is(3, "NODE") && hasNode) {
      settle(call, self, slot);
    } else {
      call.error("ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP");
    }
    if (!call.failed()) call.reply().ok();
  }

  private static void migrating(Call call, ClusterNode self, int slot) {
    if (self.topology().owner(slot) != self) {
      call.error("ERR I'm not the owner of hash slot " + slot);
      return;
    }
    ClusterNode to = master(call, self, "ERR I don't know about node ");
    if (to != null) self.topology().beginMigrating(slot, self, to);
  }

  private static void importing(Call call, ClusterNode self, int slot) {
    if (self.topology().owner(slot) == self) {
      call.error("ERR I'm already the owner of hash slot " + slot);
      return;
    }
    ClusterNode from = master(call, self, "ERR I don't know about node ");
    if (from != null) self.topology().beginImporting(slot, self, from);
  }

  private static void settle(Call call, ClusterNode self, int slot) {
    ClusterNode node = master(call, self, "ERR Unknown node ");
    if (node == null) return;
    boolean isGivenAway = self.topology().owner(slot) == self && node != self;
    if (isGivenAway && hasKeys(call, slot)) {
      call.error(
          "ERR Can't assign hashslot "
              + slot
              + " to a different node while I still hold keys for this hash slot.");
      return;
    }
    self.topology().settle(slot, node);
  }

  private static boolean hasKeys(Call call, int slot) {
    BitSet slots = new BitSet();
    slots.set(slot);
    return !KeysInSlots.of(call.engine(), slots, 1).isEmpty();
  }

  /** The master that argument 4 names; null after replying an error. */
  private static @Nullable ClusterNode master(Call call, ClusterNode self, String unknown) {
    ClusterNode node = self.topology().find(self, call.text(4));
    if (node == null) {
      call.error(unknown + call.shown(4));
    } else if (node.isReplica()) {
      call.error("ERR Target node is not a master");
      return null;
    }
    return node;
  }
}
