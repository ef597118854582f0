package dev.kermes.server.command.stream;

import static dev.kermes.server.command.MapEntries.number;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntries;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.Producers;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import org.jspecify.annotations.Nullable;

/** The replies of XINFO. */
final class StreamInfo {

  private static final long COUNT_DEFAULT = 10;

  private StreamInfo() {}

  private static @Nullable RedisStream stream(Call call, int keyArg) {
    return StreamCommands.existing(call, call.readSlot(keyArg));
  }

  private static void id(RespWriter out, String name, StreamId value) {
    out.bulk(name);
    out.bulk(value.toString());
  }

  /** A number, or nil if it is unknown. */
  private static void count(RespWriter out, String name, long value) {
    out.bulk(name);
    if (value == ConsumerGroup.UNKNOWN) out.nil();
    else out.integer(value);
  }

  // XINFO STREAM

  static void stream(Call call) {
    RedisStream stream = stream(call, 2);
    if (stream == null) return;
    boolean isFull = call.argc() > 3;
    long count = COUNT_DEFAULT;
    if (isFull) {
      boolean isValid = call.argc() == 4 || call.argc() == 6 && call.is(4, "COUNT");
      if (!isValid || !call.is(3, "FULL")) {
        Arguments.subcommandMistake(call);
        return;
      }
      if (call.argc() == 6) count = call.integer(5);
      if (call.failed()) return;
      if (count < 0) count = COUNT_DEFAULT;
    }
    RespWriter out = call.reply();
    out.map(isFull ? 15 : 16);
    head(call, out, stream);
    if (isFull) full(call, out, stream, count == 0 ? Long.MAX_VALUE : count);
    else brief(out, stream);
  }

  private static void head(Call call, RespWriter out, RedisStream stream) {
    Producers producers = stream.producers();
    number(out, "length", stream.size());
    number(out, "radix-tree-keys", stream.blockCount());
    // Redis has one node for the root and one for each key as long as IDs are dense.
    number(out, "radix-tree-nodes", stream.blockCount() + 1L);
    id(out, "last-generated-id", stream.lastId());
    id(out, "max-deleted-entry-id", stream.maxDeletedId());
    number(out, "entries-added", stream.entriesAdded());
    id(out, "recorded-first-entry-id", stream.firstId());
    number(out, "idmp-duration", producers.durationSeconds());
    number(out, "idmp-maxsize", producers.sizeMax());
    number(out, "pids-tracked", producers.producerCount(call.nowMillis()));
    number(out, "iids-tracked", producers.size(call.nowMillis()));
    number(out, "iids-added", producers.added());
    number(out, "iids-duplicates", producers.duplicates());
  }

  private static void brief(RespWriter out, RedisStream stream) {
    number(out, "groups", stream.groups().size());
    out.bulk("first-entry");
    writeFirst(stream, false, out);
    out.bulk("last-entry");
    writeFirst(stream, true, out);
  }

  /** Writes the first entry, or the last one, or nil. */
  private static void writeFirst(RedisStream stream, boolean fromEnd, RespWriter out) {
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, fromEnd);
    if (stream.size() > 0 && entries.next()) StreamCommands.writeEntry(entries, out);
    else out.nil();
  }

  private static void full(Call call, RespWriter out, RedisStream stream, long count) {
    out.bulk("entries");
    StreamCommands.write(call, stream.entries(StreamId.MIN, StreamId.MAX, false), count);
    out.bulk("groups");
    out.array(stream.groups().size());
    for (ConsumerGroup group : stream.groups()) fullGroup(out, stream, group, count);
  }

  private static void fullGroup(
      RespWriter out, RedisStream stream, ConsumerGroup group, long count) {
    out.map(8);
    out.bulk("name");
    out.bulk(group.name());
    id(out, "last-delivered-id", group.lastId());
    count(out, "entries-read", group.entriesRead());
    count(out, "lag", group.lag(stream));
    number(out, "pel-count", group.pending().size());
    number(out, "nacked-count", group.givenBack());
    pending(out, group.pending(), count, true);
    out.bulk("consumers");
    out.array(group.consumers().size());
    for (Consumer consumer : group.consumers()) {
      out.map(5);
      out.bulk("name");
      out.bulk(consumer.name());
      number(out, "seen-time", consumer.seenAtMillis());
      number(out, "active-time", consumer.activeAtMillis());
      number(out, "pel-count", consumer.pending().size());
      pending(out, consumer.pending(), count, false);
    }
  }

  private static void pending(
      RespWriter out, PendingEntries pending, long count, boolean withConsumer) {
    out.bulk("pending");
    int listed = (int) Math.min(count, pending.size());
    out.array(listed);
    PendingEntry entry = pending.first();
    for (int i = 0; i < listed && entry != null; i++) {
      out.array(withConsumer ? 4 : 3);
      out.bulk(entry.id().toString());
      Consumer owner = entry.consumer();
      if (withConsumer && owner == null) out.bulk("");
      else if (withConsumer && owner != null) out.bulk(owner.name());
      out.integer(entry.deliveredAtMillis());
      out.integer(entry.deliveries());
      entry = pending.after(entry);
    }
  }

  // XINFO GROUPS and CONSUMERS

  static void groups(Call call) {
    RedisStream stream = stream(call, 2);
    if (stream == null) return;
    RespWriter out = call.reply();
    out.array(stream.groups().size());
    for (ConsumerGroup group : stream.groups()) {
      out.map(6);
      out.bulk("name");
      out.bulk(group.name());
      number(out, "consumers", group.consumers().size());
      number(out, "pending", group.pending().size());
      id(out, "last-delivered-id", group.lastId());
      count(out, "entries-read", group.entriesRead());
      count(out, "lag", group.lag(stream));
    }
  }

  static void consumers(Call call) {
    RedisStream stream = stream(call, 2);
    if (stream == null) return;
    ConsumerGroup group = StreamGroupCommands.existingGroup(call, stream);
    if (group == null) return;
    RespWriter out = call.reply();
    long now = call.nowMillis();
    out.array(group.consumers().size());
    for (Consumer consumer : group.consumers()) {
      long active = consumer.activeAtMillis();
      out.map(4);
      out.bulk("name");
      out.bulk(consumer.name());
      number(out, "pending", consumer.pending().size());
      number(out, "idle", Math.max(0, now - consumer.seenAtMillis()));
      number(out, "inactive", active == Consumer.NEVER ? Consumer.NEVER : now - active);
    }
  }
}
