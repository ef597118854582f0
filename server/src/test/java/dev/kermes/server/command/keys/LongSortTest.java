package dev.kermes.server.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of {@link LongSort} against that of the JDK, for digits of any number. */
final class LongSortTest {

  private static final int[] SIZES = {0, 1, 2, 63, 64, 65, 100, 2047, 2048, 3000};

  @Test
  void sort_equalsTheJdk() {
    Random random = new Random(1);
    for (int size : SIZES) {
      for (int bits = 0; bits < Long.SIZE; bits += 3) {
        int shift = bits;
        long[] longs = random.longs(size).map(each -> each >> shift).toArray();
        assertSorts(longs, 0);
        assertSorts(random.longs(size).map(each -> each << shift).toArray(), 0);
      }
    }
  }

  @Test
  void sort_ofExtremes() {
    long[] longs = new long[100];
    for (int i = 0; i < longs.length; i++) longs[i] = i % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    assertSorts(longs, 0);
    assertSorts(new long[100], 0);
  }

  @Test
  void sort_ignoringAscendingBits() {
    Random random = new Random(2);
    for (int size : SIZES) {
      int ignored = 12;
      long[] longs = new long[size];
      for (int i = 0; i < size; i++) longs[i] = (long) random.nextInt(-50, 50) << ignored | i;
      assertSorts(longs, ignored);
    }
  }

  private static void assertSorts(long[] longs, int ignored) {
    long[] expected = longs.clone();
    Arrays.sort(expected);
    LongSort.sort(longs, ignored);
    assertThat(longs).isEqualTo(expected);
  }
}
