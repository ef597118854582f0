package dev.kermes.server.command.info;

import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;

/** Estimates the bytes of a key with its value on the heap, as the memory account does. O(1). */
public final class MemoryUsage {

  /** The header and padding of an array. */
  private static final int ARRAY = 24;

  /** The share of a table: a reference and a tag per entry, at two thirds full. */
  private static final int TABLE_ENTRY = 8;

  /** The fields of a value object and its first array. */
  private static final int VALUE = 72;

  private MemoryUsage() {}

  public static long of(Object slot) {
    if (slot instanceof Record record) return TABLE_ENTRY + record.bytes();
    Value value = (Value) slot;
    return TABLE_ENTRY + VALUE + ARRAY + value.key().length + value.contentBytes();
  }
}
