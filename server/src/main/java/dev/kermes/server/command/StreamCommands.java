package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.RedisStream;
import dev.kermes.server.data.Slices;
import dev.kermes.server.data.StreamId;
import dev.kermes.server.engine.KeyspaceEvent;
import org.jspecify.annotations.Nullable;

/** Streams: the log of entries. */
final class StreamCommands {

  private StreamCommands() {}

  /**
   * XADD key [NOMKSTREAM] [MAXLEN|MINID [=|~] threshold [LIMIT count]] *|id field value [field
   * value ...]: appends an entry, creating the stream; replies its ID, nil if NOMKSTREAM found
   * none. O(1) + trimming. WRONGTYPE if not a stream, an error if the ID is not greater than the
   * last.
   */
  static void xadd(Call call) {
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
    StreamId id = nextId(call, options, stream.lastId());
    if (id == null) return;
    stream.add(id, Arguments.slices(call, options.idArg() + 1), call.limits());
    if (fresh) call.create(1, stream);
    call.changed(1, KeyspaceEvent.STREAM, "xadd");
    long trimmed = options.trim(stream);
    if (trimmed > 0) call.changed(1, KeyspaceEvent.STREAM, "xtrim", trimmed);
    call.reply().bulk(id.toString());
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

  /** The ID of the new entry; null if there is none and an error was replied. */
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
  static void xlen(Call call) {
    RedisStream stream = call.read(1, RedisStream.class);
    if (call.failed()) return;
    call.reply().integer(stream == null ? 0 : stream.size());
  }

  /**
   * XRANGE key start end [COUNT count]: replies the entries of those IDs, (id excludes one, - and +
   * are the ends. O(log n + entries). WRONGTYPE if not a stream.
   */
  static void xrange(Call call) {
    range(call, false);
  }

  /**
   * XREVRANGE key end start [COUNT count]: replies the entries of those IDs backwards. O(log n +
   * entries). WRONGTYPE if not a stream.
   */
  static void xrevrange(Call call) {
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

  /** The last of the COUNT options; 0 for a negative one, the most without any. */
  private static long count(Call call) {
    long count = Long.MAX_VALUE;
    for (int i = 4; i < call.argc() && !call.failed(); i += 2) {
      if (i + 1 < call.argc() && call.is(i, "COUNT")) count = Math.max(0, call.integer(i + 1));
      else call.syntaxError();
    }
    return count;
  }

  private static void write(Call call, RedisStream.Entries entries, long count) {
    DeferredArray found = new DeferredArray(call.reply());
    while (found.count() < count && entries.next()) {
      RespWriter out = found.next();
      out.array(2);
      out.bulk(entries.id().toString());
      entries.writeFields(out);
    }
    found.finishArray();
  }

  /**
   * XDEL key id [id ...]: deletes entries; replies how many there were. O(ids x log n). WRONGTYPE
   * if not a stream.
   */
  static void xdel(Call call) {
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    if (stream == null) {
      call.reply().integer(0);
      return;
    }
    StreamId[] ids = new StreamId[call.argc() - 2];
    for (int i = 0; i < ids.length; i++) {
      EntryId id = EntryId.parse(call, i + 2, false);
      if (id == null) return;
      ids[i] = id.id();
    }
    int deleted = 0;
    for (StreamId id : ids) if (stream.remove(id)) deleted++;
    if (deleted > 0) call.changed(1, KeyspaceEvent.STREAM, "xdel", deleted);
    call.reply().integer(deleted);
  }

  /**
   * XTRIM key MAXLEN|MINID [=|~] threshold [LIMIT count]: deletes the oldest entries; replies how
   * many. O(entries). WRONGTYPE if not a stream.
   */
  static void xtrim(Call call) {
    XaddOptions options = XaddOptions.parse(call, false);
    if (options == null) return;
    RedisStream stream = call.write(1, RedisStream.class);
    if (call.failed()) return;
    long trimmed = stream == null ? 0 : options.trim(stream);
    if (trimmed > 0) call.changed(1, KeyspaceEvent.STREAM, "xtrim", trimmed);
    call.reply().integer(trimmed);
  }
}
