package dev.kermes.server.command.array;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.ArrayRing;
import dev.kermes.server.data.RedisArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays: elements at 64-bit indexes. An index is found in O(log slices), which counts as O(1)
 * here; see {@link RedisArray}. Indexes are unsigned.
 */
public final class ArrayCommands {

  /** Redis's limit for the length of a range whose holes are replied. */
  private static final int RANGE_MAX = 1_000_000;

  private static final String INDEX_OVERFLOW = "ERR array index overflow";
  private static final String INSERT_OVERFLOW = "ERR insert index overflow";

  /** The number after the last index. */
  private static final long END = -1;

  private ArrayCommands() {}

  // Reading

  /**
   * ARGET key index: replies the element, nil if there is none. O(1). WRONGTYPE if not an array.
   */
  public static void arget(Call call) {
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    long index = ArrayIndex.parse(call, 2);
    if (!call.failed()) reply(call, array, index);
  }

  /**
   * ARMGET key index [index ...]: replies the elements, nil where there is none. O(indexes).
   * WRONGTYPE if not an array.
   */
  public static void armget(Call call) {
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed() || !ArrayIndex.areValid(call, 2, 1)) return;
    call.reply().array(call.argc() - 2);
    for (int i = 2; i < call.argc(); i++) reply(call, array, ArrayIndex.parse(call, i));
  }

  /**
   * ARGETRANGE key start end: replies the elements of all indexes from start to end, backwards if
   * end is lower; nil where there is no element. O(indexes), at most a million. WRONGTYPE if not an
   * array.
   */
  public static void argetrange(Call call) {
    long start = ArrayIndex.parse(call, 2);
    if (call.failed()) return;
    long end = ArrayIndex.parse(call, 3);
    if (call.failed()) return;
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    boolean isUp = Long.compareUnsigned(start, end) <= 0;
    long distance = isUp ? end - start : start - end;
    if (Long.compareUnsigned(distance, RANGE_MAX) >= 0) {
      call.error("ERR range exceeds maximum of " + RANGE_MAX + " items");
      return;
    }
    call.reply().array((int) distance + 1);
    for (long i = 0; i <= distance; i++) reply(call, array, isUp ? start + i : start - i);
  }

  private static void reply(Call call, @Nullable RedisArray array, long index) {
    if (array == null) call.reply().nil();
    else array.write(index, call.reply());
  }

  /**
   * ARSCAN key start end [LIMIT limit]: replies the indexes and elements that exist in a range,
   * backwards if the start is greater. O(elements). WRONGTYPE if not an array.
   */
  public static void arscan(Call call) {
    long start = ArrayIndex.parse(call, 2);
    if (call.failed()) return;
    long end = ArrayIndex.parse(call, 3);
    if (call.failed()) return;
    long limit = call.argc() == 4 ? Long.MAX_VALUE : scanLimit(call);
    if (call.failed()) return;
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    DeferredArray found = new DeferredArray(call.reply());
    if (array != null) {
      array.forEach(
          start,
          end,
          (index, bytes, offset, length) -> {
            RespWriter out = found.next();
            out.array(2);
            ArrayIndex.reply(out, index);
            out.bulk(bytes, offset, length);
            return found.count() < limit;
          });
    }
    found.finishArray();
  }

  private static long scanLimit(Call call) {
    if (call.argc() != 6) {
      Arguments.wrongArity(call, "arscan");
      return 0;
    }
    if (!call.is(4, "LIMIT")) {
      call.syntaxError();
      return 0;
    }
    return limit(call, 5);
  }

  static long limit(Call call, int i) {
    long limit = call.integer(i);
    if (!call.failed() && limit <= 0) call.error("ERR LIMIT must be positive");
    return limit;
  }

  /** ARGREP key start end conditions [options]: replies the indexes that match. O(elements). */
  public static void argrep(Call call) {
    ArrayGrep.execute(call);
  }

  /** AROP key start end operation: aggregates the elements of a range. O(elements). */
  public static void arop(Call call) {
    ArrayAggregate.execute(call);
  }

  /** ARCOUNT key: replies how many elements there are. O(1). WRONGTYPE if not an array. */
  public static void arcount(Call call) {
    RedisArray array = call.read(1, RedisArray.class);
    if (!call.failed()) call.reply().integer(array == null ? 0 : array.size());
  }

  /** ARLEN key: replies the highest index plus one, or 0. O(1). WRONGTYPE if not an array. */
  public static void arlen(Call call) {
    RedisArray array = call.read(1, RedisArray.class);
    if (!call.failed()) ArrayIndex.reply(call.reply(), array == null ? 0 : array.length());
  }

  /** ARINFO key [FULL]: replies how the array is stored; an error if absent. O(slices). */
  public static void arinfo(Call call) {
    boolean isFull = call.argc() == 3 && call.is(2, "FULL");
    if (call.argc() > 2 && !isFull) {
      call.syntaxError();
      return;
    }
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    if (array == null) call.error("ERR no such key");
    else replyInfo(call.reply(), array, isFull);
  }

  private static void replyInfo(RespWriter reply, RedisArray array, boolean isFull) {
    RedisArray.Layout layout = array.layout();
    reply.map(isFull ? 12 : 7);
    reply.bulk("count");
    reply.integer(array.size());
    reply.bulk("len");
    ArrayIndex.reply(reply, array.length());
    reply.bulk("next-insert-index");
    ArrayIndex.reply(reply, array.isInsertExhausted() ? 0 : array.nextInsert());
    reply.bulk("slices");
    reply.integer(layout.slices());
    reply.bulk("directory-size");
    reply.integer(layout.slices());
    reply.bulk("super-dir-entries");
    reply.integer(0);
    reply.bulk("slice-size");
    reply.integer(RedisArray.sliceSize());
    if (isFull) replySlices(reply, layout);
  }

  /** Replies the runs, which correspond to Redis's dense slices. */
  private static void replySlices(RespWriter reply, RedisArray.Layout layout) {
    reply.bulk("dense-slices");
    reply.integer(layout.runs());
    reply.bulk("sparse-slices");
    reply.integer(layout.scattered());
    reply.bulk("avg-dense-size");
    reply.decimal(quotient(layout.runCapacity(), layout.runs()));
    reply.bulk("avg-dense-fill");
    reply.decimal(quotient(layout.runCount(), layout.runCapacity()));
    reply.bulk("avg-sparse-size");
    reply.decimal(quotient(layout.scatteredCapacity(), layout.scattered()));
  }

  private static double quotient(long sum, long count) {
    return count == 0 ? 0 : (double) sum / count;
  }

  // Setting

  /**
   * ARSET key index value [value ...]: sets elements from an index on, creating the array; replies
   * how many were empty. O(values). WRONGTYPE if not an array.
   */
  public static void arset(Call call) {
    long index = ArrayIndex.parse(call, 2);
    if (call.failed()) return;
    int values = call.argc() - 3;
    if (!fits(index, values)) {
      call.error(INDEX_OVERFLOW);
      return;
    }
    RedisArray array = writable(call);
    if (array == null) return;
    int added = setAll(call, array, index, 3);
    call.changed(1, KeyspaceEvent.ARRAY, "arset", values);
    call.reply().integer(added);
  }

  /** Whether this many elements from an index on stay below the end. */
  private static boolean fits(long index, int values) {
    return Long.compareUnsigned(index, END - values) <= 0;
  }

  private static int setAll(Call call, RedisArray array, long index, int firstValueArg) {
    int added = 0;
    for (int i = firstValueArg; i < call.argc(); i++) {
      if (set(call, array, index + (i - firstValueArg), i)) added++;
    }
    return added;
  }

  private static boolean set(Call call, RedisArray array, long index, int valueArg) {
    return array.set(index, call.slice(valueArg));
  }

  /** The array to change, a new one if the key is missing; null after replying WRONGTYPE. */
  private static @Nullable RedisArray writable(Call call) {
    RedisArray array = call.write(1, RedisArray.class);
    if (array != null || call.failed()) return array;
    RedisArray fresh = new RedisArray();
    call.create(1, fresh);
    return fresh;
  }

  /**
   * ARMSET key index value [index value ...]: sets elements, creating the array; replies how many
   * were empty. O(values). WRONGTYPE if not an array.
   */
  public static void armset(Call call) {
    if (call.argc() % 2 != 0) {
      Arguments.wrongArity(call, "armset");
      return;
    }
    if (!ArrayIndex.areValid(call, 2, 2)) return;
    RedisArray array = writable(call);
    if (array == null) return;
    int added = 0;
    for (int i = 2; i < call.argc(); i += 2) {
      if (set(call, array, ArrayIndex.parse(call, i), i + 1)) added++;
    }
    call.changed(1, KeyspaceEvent.ARRAY, "armset", (call.argc() - 2) / 2);
    call.reply().integer(added);
  }

  // Deleting

  /**
   * ARDEL key index [index ...]: deletes elements; replies how many there were. O(indexes).
   * WRONGTYPE if not an array.
   */
  public static void ardel(Call call) {
    if (!ArrayIndex.areValid(call, 2, 1)) return;
    RedisArray array = call.write(1, RedisArray.class);
    if (call.failed()) return;
    long deleted = 0;
    for (int i = 2; i < call.argc() && array != null; i++) {
      long index = ArrayIndex.parse(call, i);
      deleted += array.removeRange(index, index);
    }
    finishDeletion(call, array, deleted, "ardel");
  }

  /**
   * ARDELRANGE key start end [start end ...]: deletes the elements in ranges, whichever bound is
   * greater; replies how many there were. O(elements). WRONGTYPE if not an array.
   */
  public static void ardelrange(Call call) {
    if (call.argc() % 2 != 0) {
      Arguments.wrongArity(call, "ardelrange");
      return;
    }
    if (!ArrayIndex.areValid(call, 2, 1)) return;
    RedisArray array = call.write(1, RedisArray.class);
    if (call.failed()) return;
    long deleted = 0;
    for (int i = 2; i < call.argc() && array != null; i += 2) {
      long start = ArrayIndex.parse(call, i);
      long end = ArrayIndex.parse(call, i + 1);
      boolean isUp = Long.compareUnsigned(start, end) <= 0;
      deleted += isUp ? array.removeRange(start, end) : array.removeRange(end, start);
    }
    finishDeletion(call, array, deleted, "ardelrange");
  }

  private static void finishDeletion(
      Call call, @Nullable RedisArray array, long deleted, String event) {
    if (array != null && deleted > 0) {
      call.changed(1, KeyspaceEvent.ARRAY, event, deleted);
      call.removeIfEmpty(1, array);
    }
    call.reply().integer(deleted);
  }

  // Inserting

  /**
   * ARINSERT key value [value ...]: sets elements from the insert position on, creating the array;
   * replies the last index. O(values). WRONGTYPE if not an array.
   */
  public static void arinsert(Call call) {
    RedisArray array = call.write(1, RedisArray.class);
    if (call.failed()) return;
    int values = call.argc() - 2;
    long index = array == null ? 0 : array.nextInsert();
    if (index == END || !fits(index, values)) {
      call.error(INSERT_OVERFLOW);
      return;
    }
    RedisArray target = writable(call);
    if (target == null) return;
    int unused = setAll(call, target, index, 2);
    target.nextInsert(index + values);
    call.changed(1, KeyspaceEvent.ARRAY, "arinsert", values);
    ArrayIndex.reply(call.reply(), index + values - 1);
  }

  /**
   * ARRING key size value [value ...]: sets elements from the insert position on, beginning at 0
   * again after {@code size}; replies the last index. O(values), and O(elements) when the ring
   * changes its size. WRONGTYPE if not an array.
   */
  public static void arring(Call call) {
    long size = call.integer(2, "ERR invalid size");
    if (!call.failed() && size <= 0) call.error("ERR size must be positive");
    if (call.failed()) return;
    RedisArray array = writable(call);
    if (array == null) return;
    ArrayRing ring = new ArrayRing(array, size);
    long index = 0;
    for (int i = 3; i < call.argc(); i++) {
      index = ring.insert(call.slice(i));
    }
    call.changed(1, KeyspaceEvent.ARRAY, "arring", call.argc() - 3);
    call.reply().integer(index);
  }

  /**
   * ARNEXT key: replies the insert position, 0 if absent, nil after the highest index. O(1).
   * WRONGTYPE if not an array.
   */
  public static void arnext(Call call) {
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    if (array != null && array.isInsertExhausted()) call.reply().nil();
    else ArrayIndex.reply(call.reply(), array == null ? 0 : array.nextInsert());
  }

  /**
   * ARSEEK key index: sets the insert position, which may be after the highest index; replies 1, or
   * 0 if absent. O(1). WRONGTYPE if not an array.
   */
  public static void arseek(Call call) {
    long index = ArrayIndex.parsePosition(call, 2);
    if (call.failed()) return;
    RedisArray array = call.write(1, RedisArray.class);
    if (call.failed()) return;
    if (array != null) {
      array.nextInsert(index);
      call.changed(1, KeyspaceEvent.ARRAY, "arseek");
    }
    call.reply().integer(array == null ? 0 : 1);
  }

  /**
   * ARLASTITEMS key count [REV]: replies the elements before the insert position, wrapping around
   * at 0, oldest first, or with REV newest first; nil where there is no element. O(count).
   * WRONGTYPE if not an array.
   */
  public static void arlastitems(Call call) {
    long most = call.integer(2, "ERR invalid COUNT");
    if (call.failed()) return;
    boolean isReversed = call.argc() == 4 && call.is(3, "REV");
    if (most <= 0) call.reply().array(0);
    else if (call.argc() > 4) Arguments.wrongArity(call, "arlastitems");
    else if (call.argc() == 4 && !isReversed) call.syntaxError();
    else replyLast(call, most, isReversed);
  }

  private static void replyLast(Call call, long most, boolean isReversed) {
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    int count = array == null ? 0 : (int) Math.min(most, array.size());
    call.reply().array(count);
    if (array == null) return;
    long length = array.length();
    long newest = (array.isInsertReset() ? length : array.nextInsert()) - 1;
    for (int i = 0; i < count; i++) {
      long back = isReversed ? i : count - 1 - i;
      boolean goesRound = Long.compareUnsigned(back, newest) > 0;
      reply(call, array, goesRound ? length + newest - back : newest - back);
    }
  }
}
