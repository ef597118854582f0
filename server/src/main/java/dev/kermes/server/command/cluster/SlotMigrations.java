package dev.kermes.server.command.cluster;

import static dev.kermes.server.command.MapEntries.number;
import static dev.kermes.server.command.MapEntries.text;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.SlotMigration;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.command.Call;
import dev.kermes.server.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** CLUSTER MIGRATESLOTS, GETSLOTMIGRATIONS and CANCELSLOTMIGRATIONS of Valkey 9. */
final class SlotMigrations {

  private static final int ID_LENGTH = 40;

  /** Slots that shall move to a node. */
  private record Request(BitSet slots, ClusterNode target) {}

  private final Call call;
  private final ClusterNode self;
  private final Topology topology;
  private int at = 2;

  SlotMigrations(Call call, ClusterNode self) {
    this.call = call;
    this.self = self;
    topology = self.topology();
  }

  // MIGRATESLOTS

  /** Starts the moves, once all of them are possible. */
  void start() {
    if (self.isReplica()) {
      call.error("ERR Slot migration can only be used on primary nodes.");
    } else if (!self.migrating().isEmpty()) {
      call.error("ERR Slots are being manually migrated");
    } else if (!self.importing().isEmpty()) {
      call.error("ERR Slots are being manually imported");
    }
    List<Request> requests = new ArrayList<>();
    BitSet all = new BitSet();
    while (!call.failed() && at < call.argc()) {
      Request request = request();
      if (call.failed()) return;
      if (all.intersects(request.slots)) {
        call.error("ERR Slot ranges in migrations overlap");
      }
      all.or(request.slots);
      requests.add(request);
    }
    if (call.failed()) return;
    for (Request each : requests) {
      String unused = topology.migrate(each.slots, self, each.target, clock());
    }
    call.reply().ok();
  }

  private Clock clock() {
    return call.engine().keyspace().clock();
  }

  /** Reads {@code SLOTSRANGE start end [start end ...] NODE id}; an error may have been replied. */
  private Request request() {
    BitSet slots = new BitSet(HashSlots.COUNT);
    ClusterNode target = self;
    if (!call.is(at, "SLOTSRANGE")) {
      call.syntaxError();
    } else {
      at++;
      ranges(slots);
      if (!call.failed()) target = target(slots);
    }
    return new Request(slots, target);
  }

  private void ranges(BitSet slots) {
    List<int[]> ranges = new ArrayList<>();
    while (!call.failed() && at < call.argc() && isNumber(at)) {
      if (at + 1 == call.argc()) {
        call.error("ERR No end slot for final slot range");
        return;
      }
      int start = SlotChanges.slot(call, at);
      int end = call.failed() ? 0 : SlotChanges.slot(call, at + 1);
      if (!call.failed()) range(slots, ranges, start, end);
      at += 2;
    }
    if (!call.failed() && ranges.isEmpty()) call.error("ERR No slot ranges specified");
  }

  private boolean isNumber(int i) {
    return call.text(i).matches("-?\\d+");
  }

  private void range(BitSet slots, List<int[]> ranges, int start, int end) {
    if (start > end) {
      call.error(
          "ERR Start slot number " + start + " is greater than end slot number " + end + ".");
      return;
    }
    for (int slot = start; slot <= end && !call.failed(); slot++) checkOwner(slots, slot);
    for (int[] other : ranges) {
      if (call.failed() || end < other[0] || start > other[1]) continue;
      call.error(
          "ERR Slot range "
              + (start + "-" + end)
              + " overlaps with previous range "
              + (other[0] + "-" + other[1] + "."));
    }
    slots.set(start, end + 1);
    ranges.add(new int[] {start, end});
  }

  private void checkOwner(BitSet slots, int slot) {
    ClusterNode owner = self.ownerOf(slot);
    if (owner == null) {
      call.error("ERR Slot " + slot + " has no node served.");
    } else if (!slots.isEmpty() && self.ownerOf(slots.nextSetBit(0)) != owner) {
      call.error("ERR Requested slots span multiple shards");
    } else if (slots.isEmpty()) {
      slots.set(slot); // the first one, whose owner the others need
    }
  }

  /** Reads the node that gets slots; an error may have been replied. */
  private ClusterNode target(BitSet slots) {
    if (at + 1 >= call.argc() || !call.is(at, "NODE")) {
      call.syntaxError();
      return self;
    }
    String id = call.text(at + 1);
    ClusterNode target = topology.find(self, id);
    if (id.length() != ID_LENGTH) {
      call.error("ERR Invalid node name: " + call.shown(at + 1));
    } else if (target == null) {
      call.error("ERR Unknown node name: " + call.shown(at + 1));
    } else if (self.ownerOf(slots.nextSetBit(0)) != self) {
      call.error("ERR Slots are not served by this node.");
    } else if (target == self) {
      call.error("ERR Target node can not be this node.");
    } else {
      checkNoOther(slots);
    }
    at += 2;
    return target == null ? self : target;
  }

  private void checkNoOther(BitSet slots) {
    for (SlotMigration each : topology.migrations(self)) {
      boolean isOn = each.source() == self && !each.hasEnded();
      if (!isOn || !each.slots().intersects(slots)) continue;
      BitSet both = (BitSet) slots.clone();
      both.and(each.slots());
      call.error("ERR I am already migrating slot " + both.nextSetBit(0) + ".");
      return;
    }
  }

  // The others

  /** Gives up the moves from this node that are under way. */
  void cancel() {
    boolean any = false;
    for (SlotMigration each : topology.migrations(self)) {
      if (each.source() == self) any |= each.cancel();
    }
    if (any) call.reply().ok();
    else call.error("ERR No migrations ongoing");
  }

  /** Lists the moves from and to this node, the newest first. */
  void list() {
    List<SlotMigration> migrations = topology.migrations(self);
    call.reply().array(migrations.size());
    for (SlotMigration each : migrations) describe(each);
  }

  private void describe(SlotMigration migration) {
    call.reply().map(12);
    text(call.reply(), "name", migration.name());
    text(call.reply(), "operation", migration.source() == self ? "EXPORT" : "IMPORT");
    text(call.reply(), "slot_ranges", ClusterViews.rangesText(migration.slots()));
    text(call.reply(), "target_node", migration.target().id());
    text(call.reply(), "source_node", migration.source().id());
    number(call.reply(), "create_time", migration.createdSeconds());
    number(call.reply(), "last_update_time", migration.changedSeconds());
    number(call.reply(), "last_ack_time", migration.changedSeconds());
    text(call.reply(), "state", migration.state().text());
    text(call.reply(), "message", migration.message());
    number(call.reply(), "cow_size", 0);
    number(call.reply(), "remaining_repl_size", 0);
  }
}
