package dev.kermes.commands;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a value by a short ASCII name in any case. Hot path: once per command; no allocation.
 *
 * <p>A name is packed into three words of eight bytes, upper-cased eight bytes at a time. Reads
 * overlap instead of stopping at the end, so that no loop can be mispredicted; together with the
 * length the words still determine the name:
 *
 * <pre>
 *   "set"              middle = SET   (first, middle and last byte)
 *   "lpush"            LPUS, PUSH
 *   "zrangebyscore"    ZRANGEBY, EBYSCORE
 * </pre>
 *
 * <p>An open-addressed table less than one quarter full holds the words; a probe reads one stretch
 * of memory. Immutable.
 */
final class NameIndex<T> {
  static final int NAME_LENGTH_MAX = 24;

  private static final int STRIDE = 4;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final long[] words;
  private final @Nullable Object[] values;
  private final int mask;
  private final int shift;

  /** Indexes items by names; the two lists are parallel. */
  NameIndex(List<String> names, List<? extends T> items) {
    int capacity = Integer.highestOneBit(Math.max(1, items.size()) * 4) << 1;
    this.words = new long[capacity * STRIDE];
    this.values = new @Nullable Object[capacity];
    this.mask = capacity - 1;
    this.shift = Long.numberOfLeadingZeros(mask);
    for (int i = 0; i < names.size(); i++) {
      insert(names.get(i), items.get(i));
    }
  }

  /** The value under a name, or null. */
  @Nullable T find(byte[] bytes, int offset, int length) {
    if (length <= 8) {
      return length == 0 ? null : find(pack(bytes, offset, length), 0, 0, length);
    }
    if (length > NAME_LENGTH_MAX) {
      return null;
    }
    long first = eight(bytes, offset);
    long last = eight(bytes, offset + length - 8);
    return find(first, last, length <= 16 ? 0 : eight(bytes, offset + 8), length);
  }

  @SuppressWarnings("unchecked") // only T is stored
  private @Nullable T find(long first, long second, long third, int length) {
    int slot = slot(first, second, third);
    while (true) {
      int at = slot * STRIDE;
      Object value = values[slot];
      if (value == null) {
        return null;
      }
      if (words[at] == first
          && words[at + 1] == second
          && words[at + 2] == third
          && words[at + 3] == length) {
        return (T) value;
      }
      slot = (slot + 1) & mask;
    }
  }

  private void insert(String name, T item) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    int length = bytes.length;
    long first = length <= 8 ? pack(bytes, 0, length) : eight(bytes, 0);
    long second = length <= 8 ? 0 : eight(bytes, length - 8);
    long third = length <= 16 ? 0 : eight(bytes, 8);
    int slot = slot(first, second, third);
    while (values[slot] != null) {
      slot = (slot + 1) & mask;
    }
    words[slot * STRIDE] = first;
    words[slot * STRIDE + 1] = second;
    words[slot * STRIDE + 2] = third;
    words[slot * STRIDE + 3] = length;
    values[slot] = item;
  }

  /** Multiplies once and keeps the high bits, which depend on all others. */
  private int slot(long first, long second, long third) {
    long folded = first ^ Long.rotateLeft(second, 29) ^ Long.rotateLeft(third, 17);
    return (int) ((folded * 0x9E3779B97F4A7C15L) >>> shift);
  }

  /** One to eight bytes. */
  private static long pack(byte[] bytes, int offset, int length) {
    if (length >= 4) {
      return upperCase(four(bytes, offset) | four(bytes, offset + length - 4) << 32);
    }
    return upperCase(
        (bytes[offset] & 0xFFL)
            | (bytes[offset + (length >> 1)] & 0xFFL) << 8
            | (bytes[offset + length - 1] & 0xFFL) << 16);
  }

  private static long eight(byte[] bytes, int offset) {
    return upperCase(four(bytes, offset) | four(bytes, offset + 4) << 32);
  }

  private static long four(byte[] bytes, int offset) {
    return (bytes[offset] & 0xFFL)
        | (bytes[offset + 1] & 0xFFL) << 8
        | (bytes[offset + 2] & 0xFFL) << 16
        | (bytes[offset + 3] & 0xFFL) << 24;
  }

  /** Upper-cases the ASCII letters among eight bytes and leaves every other byte as it is. */
  private static long upperCase(long word) {
    long low = word & ~HIGH_BITS;
    long fromA = low + 0x1F1F1F1F1F1F1F1FL; // high bit set: byte >= 'a'
    long afterZ = low + 0x0505050505050505L; // high bit set: byte > 'z'
    long letters = fromA & ~afterZ & ~word & HIGH_BITS;
    return word - (letters >>> 2);
  }
}
