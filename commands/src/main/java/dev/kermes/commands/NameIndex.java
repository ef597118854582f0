package dev.kermes.commands;

import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds a value by a short ASCII name in any case. Hot path: once per command; no allocation.
 *
 * <p>A name is packed into three words, upper-cased eight bytes at a time, so that two names are
 * equal exactly if their words and lengths are:
 *
 * <pre>
 *   "zrangebyscore"    first = ZRANGEBY    second = SCORE    third = 0
 * </pre>
 *
 * <p>An open-addressed table at most one quarter full holds the words; a probe reads one stretch of
 * memory. Immutable.
 */
final class NameIndex<T> {
  static final int NAME_LENGTH_MAX = 24;

  private static final int STRIDE = 4;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final long[] words;
  private final @Nullable Object[] values;
  private final int mask;

  NameIndex(Collection<? extends T> items, Function<? super T, String> name) {
    int capacity = Math.max(4, Integer.highestOneBit(Math.max(1, items.size() * 4 - 1)) << 1);
    this.words = new long[capacity * STRIDE];
    this.values = new @Nullable Object[capacity];
    this.mask = capacity - 1;
    for (T item : items) {
      insert(name.apply(item), item);
    }
  }

  /** The value under a name, or null. */
  @Nullable T find(byte[] bytes, int offset, int length) {
    if (length <= 8) {
      return find(pack(bytes, offset, length), 0, 0, length);
    }
    return length <= NAME_LENGTH_MAX ? findLong(bytes, offset, length) : null;
  }

  private @Nullable T findLong(byte[] bytes, int offset, int length) {
    long first = pack(bytes, offset, 8);
    if (length <= 16) {
      return find(first, pack(bytes, offset + 8, length - 8), 0, length);
    }
    return find(first, pack(bytes, offset + 8, 8), pack(bytes, offset + 16, length - 16), length);
  }

  @SuppressWarnings("unchecked") // only T goes in
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
    byte[] bytes = new byte[NAME_LENGTH_MAX];
    for (int i = 0; i < name.length(); i++) {
      bytes[i] = (byte) name.charAt(i);
    }
    long first = pack(bytes, 0, 8);
    long second = pack(bytes, 8, 8);
    long third = pack(bytes, 16, 8);
    int slot = slot(first, second, third);
    while (values[slot] != null) {
      slot = (slot + 1) & mask;
    }
    words[slot * STRIDE] = first;
    words[slot * STRIDE + 1] = second;
    words[slot * STRIDE + 2] = third;
    words[slot * STRIDE + 3] = name.length();
    values[slot] = item;
  }

  private int slot(long first, long second, long third) {
    long hash = (first * 0x9E3779B97F4A7C15L) ^ (second * 0xC2B2AE3D27D4EB4FL) ^ third;
    hash ^= hash >>> 32;
    return (int) ((hash * 0xD6E8FEB86659FD93L) >>> 40) & mask;
  }

  private static long pack(byte[] bytes, int offset, int length) {
    long word = 0;
    for (int i = 0; i < length; i++) {
      word |= (bytes[offset + i] & 0xFFL) << (i << 3);
    }
    return upperCase(word);
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
