package dev.kermes.server.testing.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShrinkerTest {

  private static final List<Integer> NUMBERS = IntStream.range(0, 1000).boxed().toList();

  @Test
  void shrink_oneCulprit_leavesItAlone() {
    for (int culprit : List.of(0, 1, 499, 500, 999)) {
      assertThat(Shrinker.shrink(NUMBERS, 1000, list -> list.contains(culprit)))
          .containsExactly(culprit);
    }
  }

  @Test
  void shrink_culpritsTogether_leavesAllInTheirOrder() {
    Random random = new Random(1);
    for (int i = 0; i < 50; i++) {
      List<Integer> culprits = random.ints(0, 1000).distinct().limit(4).sorted().boxed().toList();
      assertThat(Shrinker.shrink(NUMBERS, 100_000, list -> list.containsAll(culprits)))
          .isEqualTo(culprits);
    }
  }

  @Test
  void shrink_anyTwoWillDo_leavesTwo() {
    assertThat(Shrinker.shrink(NUMBERS, 1000, list -> list.size() >= 2)).hasSize(2);
  }

  @Test
  void shrink_isSmallInFewTries() {
    int[] tries = {0};
    List<Integer> left =
        Shrinker.shrink(
            NUMBERS,
            1000,
            list -> {
              tries[0]++;
              return list.contains(77) && list.contains(900);
            });
    assertThat(left).containsExactly(77, 900);
    assertThat(tries[0]).isLessThan(100);
  }

  @Test
  void shrink_outOfTries_stillFails() {
    List<Integer> left = Shrinker.shrink(NUMBERS, 3, list -> list.contains(3));
    assertThat(left).contains(3).hasSizeLessThan(1000);
  }
}
