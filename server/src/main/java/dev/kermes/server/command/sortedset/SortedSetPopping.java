package dev.kermes.server.command.sortedset;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.MultiPop;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RedisSortedSet;

/** ZPOPMIN, ZPOPMAX and the commands that pop from the first of several sorted sets. */
final class SortedSetPopping {

  private SortedSetPopping() {}

  /** Pops from one key, without waiting: {@code key [count]}. */
  static void pop(Call call, boolean min) {
    boolean counted = call.argc() > 2;
    long count = Arguments.optionalCount(call, 2);
    if (call.failed()) return;
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    long popped = set == null ? 0 : Math.min(count, set.size());
    boolean nested = counted && call.reply().protocol() == 3;
    call.reply().array((int) (nested ? popped : popped * 2));
    if (set != null) popMany(call, 1, set, min, popped, nested);
  }

  /** Pops members after the header of their array has been written. */
  private static void popMany(
      Call call, int keyArg, RedisSortedSet set, boolean min, long count, boolean nested) {
    if (count == 0) return;
    RedisSortedSet.MemberVisitor writer = SortedSetRange.pairWriter(call.reply(), nested);
    long size = set.size();
    if (min) set.forEach(0, count, writer);
    else set.forEachDown(size - 1, count, writer);
    set.removeRange(min ? 0 : size - count, count);
    call.changed(keyArg, KeyspaceEvent.SORTED_SET, min ? "zpopmin" : "zpopmax", count);
    call.removeIfEmpty(keyArg, set);
  }

  /** Pops from one of several keys; false if it has no sorted set. */
  static boolean popFrom(Call call, int keyArg, MultiPop pop) {
    RedisSortedSet set = call.write(keyArg, RedisSortedSet.class);
    if (set == null) return call.failed();
    long count = Math.min(pop.count(), set.size());
    MultiPop.replyKey(call, keyArg);
    call.reply().array((int) count);
    popMany(call, keyArg, set, pop.first(), count, true);
    PropagatedCommands.popped(call, pop.first() ? "ZPOPMIN" : "ZPOPMAX", keyArg, count);
    return true;
  }

  /** Pops from the first sorted set that exists, or waits for one: {@code key... timeout}. */
  static void blockingPop(Call call, boolean min) {
    int last = call.argc() - 2;
    double timeout = Arguments.timeoutSeconds(call, last + 1);
    if (call.failed()) return;
    for (int i = 1; i <= last; i++) {
      RedisSortedSet set = call.write(i, RedisSortedSet.class);
      if (call.failed()) return;
      if (set == null) continue;
      call.reply().array(3);
      call.slice(i).write(call.reply());
      popMany(call, i, set, min, 1, false);
      PropagatedCommands.popped(call, min ? "ZPOPMIN" : "ZPOPMAX", i);
      return;
    }
    call.waiting().forKeys(1, last, timeout, true);
  }
}
