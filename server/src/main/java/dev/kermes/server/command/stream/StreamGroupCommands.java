package dev.kermes.server.command.stream;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.command.Help;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntries;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import org.jspecify.annotations.Nullable;

/** Consumer groups of streams: delivery, acknowledgement, and claims of abandoned entries. */
public final class StreamGroupCommands {

  private static final String KEY_MUST_EXIST =
      "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to"
          + " use the MKSTREAM option to create an empty stream automatically.";

  private StreamGroupCommands() {}

  // XGROUP

  /**
   * XGROUP CREATE key group id|$ [MKSTREAM] [ENTRIESREAD n]: creates a group that has read up to an
   * ID. O(log groups). BUSYGROUP if the group exists, WRONGTYPE if not a stream.
   */
  public static void xgroupCreate(Call call) {
    GroupOptions options = GroupOptions.parse(call, true);
    if (options == null) return;
    RedisStream stream = call.write(2, RedisStream.class);
    if (call.failed()) return;
    if (stream == null && !options.makesStream()) {
      call.error(KEY_MUST_EXIST);
    } else if (call.argc() > 8) {
      Arguments.subcommandMistake(call);
    } else {
      create(call, stream, options.entriesRead());
    }
  }

  private static void create(Call call, @Nullable RedisStream existing, long entriesRead) {
    RedisStream stream = existing == null ? new RedisStream() : existing;
    StreamId id = stream.lastId();
    if (!call.is(4, "$")) {
      EntryId given = EntryId.parse(call, 4, false);
      if (given == null) return;
      id = given.id();
    }
    if (existing == null) {
      call.create(2, stream);
      call.touchWatchers(2);
    }
    if (stream.addGroup(call.arg(3), id, entriesRead)) {
      call.groupChanged(1);
      call.notifyEvent(KeyspaceEvent.STREAM, "xgroup-create", 2);
      call.reply().ok();
    } else {
      call.error("BUSYGROUP Consumer Group name already exists");
    }
  }

  /** XGROUP SETID key group id|$ [ENTRIESREAD n]: sets the position of the group. O(1). */
  public static void xgroupSetid(Call call) {
    GroupOptions options = GroupOptions.parse(call, false);
    if (options == null) return;
    RedisStream stream = existingStream(call);
    if (stream == null) return;
    ConsumerGroup group = existingGroup(call, stream);
    if (group == null) return;
    if (call.argc() != 5 && call.argc() != 7) {
      Arguments.subcommandMistake(call);
      return;
    }
    StreamId id = call.is(4, "$") ? stream.lastId() : EntryId.parseAnywhere(call, 4);
    if (id == null) return;
    group.lastId(id, Math.min(options.entriesRead(), stream.entriesAdded()));
    call.groupChanged(1);
    call.notifyEvent(KeyspaceEvent.STREAM, "xgroup-setid", 2);
    call.reply().ok();
  }

  /** XGROUP DESTROY key group: deletes a group; replies whether there was one. O(1). */
  public static void xgroupDestroy(Call call) {
    RedisStream stream = existingStream(call);
    if (stream == null) return;
    ConsumerGroup group = stream.group(call.arg(3));
    if (group != null) {
      stream.removeGroup(group);
      call.groupChanged(1);
      call.notifyEvent(KeyspaceEvent.STREAM, "xgroup-destroy", 2);
      call.markReady(2);
    }
    call.reply().integer(group == null ? 0 : 1);
  }

  /** XGROUP CREATECONSUMER key group consumer: replies 1 if it is new. O(log consumers). */
  public static void xgroupCreateconsumer(Call call) {
    RedisStream stream = existingStream(call);
    if (stream == null) return;
    ConsumerGroup group = existingGroup(call, stream);
    if (group == null) return;
    boolean isNew = group.consumer(call.arg(4)) == null;
    Consumer unused = consumer(call, 2, group, 4);
    call.reply().integer(isNew ? 1 : 0);
  }

  /**
   * XGROUP DELCONSUMER key group consumer: deletes a consumer with its pending entries; replies how
   * many. O(entries).
   */
  public static void xgroupDelconsumer(Call call) {
    RedisStream stream = existingStream(call);
    if (stream == null) return;
    ConsumerGroup group = existingGroup(call, stream);
    if (group == null) return;
    Consumer consumer = group.consumer(call.arg(4));
    int pending = consumer == null ? 0 : consumer.pending().size();
    if (consumer != null) {
      group.removeConsumer(consumer);
      call.groupChanged(1);
      call.notifyEvent(KeyspaceEvent.STREAM, "xgroup-delconsumer", 2);
    }
    call.reply().integer(pending);
  }

  /** XGROUP HELP: describes the subcommands. */
  public static void xgroupHelp(Call call) {
    Help.reply(call);
  }

  private static @Nullable RedisStream existingStream(Call call) {
    RedisStream stream = call.write(2, RedisStream.class);
    if (stream == null && !call.failed()) call.error(KEY_MUST_EXIST);
    return stream;
  }

  /** The group of a subcommand; null after replying an error. */
  static @Nullable ConsumerGroup existingGroup(Call call, RedisStream stream) {
    ConsumerGroup group = stream.group(call.arg(3));
    if (group == null) {
      call.error(
          "NOGROUP No such consumer group '"
              + call.shown(3)
              + "' for key name '"
              + call.shown(2)
              + "'");
    }
    return group;
  }

  // Groups and consumers

  static @Nullable ConsumerGroup group(@Nullable RedisStream stream, byte[] name) {
    return stream == null ? null : stream.group(name);
  }

  /** The group of a command with key and group; null after replying an error. */
  static @Nullable ConsumerGroup group(Call call, @Nullable RedisStream stream) {
    if (call.failed()) return null;
    ConsumerGroup group = group(stream, call.arg(2));
    if (group == null) {
      call.error(
          "NOGROUP No such key '" + call.shown(1) + "' or consumer group '" + call.shown(2) + "'");
    }
    return group;
  }

  /** A consumer by name, created if missing. */
  static Consumer consumer(Call call, int keyArg, ConsumerGroup group, int nameArg) {
    byte[] name = call.arg(nameArg);
    Consumer known = group.consumer(name);
    if (known != null) return known;
    PropagatedStreamCommands.consumerCreated(call, keyArg, group, name);
    return addConsumer(call, keyArg, group, nameArg);
  }

  /** Creates a consumer without logging it. */
  static Consumer addConsumer(Call call, int keyArg, ConsumerGroup group, int nameArg) {
    call.groupChanged(1);
    call.notifyEvent(KeyspaceEvent.STREAM, "xgroup-createconsumer", keyArg);
    return group.addConsumer(call.arg(nameArg), call.nowMillis());
  }

  // Delivery and acknowledgement

  /**
   * XREADGROUP GROUP group consumer [COUNT count] [BLOCK milliseconds] [CLAIM min-idle] [NOACK]
   * STREAMS key [key ...] id [id ...]: delivers entries that the group has not read yet (id {@code
   * >}) or that the consumer has not acknowledged; waits for new entries. O(streams + entries).
   * NOGROUP, WRONGTYPE.
   */
  public static void xreadgroup(Call call) {
    StreamReading.execute(call, true);
  }

  /**
   * XACK key group id [id ...]: acknowledges entries; replies how many were pending. O(ids x log
   * pending). WRONGTYPE if not a stream.
   */
  public static void xack(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    ConsumerGroup group = group(stream, call.arg(2));
    if (group == null) {
      call.reply().integer(0);
      return;
    }
    StreamId[] ids = EntryId.parseAll(call, 3, call.argc() - 3);
    if (ids == null) return;
    int acknowledged = 0;
    for (StreamId id : ids) if (group.acknowledge(id)) acknowledged++;
    call.groupChanged(acknowledged);
    call.reply().integer(acknowledged);
  }

  /**
   * XACKDEL key group [KEEPREF|DELREF|ACKED] IDS numids id [id ...]: acknowledges entries and
   * deletes them; replies per ID 1 if deleted, 2 if another group still needs the entry, -1 if it
   * was not pending. O(ids x log n). WRONGTYPE if not a stream.
   */
  public static void xackdel(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    EntrySelection selection = EntrySelection.parse(call, 3);
    if (selection == null) return;
    ConsumerGroup group = group(stream, call.arg(2));
    if (stream == null || group == null) {
      selection.replyNone(call);
      return;
    }
    StreamId[] ids = selection.ids(call);
    if (ids == null) return;
    int deleted = 0;
    call.reply().array(ids.length);
    for (StreamId id : ids) {
      boolean wasPending = group.acknowledge(id);
      if (wasPending) call.groupChanged(1);
      boolean isFree = wasPending && stream.release(id, selection.references());
      if (isFree && stream.remove(id)) deleted++;
      call.reply().integer(isFree ? 1 : wasPending ? 2 : -1);
    }
    if (deleted > 0) call.changed(1, KeyspaceEvent.STREAM, "xdel", 0);
  }

  /**
   * XNACK key group SILENT|FAIL|FATAL IDS numids id [id ...] [RETRYCOUNT count] [FORCE]: returns
   * pending entries to the group, for any consumer to claim; replies how many. O(ids x log
   * pending). NOGROUP, WRONGTYPE.
   */
  public static void xnack(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    ConsumerGroup group = group(call, stream);
    if (group == null || stream == null) return;
    NackOptions options = NackOptions.parse(call);
    if (options == null) return;
    StreamId[] ids = EntryId.parseAll(call, options.firstId(), options.count());
    if (ids == null) return;
    int given = 0;
    for (StreamId id : ids) {
      PendingEntry entry = group.pending().find(id);
      if (entry == null && (!options.forces() || !stream.contains(id))) continue;
      if (entry == null) entry = group.add(id);
      entry.deliveries(options.deliveries(entry.deliveries()));
      group.giveBack(entry);
      given++;
    }
    if (given > 0) {
      call.groupChanged(given);
      call.markReady(1);
    }
    call.reply().integer(given);
  }

  // Pending entries

  /**
   * XPENDING key group [[IDLE min-idle] start end count [consumer]]: counts the pending entries per
   * consumer, or lists some with consumer, idle time and number of deliveries. O(entries). NOGROUP,
   * WRONGTYPE.
   */
  public static void xpending(Call call) {
    if (call.argc() != 3 && (call.argc() < 6 || call.argc() > 9)) {
      call.syntaxError();
      return;
    }
    PendingRange range = call.argc() == 3 ? null : PendingRange.parse(call);
    if (call.failed()) return;
    ConsumerGroup group = group(call, call.read(1, RedisStream.class));
    if (group == null) return;
    if (range == null) summary(call, group);
    else list(call, group, range);
  }

  private static void summary(Call call, ConsumerGroup group) {
    PendingEntry first = group.pending().first();
    PendingEntry last = group.pending().last();
    call.reply().array(4);
    call.reply().integer(group.pending().size());
    if (first == null || last == null) {
      call.reply().nil();
      call.reply().nil();
      call.reply().nilArray();
      return;
    }
    call.reply().bulk(first.id().toString());
    call.reply().bulk(last.id().toString());
    DeferredArray consumers = new DeferredArray(call.reply());
    for (Consumer consumer : group.consumers()) {
      if (consumer.pending().size() == 0) continue;
      RespWriter out = consumers.next();
      out.array(2);
      out.bulk(consumer.name());
      out.bulk(consumer.pending().size());
    }
    consumers.finishArray();
  }

  private static void list(Call call, ConsumerGroup group, PendingRange range) {
    PendingEntries pending = group.pending();
    if (range.consumerArg() > 0) {
      Consumer consumer = group.consumer(call.arg(range.consumerArg()));
      if (consumer == null) {
        call.reply().array(0);
        return;
      }
      pending = consumer.pending();
    }
    DeferredArray listed = new DeferredArray(call.reply());
    PendingEntry entry = pending.from(range.start());
    while (entry != null && listed.count() < range.count()) {
      StreamId id = entry.id();
      if (range.end().isBefore(id)) break;
      Consumer owner = entry.consumer();
      long idle = owner == null ? -1 : Math.max(0, call.nowMillis() - entry.deliveredAtMillis());
      if (owner == null || idle >= range.minIdleMillis()) {
        RespWriter out = listed.next();
        out.array(4);
        out.bulk(id.toString());
        if (owner == null) out.bulk("");
        else out.bulk(owner.name());
        out.integer(idle);
        out.integer(entry.deliveries());
      }
      entry = pending.after(entry);
    }
    listed.finishArray();
  }

  /**
   * XCLAIM key group consumer min-idle id [id ...] [IDLE ms] [TIME unix-ms] [RETRYCOUNT count]
   * [FORCE] [JUSTID] [LASTID id]: gives pending entries that have been idle for min-idle to another
   * consumer; replies them. O(ids x log pending). NOGROUP, WRONGTYPE.
   */
  public static void xclaim(Call call) {
    Claiming.claim(call);
  }

  /**
   * XAUTOCLAIM key group consumer min-idle start [COUNT count] [JUSTID]: walks the pending entries
   * and gives those that have been idle for min-idle to another consumer; replies where to
   * continue, the entries, and the IDs of deleted entries that it dropped. O(count). NOGROUP,
   * WRONGTYPE.
   */
  public static void xautoclaim(Call call) {
    AutoClaim claim = AutoClaim.parse(call);
    if (claim == null) return;
    RedisStream stream = call.write(1, RedisStream.class);
    ConsumerGroup group = group(call, stream);
    if (group != null && stream != null) Claiming.claimIdle(call, stream, group, claim);
  }
}
