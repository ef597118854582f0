package dev.kermes.server.command.keys;

import java.util.Arrays;

/**
 * A stable radix sort of longs, from the lowest digit to the highest. It visits only the digits in
 * which the longs differ: 10,000 integers below 100,000 take two rounds.
 */
final class LongSort {

  /** 64: fewer longs are sorted faster by comparisons. */
  private static final int SIZE_MIN = 64;

  /** The bits of a digit: the counts of few longs would take longer than the longs. */
  private static final int DIGIT_MAX = 8;

  private static final int LARGE_SIZE = 2048;
  private static final int LARGE_DIGIT_MAX = 11;

  private LongSort() {}

  /** Sorts in ascending order. */
  static void sort(long[] longs) {
    sort(longs, 0);
  }

  /**
   * Sorts in ascending order by all but the lowest {@code ignored} bits, which must be ascending
   * already.
   */
  static void sort(long[] longs, int ignored) {
    if (longs.length < SIZE_MIN) Arrays.sort(longs);
    else sortDigits(longs, ignored);
  }

  private static void sortDigits(long[] longs, int ignored) {
    long least = Long.MAX_VALUE;
    for (long each : longs) least = Math.min(least, each);
    least &= -1L << ignored; // so that the differences have the ignored bits
    long differing = 0;
    for (long each : longs) differing |= each - least;
    differing &= -1L << ignored;
    if (differing == 0) return;
    int from = Long.numberOfTrailingZeros(differing);
    int bits = Long.SIZE - Long.numberOfLeadingZeros(differing) - from;
    int digitMax = longs.length < LARGE_SIZE ? DIGIT_MAX : LARGE_DIGIT_MAX;
    int rounds = (bits + digitMax - 1) / digitMax;
    sortDigits(longs, least, from, rounds, (bits + rounds - 1) / rounds);
  }

  private static void sortDigits(long[] longs, long least, int from, int rounds, int digit) {
    long[] source = longs;
    long[] target = new long[longs.length];
    int[] places = new int[1 << digit];
    for (int round = 0; round < rounds; round++, from += digit) {
      if (round > 0) Arrays.fill(places, 0);
      int mask = places.length - 1;
      for (long each : source) places[(int) (each - least >>> from) & mask]++;
      int place = 0;
      for (int i = 0; i < places.length; i++) {
        int count = places[i];
        places[i] = place;
        place += count;
      }
      for (long each : source) target[places[(int) (each - least >>> from) & mask]++] = each;
      long[] sorted = target;
      target = source;
      source = sorted;
    }
    if (source != longs) System.arraycopy(source, 0, longs, 0, longs.length);
  }
}
