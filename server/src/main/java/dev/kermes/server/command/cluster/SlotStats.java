package dev.kermes.server.command.cluster;

import static dev.kermes.server.command.MapEntries.number;

import dev.kermes.commands.HashSlots;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.SlotUsage;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.config.FlagOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * CLUSTER SLOT-STATS: the keys of the slots of this node and, with {@code
 * cluster-slot-stats-enabled}, the time and the bytes of commands about them.
 */
final class SlotStats {

  private static final String REPEATED = "ERR Multiple filters of the same type are disallowed.";

  /** The statistics of one slot. */
  private record Entry(int slot, long keys, SlotUsage.Costs costs) {}

  private final Call call;
  private final ClusterNode self;
  private final FlagOption hasCosts;

  SlotStats(Call call, ClusterNode self) {
    this.call = call;
    this.self = self;
    hasCosts = call.engine().settings().clusterOptions().countsSlotUsage;
  }

  void execute() {
    if (call.is(2, "SLOTSRANGE") && call.argc() == 5) {
      range();
    } else if (call.is(2, "ORDERBY")) {
      ordered();
    } else {
      call.error(
          "ERR unknown subcommand or wrong number of arguments for '"
              + call.shown(1)
              + "'. Try CLUSTER HELP.");
    }
  }

  private void range() {
    int first = SlotChanges.slot(call, 3);
    int last = call.failed() ? 0 : SlotChanges.slot(call, 4);
    if (call.failed()) return;
    if (first > last) {
      call.error("ERR Start slot number " + first + " is greater than end slot number " + last);
      return;
    }
    reply(entries(first, last));
  }

  private void ordered() {
    ToLongFunction<Entry> metric = metric(call.text(3));
    if (metric == null) {
      call.error("ERR Unrecognized sort metric for ORDERBY.");
      return;
    }
    long limit = 0;
    Comparator<Entry> order = null;
    for (int i = 4; i < call.argc() && !call.failed(); i++) {
      boolean isLimit = call.is(i, "LIMIT") && i + 1 < call.argc();
      boolean isAscending = call.is(i, "ASC");
      if (isLimit && limit > 0 || (isAscending || call.is(i, "DESC")) && order != null) {
        call.error(REPEATED);
      } else if (isLimit) {
        limit = limit(++i);
      } else if (isAscending || call.is(i, "DESC")) {
        order = by(metric, isAscending);
      } else {
        call.syntaxError();
      }
    }
    if (call.failed()) return;
    List<Entry> entries = entries(0, HashSlots.COUNT - 1);
    entries.sort(order == null ? by(metric, false) : order); // stable: then by slot
    boolean isCut = limit > 0 && limit < entries.size();
    reply(isCut ? entries.subList(0, (int) limit) : entries);
  }

  private static Comparator<Entry> by(ToLongFunction<Entry> metric, boolean isAscending) {
    Comparator<Entry> ascending = Comparator.comparingLong(metric);
    return isAscending ? ascending : ascending.reversed();
  }

  private long limit(int i) {
    return Arguments.integerOrError(
        call,
        i,
        1,
        HashSlots.COUNT,
        "ERR Limit has to lie in between 1 and 16384 (maximum number of slots).");
  }

  /** Reads a statistic; null if it does not exist, or is not counted. */
  private @Nullable ToLongFunction<Entry> metric(String name) {
    String metric = name.toUpperCase(Locale.ROOT);
    if (metric.equals("KEY-COUNT")) return Entry::keys;
    if (!hasCosts.isOn()) return null;
    return switch (metric) {
      case "CPU-USEC" -> each -> each.costs().micros();
      case "NETWORK-BYTES-IN" -> each -> each.costs().bytesIn();
      case "NETWORK-BYTES-OUT" -> each -> each.costs().bytesOut();
      default -> null;
    };
  }

  /** The statistics of the slots of this shard in a range, by slot. */
  private List<Entry> entries(int first, int last) {
    int[] keys = KeysInSlots.counts(call.engine());
    List<Entry> entries = new ArrayList<>();
    for (int slot = first; slot <= last; slot++) {
      ClusterNode owner = self.ownerOf(slot);
      boolean isOurs = owner != null && (owner == self || owner == self.master());
      if (isOurs) entries.add(new Entry(slot, keys[slot], self.usage().of(slot)));
    }
    return entries;
  }

  private void reply(List<Entry> entries) {
    RespWriter reply = call.reply();
    reply.array(entries.size());
    for (Entry each : entries) {
      reply.array(2);
      reply.integer(each.slot());
      reply.map(hasCosts.isOn() ? 4 : 1);
      number(reply, "key-count", each.keys());
      if (!hasCosts.isOn()) continue;
      number(reply, "cpu-usec", each.costs().micros());
      number(reply, "network-bytes-in", each.costs().bytesIn());
      number(reply, "network-bytes-out", each.costs().bytesOut());
    }
  }
}
