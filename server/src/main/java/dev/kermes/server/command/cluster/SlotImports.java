package dev.kermes.server.command.cluster;

import static dev.kermes.server.command.MapEntries.number;
import static dev.kermes.server.command.MapEntries.text;

import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.SlotMigration;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.command.Call;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CLUSTER MIGRATION of Redis 8.4, which the node that gets the slots executes. */
final class SlotImports {

  private static final long MILLIS_PER_SECOND = 1000;

  private final Call call;
  private final ClusterNode self;
  private final Topology topology;

  SlotImports(Call call, ClusterNode self) {
    this.call = call;
    this.self = self;
    topology = self.topology();
  }

  void execute() {
    boolean isAll = call.is(3, "ALL");
    boolean isOne = call.is(3, "ID");
    if (call.is(2, "IMPORT")) {
      begin();
    } else if (!call.is(2, "CANCEL") && !call.is(2, "STATUS") || !isAll && !isOne) {
      call.error("ERR unknown argument");
    } else if (call.argc() != (isAll ? 4 : 5)) {
      call.error("ERR wrong number of arguments for 'cluster|migration' command");
    } else {
      List<SlotMigration> chosen = topology.migrations(self);
      if (isOne) chosen = chosen.stream().filter(each -> each.name().equals(call.text(4))).toList();
      if (call.is(2, "CANCEL")) cancel(chosen);
      else list(chosen);
    }
  }

  private void begin() {
    BitSet slots = SlotChanges.ranges(call, 3);
    if (call.failed()) return;
    ClusterNode source = source(slots);
    if (source == null) return;
    call.reply().bulk(topology.migrate(slots, source, self, call.engine().keyspace().clock()));
  }

  /** The master of slots; null after replying an error. */
  private @Nullable ClusterNode source(BitSet slots) {
    ClusterNode source = self.ownerOf(slots.nextSetBit(0));
    String mistake = null;
    if (self.isReplica()) {
      mistake = "ERR slot migration not allowed on replica.";
    } else if (!self.migrating().isEmpty() || !self.importing().isEmpty()) {
      mistake = "ERR all slot states must be STABLE to start a slot migration task.";
    } else {
      mistake = mistake(slots, source);
    }
    if (mistake != null) call.error(mistake);
    return mistake == null ? source : null;
  }

  private @Nullable String mistake(BitSet slots, @Nullable ClusterNode source) {
    for (SlotMigration each : topology.migrations(self)) {
      if (each.target() == self && !each.hasEnded() && each.slots().intersects(slots)) {
        return "ERR overlapping import exists for slot range: "
            + ClusterViews.rangesText(each.slots());
      }
    }
    for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
      ClusterNode owner = self.ownerOf(slot);
      if (owner == null) return "ERR slot has no owner: " + slot;
      if (owner != source) return "ERR slots belong to different source nodes";
    }
    return source == self ? "ERR this node is already the owner of the slot range" : null;
  }

  private void cancel(List<SlotMigration> chosen) {
    call.reply().integer(chosen.stream().filter(SlotMigration::cancel).count());
  }

  private void list(List<SlotMigration> chosen) {
    call.reply().array(chosen.size());
    for (SlotMigration each : chosen) describe(each);
  }

  private void describe(SlotMigration migration) {
    call.reply().map(12);
    text(call.reply(), "id", migration.name());
    text(call.reply(), "slots", ClusterViews.rangesText(migration.slots()));
    text(call.reply(), "source", migration.source().id());
    text(call.reply(), "dest", migration.target().id());
    text(call.reply(), "operation", migration.target() == self ? "import" : "migrate");
    text(call.reply(), "state", state(migration.state()));
    text(call.reply(), "last_error", migration.message());
    number(call.reply(), "retries", 0);
    number(call.reply(), "create_time", migration.createdSeconds() * MILLIS_PER_SECOND);
    number(call.reply(), "start_time", migration.createdSeconds() * MILLIS_PER_SECOND);
    number(
        call.reply(),
        "end_time",
        migration.hasEnded() ? migration.changedSeconds() * MILLIS_PER_SECOND : 0);
    number(call.reply(), "write_pause_ms", 0);
  }

  private static String state(SlotMigration.State state) {
    return switch (state) {
      case SNAPSHOTTING -> "send-bulk-and-stream";
      case SUCCESS -> "completed";
      case FAILED -> "failed";
      case CANCELLED -> "canceled";
    };
  }
}
