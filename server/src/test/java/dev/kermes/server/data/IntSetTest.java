package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class IntSetTest {

  private static List<Long> elements(IntSet set) {
    List<Long> elements = new ArrayList<>();
    for (int i = 0; i < set.size(); i++) elements.add(set.get(i));
    return elements;
  }

  @Test
  void randomOperations_matchATreeSetThroughEveryWidth() {
    for (int width : new int[] {8, 15, 16, 31, 32, 63, 64}) {
      Random random = new Random(width);
      IntSet set = new IntSet();
      TreeSet<Long> model = new TreeSet<>();
      for (int step = 0; step < 2000; step++) {
        long value = random.nextLong() >> 64 - width;
        if (random.nextInt(3) > 0) assertThat(set.add(value)).isEqualTo(model.add(value));
        else assertThat(set.remove(value)).isEqualTo(model.remove(value));
        assertThat(set.contains(value)).isEqualTo(model.contains(value));
        Long some = model.isEmpty() ? null : model.ceiling(random.nextLong() >> 64 - width);
        if (some != null && random.nextBoolean()) {
          assertThat(set.remove(some)).isTrue();
          model.remove(some);
        }
      }
      assertThat(elements(set)).isEqualTo(new ArrayList<>(model));
      assertThat(elements(set.copy())).isEqualTo(new ArrayList<>(model));
    }
  }

  @Test
  void add_extremes_areSorted() {
    IntSet set = new IntSet();
    for (long value : new long[] {0, 32_768, -32_769, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31}) {
      assertThat(set.add(value)).isTrue();
    }
    assertThat(elements(set))
        .containsExactly(Long.MIN_VALUE, -32_769L, 0L, 32_768L, 1L << 31, Long.MAX_VALUE);
  }
}
