package dev.kermes.server.command.info;

import dev.kermes.server.data.ModuleValue;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisArray;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Value;

/** Estimates the bytes of a key with its value on the heap, by counting its content. */
public final class MemoryUsage {

  /** The header and padding of an array. */
  private static final int ARRAY = 24;

  /** The share of a table: a reference and a tag per entry, at two thirds full. */
  private static final int TABLE_ENTRY = 8;

  /** The fields of a value object and its first array. */
  private static final int VALUE = 72;

  /** The memory of one element of a collection besides its bytes. */
  private static final int ELEMENT = 2;

  private MemoryUsage() {}

  public static long of(Object slot) {
    if (slot instanceof Record record) return TABLE_ENTRY + record.bytes();
    Value value = (Value) slot;
    long[] bytes = {TABLE_ENTRY + VALUE + ARRAY + (long) value.key().length};
    if (value instanceof RedisList list) {
      list.forEach(0, list.size(), (array, offset, length) -> bytes[0] += ELEMENT + length);
    } else if (value instanceof RedisSet set) {
      set.forEach((array, offset, length) -> bytes[0] += perElement(value) + length);
    } else if (value instanceof RedisHash hash) {
      hash.forEach(
          RedisHash.WITH_DUE,
          (fields, field, fieldLength, values, valueOffset, valueLength) ->
              bytes[0] += perElement(value) + fieldLength + valueLength);
    } else if (value instanceof RedisSortedSet set) {
      set.forEach((array, offset, length, score) -> bytes[0] += 8 + perElement(value) + length);
    } else if (value instanceof RedisArray || value instanceof ModuleValue) {
      bytes[0] += value.contentBytes();
    } else {
      bytes[0] += value.size();
    }
    return bytes[0];
  }

  private static int perElement(Value value) {
    boolean isCompact =
        value.encoding().startsWith("listpack") || value.encoding().equals("intset");
    return isCompact ? ELEMENT : ARRAY + TABLE_ENTRY;
  }
}
