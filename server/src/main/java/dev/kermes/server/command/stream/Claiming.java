package dev.kermes.server.command.stream;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** XCLAIM and XAUTOCLAIM: give pending entries to another consumer. */
final class Claiming {

  /** Pending entries that XAUTOCLAIM checks for each one that it may claim. */
  private static final int ATTEMPTS_PER_CLAIM = 10;

  private Claiming() {}

  /**
   * The options of XCLAIM.
   *
   * @param ids the number of IDs before them
   * @param deliveredAtMillis the delivery time of the entries
   * @param retryCount the new number of deliveries; negative to increment it
   * @param lastId the minimum position of the group afterwards
   */
  private record Options(
      int ids,
      long deliveredAtMillis,
      long retryCount,
      boolean forces,
      boolean justIds,
      StreamId lastId) {

    static @Nullable Options parse(Call call) {
      int first = 5;
      while (first < call.argc() && EntryId.isId(call, first)) first++;
      long deliveredAt = call.nowMillis();
      long retryCount = -1;
      boolean forces = false;
      boolean justIds = false;
      StreamId lastId = StreamId.MIN;
      for (int i = first; i < call.argc(); i++) {
        boolean hasValue = i + 1 < call.argc();
        if (call.is(i, "FORCE")) {
          forces = true;
        } else if (call.is(i, "JUSTID")) {
          justIds = true;
        } else if (call.is(i, "IDLE") && hasValue) {
          deliveredAt = call.nowMillis() - number(call, ++i, "IDLE");
        } else if (call.is(i, "TIME") && hasValue) {
          deliveredAt = number(call, ++i, "TIME");
        } else if (call.is(i, "RETRYCOUNT") && hasValue) {
          retryCount = number(call, ++i, "RETRYCOUNT");
        } else if (call.is(i, "LASTID") && hasValue) {
          EntryId id = EntryId.parse(call, ++i, false);
          if (id != null) lastId = id.id();
        } else {
          call.error("ERR Unrecognized XCLAIM option '" + call.shown(i) + "'");
        }
        if (call.failed()) return null;
      }
      // An impossible time is not an error: clients compute it with their own clocks.
      if (deliveredAt < 0 || deliveredAt > call.nowMillis()) deliveredAt = call.nowMillis();
      return new Options(first - 5, deliveredAt, retryCount, forces, justIds, lastId);
    }

    private static long number(Call call, int i, String option) {
      return call.integer(i, "ERR Invalid " + option + " option argument for XCLAIM");
    }
  }

  static void claim(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    ConsumerGroup group = StreamGroupCommands.group(call, stream);
    if (group == null || stream == null) return;
    long minIdle = call.integer(4, "ERR Invalid min-idle-time argument for XCLAIM");
    if (call.failed()) return;
    Options options = Options.parse(call);
    if (options == null) return;
    StreamId[] ids = EntryId.parseAll(call, 5, options.ids());
    if (ids == null) return;
    if (group.lastId().isBefore(options.lastId())) {
      group.lastId(options.lastId(), group.entriesRead());
      PropagatedStreamCommands.groupRead(call, 1, group);
      call.groupChanged(1);
    }
    Consumer consumer = StreamGroupCommands.consumer(call, 1, group, 3);
    consumer.seenAtMillis(call.nowMillis());
    DeferredArray claimed = new DeferredArray(call.reply());
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    for (StreamId id : ids) {
      call.log().nothing();
      boolean isThere = entries.moveTo(id);
      PendingEntry entry = pending(call, group, id, isThere, options.forces());
      if (entry == null || !isIdle(call, entry, minIdle)) continue;
      group.assign(entry, consumer, options.deliveredAtMillis());
      if (options.retryCount() >= 0) entry.deliveries(options.retryCount());
      else if (!options.justIds()) entry.countDelivery();
      PropagatedStreamCommands.claimed(call, 1, group, consumer, entry);
      claimed(call, consumer, entries, options.justIds(), claimed.next());
    }
    claimed.finishArray();
  }

  /** The pending entry of an ID, created if forced; dropped if its stream entry is deleted. */
  private static @Nullable PendingEntry pending(
      Call call, ConsumerGroup group, StreamId id, boolean isThere, boolean forces) {
    PendingEntry entry = group.pending().find(id);
    if (!isThere) {
      if (entry == null) return null;
      PropagatedStreamCommands.forgotten(call, group, entry);
      group.remove(entry);
      call.groupChanged(1);
      return null;
    }
    if (entry != null || !forces) return entry;
    PendingEntry forced = group.add(id);
    forced.deliveries(1);
    return forced;
  }

  private static boolean isIdle(Call call, PendingEntry entry, long minIdle) {
    boolean isUnowned = entry.consumer() == null;
    return isUnowned || minIdle <= 0 || call.nowMillis() - entry.deliveredAtMillis() >= minIdle;
  }

  private static void claimed(
      Call call, Consumer consumer, RedisStream.Entries entries, boolean justIds, RespWriter out) {
    consumer.activeAtMillis(call.nowMillis());
    call.groupChanged(1);
    if (justIds) out.bulk(entries.id().toString());
    else StreamCommands.writeEntry(entries, out);
  }

  static void claimIdle(Call call, RedisStream stream, ConsumerGroup group, AutoClaim claim) {
    Consumer consumer = StreamGroupCommands.consumer(call, 1, group, 3);
    consumer.seenAtMillis(call.nowMillis());
    call.log().nothing();
    call.reply().array(3);
    RespWriter claimedEntries = new RespWriter(512);
    claimedEntries.protocol(call.reply().protocol());
    DeferredArray claimed = new DeferredArray(claimedEntries);
    List<StreamId> deleted = new ArrayList<>();
    long room = claim.count();
    long attempts = Math.min(room, Long.MAX_VALUE / ATTEMPTS_PER_CLAIM) * ATTEMPTS_PER_CLAIM;
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    PendingEntry entry = group.pending().from(claim.start());
    for (; entry != null && attempts > 0 && room > 0; attempts--) {
      PendingEntry next = group.pending().after(entry);
      StreamId id = entry.id();
      if (!entries.moveTo(id)) {
        PropagatedStreamCommands.forgotten(call, group, entry);
        group.remove(entry);
        call.groupChanged(1);
        deleted.add(id);
        room--;
      } else if (isIdle(call, entry, claim.minIdleMillis())) {
        group.assign(entry, consumer, call.nowMillis());
        if (!claim.justIds()) entry.countDelivery();
        PropagatedStreamCommands.claimed(call, 1, group, consumer, entry);
        claimed(call, consumer, entries, claim.justIds(), claimed.next());
        room--;
      }
      entry = next;
    }
    call.reply().bulk((entry == null ? StreamId.MIN : entry.id()).toString());
    claimed.finishArray();
    call.reply().append(claimedEntries);
    call.reply().array(deleted.size());
    for (StreamId id : deleted) call.reply().bulk(id.toString());
  }
}
