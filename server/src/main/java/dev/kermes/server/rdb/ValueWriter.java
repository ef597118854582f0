package dev.kermes.server.rdb;

import dev.kermes.server.data.ModuleValue;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisArray;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.RedisStream;
import java.util.function.LongUnaryOperator;

/**
 * Writes values in the oldest form that can represent them fully, so that old servers can read
 * every value that does not need a new form. Lists and streams are written in their memory layout.
 */
public final class ValueWriter {

  private static final int PACKED_NODE = 2;

  /** The tag of an array element written as text. */
  static final int ARRAY_TEXT = 0;

  private static final int INSERTED = 1;

  /** The number of members of a large value that are written at a time. */
  private static final int MEMBERS_AT_A_TIME = 64;

  /** The unwritten rest of a value; the value must not change before it is written. */
  @FunctionalInterface
  interface Rest {

    /** Writes a part of it; returns whether there is still more. */
    boolean write();
  }

  private static final Rest NOTHING = () -> false;

  private final RdbOutput out;
  private final long nowMillis;

  /** {@code nowMillis}: Unix time that decides whether idempotent IDs have expired. */
  public ValueWriter(RdbOutput out, long nowMillis) {
    this.out = out;
    this.nowMillis = nowMillis;
  }

  /** The lowest version of the format in which a value can be read. */
  public static int versionOf(Object slot) {
    return switch (slot) {
      case RedisHash hash when hash.hasExpiring() -> RdbFormat.VERSION_FIELD_EXPIRY;
      case RedisStream stream when isNew(stream) -> RdbFormat.VERSION_MAX;
      case RedisArray array -> RdbFormat.VERSION_MAX;
      default -> RdbFormat.VERSION;
    };
  }

  private static boolean isNew(RedisStream stream) {
    if (stream.hasProducers()) return true;
    for (ConsumerGroup group : stream.groups()) if (group.givenBack() > 0) return true;
    return false;
  }

  /** Writes the type of a slot of the keyspace. */
  public void writeType(Object slot) {
    out.put(typeOf(slot));
  }

  private static int typeOf(Object slot) {
    return switch (slot) {
      case RedisList list -> RdbFormat.LIST_QUICKLIST_2;
      case RedisSet set -> RdbFormat.SET;
      case RedisSortedSet set -> RdbFormat.ZSET_2;
      case RedisHash hash -> hash.hasExpiring() ? RdbFormat.HASH_METADATA : RdbFormat.HASH;
      case RedisStream stream ->
          isNew(stream) ? RdbFormat.STREAM_LISTPACKS_5 : RdbFormat.STREAM_LISTPACKS_2;
      case RedisArray array -> RdbFormat.ARRAY;
      case ModuleValue value -> RdbFormat.MODULE_2;
      default -> RdbFormat.STRING;
    };
  }

  /** Writes the content of a slot, without its key and expiry. */
  public void write(Object slot) {
    Rest rest = begin(slot);
    boolean hasMore = true;
    while (hasMore) hasMore = rest.write();
  }

  /** Begins to write the content of a slot. */
  Rest begin(Object slot) {
    return switch (slot) {
      case Record record -> whole(record.array(), record.valueOffset(), record.valueLength());
      case RawString string -> whole(string.array(), string.offset(), string.length());
      case RedisList list -> begin(list);
      case RedisSet set -> begin(set);
      case RedisSortedSet set -> begin(set);
      case RedisHash hash -> begin(hash);
      case RedisStream stream -> new StreamWriter(out, nowMillis).begin(stream, isNew(stream));
      case RedisArray array -> begin(array);
      case ModuleValue value -> begin(value);
      default -> throw new IllegalArgumentException("no value of a keyspace: " + slot.getClass());
    };
  }

  private Rest whole(byte[] string, int offset, int length) {
    out.putString(string, offset, length);
    return NOTHING;
  }

  private Rest begin(ModuleValue value) {
    out.put(value.form(), 0, value.form().length);
    return NOTHING;
  }

  private Rest begin(RedisList list) {
    out.putLength(list.packCount());
    return new Rest() {
      private int next;

      @Override
      public boolean write() {
        out.putLength(PACKED_NODE);
        out.putPack(list.pack(next++));
        return next < list.packCount();
      }
    };
  }

  private Rest begin(RedisSet set) {
    out.putLength(set.size());
    return scanning(cursor -> set.scan(cursor, out::putString));
  }

  private Rest begin(RedisHash hash) {
    RedisHash.FieldVisitor writer = hash.hasExpiring() ? expiringWriter(hash) : this::put;
    out.putLength(hash.size());
    return scanning(cursor -> hash.scan(cursor, RedisHash.WITH_DUE, writer));
  }

  private RedisHash.FieldVisitor expiringWriter(RedisHash hash) {
    long first = firstExpiry(hash);
    out.putLong(first);
    Slice field = new Slice();
    return (f, fieldOffset, fieldLength, v, valueOffset, valueLength) -> {
      field.wrap(f, fieldOffset, fieldLength);
      putExpiry(hash.fieldExpireAtMillis(field), first);
      put(f, fieldOffset, fieldLength, v, valueOffset, valueLength);
    };
  }

  private void put(
      byte[] field,
      int fieldOffset,
      int fieldLength,
      byte[] value,
      int valueOffset,
      int valueLength) {
    out.putString(field, fieldOffset, fieldLength);
    out.putString(value, valueOffset, valueLength);
  }

  /** Writes by the steps of a scan, which returns its next cursor, 0 at the end. */
  private static Rest scanning(LongUnaryOperator scan) {
    return new Rest() {
      private long cursor;

      @Override
      public boolean write() {
        cursor = scan.applyAsLong(cursor);
        return cursor != 0;
      }
    };
  }

  private Rest begin(RedisSortedSet set) {
    out.putLength(set.size());
    return new Rest() {
      private long rank;

      @Override
      public boolean write() {
        set.forEach(
            rank,
            MEMBERS_AT_A_TIME,
            (array, offset, length, score) -> {
              out.putString(array, offset, length);
              out.putLong(Double.doubleToRawLongBits(score));
            });
        rank += MEMBERS_AT_A_TIME;
        return rank < set.size();
      }
    };
  }

  /** Writes one more than the time from the first expiry to this one; 0 for no expiry. */
  private void putExpiry(long expireAtMillis, long first) {
    out.putLength(expireAtMillis == Value.NEVER ? 0 : expireAtMillis - first + 1);
  }

  private static long firstExpiry(RedisHash hash) {
    long[] first = {Long.MAX_VALUE};
    Slice field = new Slice();
    hash.forEach(
        RedisHash.WITH_DUE,
        (f, fieldOffset, fieldLength, v, valueOffset, valueLength) -> {
          long at = hash.fieldExpireAtMillis(field.wrap(f, fieldOffset, fieldLength));
          if (at != Value.NEVER) first[0] = Math.min(first[0], at);
        });
    return first[0];
  }

  private Rest begin(RedisArray array) {
    out.putLength(array.size());
    boolean hasInserted = !array.isInsertReset();
    out.putLength(hasInserted ? INSERTED : 0);
    if (hasInserted) out.putLength(array.nextInsert() - 1);
    return new Rest() {
      private long next;
      private long left = array.size();

      @Override
      public boolean write() {
        long end = Math.max(0, left - MEMBERS_AT_A_TIME);
        array.forEach(
            next,
            -1,
            (index, bytes, offset, length) -> {
              out.putLength(index);
              out.putLength(ARRAY_TEXT);
              out.putString(bytes, offset, length);
              next = index + 1;
              return --left > end;
            });
        return left > 0;
      }
    };
  }
}
