package dev.kermes.server.command.stream;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.command.Help;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Slices;
import dev.kermes.server.data.stream.Producers;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import dev.kermes.server.data.stream.StreamTrim;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Streams: the log of entries. */
public final class StreamCommands {

  private StreamCommands() {}

  /**
   * XADD key [NOMKSTREAM] [KEEPREF|DELREF|ACKED] [IDMPAUTO pid|IDMP pid iid] [MAXLEN|MINID [=|~]
   * threshold [LIMIT count]] *|id field value [field value ...]: appends an entry, creating the
   * stream; replies its ID, nil if NOMKSTREAM found none. O(1) + trimming. WRONGTYPE if not a
   * stream, an error if the ID is not greater than the last.
   */
  public static void xadd(Call call) {
    XaddOptions options = XaddOptions.parse(call, true);
    if (options == null || !fieldsAreValid(call, options)) return;
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    if (stream == null && options.onlyExisting()) {
      call.reply().nil();
      return;
    }
    boolean fresh = stream == null;
    if (stream == null) stream = new RedisStream();
    byte[] iid = options.pidArg() == 0 ? null : idempotentId(call, options);
    if (iid != null && isDuplicate(call, stream, options, iid)) return;
    StreamId id = nextId(call, options, stream.lastId());
    if (id == null) return;
    stream.add(id, Arguments.slices(call, options.idArg() + 1), call.limits());
    if (fresh) call.create(1, stream);
    else call.markReady(1);
    call.changed(1, KeyspaceEvent.STREAM, "xadd");
    if (iid != null) stream.producers().add(call.arg(options.pidArg()), iid, id, call.nowMillis());
    long trimmed = options.trim() == null ? 0 : stream.trim(options.trim());
    PropagatedStreamCommands.added(call, stream, options, id, iid);
    if (trimmed > 0) call.changed(1, KeyspaceEvent.STREAM, "xtrim", trimmed);
    call.reply().bulk(id.toString());
  }

  private static byte[] idempotentId(Call call, XaddOptions options) {
    return options.iidArg() == 0
        ? IdempotentId.of(call, options.idArg() + 1)
        : call.arg(options.iidArg());
  }

  /** Whether the entry was already added by its producer; its ID is then replied. */
  private static boolean isDuplicate(
      Call call, RedisStream stream, XaddOptions options, byte[] iid) {
    byte[] pid = call.arg(options.pidArg());
    StreamId known = stream.producers().findDuplicate(pid, iid, call.nowMillis());
    if (known == null) return false;
    call.log().nothing();
    call.groupChanged(1);
    call.reply().bulk(known.toString());
    return true;
  }

  private static boolean fieldsAreValid(Call call, XaddOptions options) {
    int arguments = call.argc() - options.idArg() - 1;
    if (arguments < 2 || arguments % 2 != 0) {
      Arguments.wrongArity(call, "xadd");
      return false;
    }
    if (options.id() != null
        && !options.id().hasAnySequence()
        && options.id().id().equals(StreamId.MIN)) {
      call.error("ERR The ID specified in XADD must be greater than 0-0");
      return false;
    }
    Slices fields = Arguments.slices(call, options.idArg() + 1);
    if (fields.totalLength() > RedisStream.ENTRY_LENGTH_MAX) {
      call.error("ERR Elements are too large to be stored");
      return false;
    }
    return true;
  }

  /** The ID of the new entry; null after replying an error. */
  private static @Nullable StreamId nextId(Call call, XaddOptions options, StreamId last) {
    if (last.equals(StreamId.MAX)) {
      call.error("ERR The stream has exhausted the last possible ID, unable to add more items");
      return null;
    }
    StreamId id = options.id() == null ? timeId(call, last) : options.id().after(last);
    if (last.isBefore(id)) return id;
    call.error("ERR The ID specified in XADD is equal or smaller than the target stream top item");
    return null;
  }

  private static StreamId timeId(Call call, StreamId last) {
    StreamId now = new StreamId(call.nowMillis(), 0);
    return last.isBefore(now) ? now : last.next();
  }

  /** XLEN key: replies the number of entries, 0 without stream. O(1). WRONGTYPE if not a stream. */
  public static void xlen(Call call) {
    RedisStream stream = call.read(1, RedisStream.class);
    if (call.failed()) return;
    call.reply().integer(stream == null ? 0 : stream.size());
  }

  /**
   * XRANGE key start end [COUNT count]: replies the entries between those IDs, (id excludes one, -
   * and + are the ends. O(log n + entries). WRONGTYPE if not a stream.
   */
  public static void xrange(Call call) {
    range(call, false);
  }

  /**
   * XREVRANGE key end start [COUNT count]: replies the entries between those IDs backwards. O(log n
   * + entries). WRONGTYPE if not a stream.
   */
  public static void xrevrange(Call call) {
    range(call, true);
  }

  private static void range(Call call, boolean reverse) {
    StreamId start = EntryId.rangeStart(call, reverse ? 3 : 2);
    if (start == null) return;
    StreamId end = EntryId.rangeEnd(call, reverse ? 2 : 3);
    if (end == null) return;
    long count = count(call);
    if (call.failed()) return;
    RedisStream stream = call.read(1, RedisStream.class);
    if (call.failed()) return;
    if (stream == null) call.reply().array(0);
    else if (count == 0) call.reply().nilArray();
    else write(call, stream.entries(start, end, reverse), count);
  }

  /** The last of the COUNT options; 0 if negative, the maximum if missing. */
  private static long count(Call call) {
    long count = Long.MAX_VALUE;
    for (int i = 4; i < call.argc() && !call.failed(); i += 2) {
      if (i + 1 < call.argc() && call.is(i, "COUNT")) count = Math.max(0, call.integer(i + 1));
      else call.syntaxError();
    }
    return count;
  }

  static void write(Call call, RedisStream.Entries entries, long count) {
    DeferredArray found = new DeferredArray(call.reply());
    while (found.count() < count && entries.next()) writeEntry(entries, found.next());
    found.finishArray();
  }

  /** Writes the current entry of a walk as ID and fields. */
  static void writeEntry(RedisStream.Entries entries, RespWriter out) {
    out.array(2);
    out.bulk(entries.id().toString());
    entries.writeFields(out);
  }

  /**
   * XDEL key id [id ...]: deletes entries; replies how many there were. O(ids x log n). WRONGTYPE
   * if not a stream.
   */
  public static void xdel(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    if (stream == null) {
      call.reply().integer(0);
      return;
    }
    StreamId[] ids = EntryId.parseAll(call, 2, call.argc() - 2);
    if (ids == null) return;
    int deleted = 0;
    for (StreamId id : ids) if (stream.remove(id)) deleted++;
    if (deleted > 0) call.changed(1, KeyspaceEvent.STREAM, "xdel", deleted);
    call.reply().integer(deleted);
  }

  /**
   * XTRIM key MAXLEN|MINID [=|~] threshold [LIMIT count] [KEEPREF|DELREF|ACKED]: deletes the oldest
   * entries; replies how many. O(entries). WRONGTYPE if not a stream.
   */
  public static void xtrim(Call call) {
    XaddOptions options = XaddOptions.parse(call, false);
    if (options == null) return;
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    StreamTrim trim = options.trim();
    long trimmed = stream == null || trim == null ? 0 : stream.trim(trim);
    if (trimmed > 0) call.changed(1, KeyspaceEvent.STREAM, "xtrim", trimmed);
    if (stream != null && trim != null) PropagatedStreamCommands.trimmed(call, stream, trim);
    call.reply().integer(trimmed);
  }

  /**
   * XDELEX key [KEEPREF|DELREF|ACKED] IDS numids id [id ...]: deletes entries; replies per ID 1 if
   * deleted, 2 if a group still needs the entry, -1 if there is none. O(ids x log n). WRONGTYPE if
   * not a stream.
   */
  public static void xdelex(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    EntrySelection selection = EntrySelection.parse(call, 2);
    if (selection == null) return;
    if (stream == null) {
      selection.replyNone(call);
      return;
    }
    StreamId[] ids = selection.ids(call);
    if (ids == null) return;
    int deleted = 0;
    call.reply().array(ids.length);
    for (StreamId id : ids) {
      boolean isFree = stream.release(id, selection.references());
      boolean isDeleted = isFree && stream.remove(id);
      if (isDeleted) deleted++;
      call.reply().integer(isDeleted ? 1 : isFree ? -1 : 2);
    }
    if (deleted > 0) call.changed(1, KeyspaceEvent.STREAM, "xdel", deleted);
  }

  /**
   * XSETID key last-id [ENTRIESADDED n] [MAXDELETEDID id]: sets the stream's last ID and counters.
   * O(1). WRONGTYPE if not a stream, an error if it is missing or its entries contradict them.
   */
  public static void xsetid(Call call) {
    EntryId last = EntryId.parse(call, 2, false);
    if (last == null) return;
    Long added = null;
    StreamId maxDeleted = null;
    for (int i = 3; i < call.argc(); i += 2) {
      boolean hasValue = i + 1 < call.argc();
      if (hasValue && call.is(i, "ENTRIESADDED")) {
        added = call.integer(i + 1);
        if (!call.failed() && added < 0) call.error("ERR entries_added must be positive");
      } else if (hasValue && call.is(i, "MAXDELETEDID")) {
        maxDeleted = maxDeletedId(call, i + 1, last.id());
      } else {
        call.syntaxError();
      }
      if (call.failed()) return;
    }
    RedisStream stream = existing(call, call.writeSlot(1));
    if (stream == null || !requireConsistent(call, stream, last.id(), added)) return;
    boolean setsMax = maxDeleted != null && !maxDeleted.equals(StreamId.MIN);
    stream.set(last.id(), added, setsMax ? maxDeleted : null);
    call.groupChanged(1);
    call.notifyEvent(KeyspaceEvent.STREAM, "xsetid", 1);
    call.reply().ok();
  }

  private static @Nullable StreamId maxDeletedId(Call call, int i, StreamId last) {
    EntryId id = EntryId.parse(call, i, false);
    if (id == null) return null;
    if (!last.isBefore(id.id())) return id.id();
    call.error("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
    return null;
  }

  /** Replies an error if the numbers of XSETID contradict the stream. */
  private static boolean requireConsistent(
      Call call, RedisStream stream, StreamId last, @Nullable Long added) {
    if (last.isBefore(stream.maxDeletedId())) {
      call.error("ERR The ID specified in XSETID is smaller than current max_deleted_entry_id");
    } else if (last.isBefore(stream.lastEntryId())) {
      call.error("ERR The ID specified in XSETID is smaller than the target stream top item");
    } else if (added != null && stream.size() > added) {
      call.error(
          "ERR The entries_added specified in XSETID is smaller than the target stream length");
    }
    return !call.failed();
  }

  /** The stream in a slot; null after replying an error. */
  static @Nullable RedisStream existing(Call call, @Nullable Object slot) {
    if (slot instanceof RedisStream stream) return stream;
    if (slot == null) call.error("ERR no such key");
    else call.wrongType();
    return null;
  }

  /**
   * XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]: replies the entries
   * after those IDs; $ stands for the last ID ever, + for the ID before the last entry. Waits for
   * entries. O(streams + entries). WRONGTYPE if not a stream.
   */
  public static void xread(Call call) {
    StreamReading.execute(call, false);
  }

  // Idempotent producers

  /**
   * XCFGSET key [IDMP-DURATION seconds] [IDMP-MAXSIZE count]: limits the history of idempotent
   * producers; a change deletes the history. O(1). WRONGTYPE if not a stream.
   */
  public static void xcfgset(Call call) {
    RedisStream stream = existing(call, call.writeSlot(1));
    if (stream == null) return;
    long duration = -1;
    long size = -1;
    for (int i = 2; i < call.argc(); i += 2) {
      boolean hasValue = i + 1 < call.argc();
      if (hasValue && call.is(i, "IDMP-DURATION")) {
        duration = producerLimit(call, i, duration, 86_400, "seconds");
      } else if (hasValue && call.is(i, "IDMP-MAXSIZE")) {
        size = producerLimit(call, i, size, 10_000, "entries");
      } else {
        call.syntaxError();
      }
      if (call.failed()) return;
    }
    if (duration == -1 && size == -1) {
      call.error("ERR At least one parameter must be specified");
      return;
    }
    Producers producers = stream.producers();
    if (duration == -1) duration = producers.durationSeconds();
    if (size == -1) size = producers.sizeMax();
    if (producers.limits(duration, size)) call.groupChanged(1);
    call.reply().ok();
  }

  private static long producerLimit(Call call, int i, long before, long max, String unit) {
    String option = call.text(i).toUpperCase(Locale.ROOT);
    if (before != -1) {
      call.error("ERR " + option + " specified multiple times");
      return before;
    }
    long value = call.integer(i + 1);
    if (!call.failed() && (value < 1 || value > max)) {
      call.error("ERR " + option + " must be between 1 and " + max + " " + unit);
    }
    return value;
  }

  /**
   * XIDMPRECORD key pid iid id: records an entry's producer and its idempotent ID. O(1). WRONGTYPE
   * if not a stream, an error without such an entry or if the ID belongs to another one.
   */
  public static void xidmprecord(Call call) {
    EntryId id = EntryId.parse(call, 4, false);
    if (id == null) return;
    if (call.length(2) == 0) call.error("ERR producer ID must be non-empty");
    else if (call.length(3) == 0) call.error("ERR idempotent ID must be non-empty");
    if (call.failed()) return;
    RedisStream stream = existing(call, call.writeSlot(1));
    if (stream == null) return;
    if (!stream.contains(id.id())) {
      call.error("ERR No such message in stream");
      return;
    }
    Producers producers = stream.producers();
    StreamId known = producers.find(call.arg(2), call.arg(3), call.nowMillis());
    if (known != null && !known.equals(id.id())) {
      call.error("ERR IID already exists for this producer with a different stream ID");
      return;
    }
    if (known == null) {
      producers.add(call.arg(2), call.arg(3), id.id(), call.nowMillis());
      call.groupChanged(1);
    }
    call.reply().ok();
  }

  // Facts about a stream

  /** XINFO STREAM key [FULL [COUNT count]]: describes a stream. O(1), with FULL O(entries). */
  public static void xinfoStream(Call call) {
    StreamInfo.stream(call);
  }

  /** XINFO GROUPS key: describes the consumer groups of a stream. O(groups). */
  public static void xinfoGroups(Call call) {
    StreamInfo.groups(call);
  }

  /** XINFO CONSUMERS key group: describes the consumers of a group. O(consumers). */
  public static void xinfoConsumers(Call call) {
    StreamInfo.consumers(call);
  }

  /** XINFO HELP: describes the subcommands. */
  public static void xinfoHelp(Call call) {
    Help.reply(call);
  }
}
