package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/**
 * The positive integer keys of a table, counted by size, from which Lua 5.1 chooses the size of the
 * array part: the largest power of two of which more than half would be used.
 *
 * <pre>
 *   counts[i]   number of keys in (2^(i-1), 2^i]
 * </pre>
 */
final class IntegerKeys {

  private static final int BITS_MAX = 26;

  private final int[] counts = new int[BITS_MAX + 1];
  private int total;

  /** Counts the keys of an array part: those with a value. */
  void addAll(@Nullable Object[] array) {
    int at = 0;
    for (int bits = 0; at < array.length; bits++) {
      int used = 0;
      for (int end = Math.min(1 << bits, array.length); at < end; at++) {
        if (array[at] != null) used++;
      }
      counts[bits] += used;
      total += used;
    }
  }

  private void add(int key) {
    counts[ceilLog2(key)]++;
    total++;
  }

  /** Returns how many keys were counted. */
  int total() {
    return total;
  }

  /** Counts a key unless it is a fraction, not positive, or too large for an array part. */
  void add(double key) {
    int index = (int) key;
    if (index == key && index >= 1 && index <= 1 << BITS_MAX) add(index);
  }

  /** Returns the largest power of two of which more than half would be used; 0 if there is none. */
  int bestArraySize() {
    int sum = 0;
    int best = 0;
    for (int i = 0, size = 1; i < counts.length && size / 2 < total; i++, size *= 2) {
      sum += counts[i];
      if (counts[i] > 0 && sum > size / 2) best = size;
      if (sum == total) break;
    }
    return best;
  }

  /** Returns how many of the keys are at most {@code size}, a power of two. */
  int countUpTo(int size) {
    int sum = 0;
    for (int i = 0; i < counts.length && 1 << i <= size; i++) sum += counts[i];
    return sum;
  }

  /** Returns the exponent of the smallest power of two that is at least {@code n}. */
  static int ceilLog2(int n) {
    return 32 - Integer.numberOfLeadingZeros(n - 1);
  }
}
