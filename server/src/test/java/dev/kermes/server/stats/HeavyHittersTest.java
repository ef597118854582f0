package dev.kermes.server.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.data.ByteKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The heavy among more keys than can be known. */
final class HeavyHittersTest {

  private static final int KEYS_MAX = 100;

  private final HeavyHitters hitters = new HeavyHitters(KEYS_MAX);

  @Test
  void largest_ofFewKeys_isExact() {
    add("a", 1);
    add("b", 5);
    add("a", 3);
    add("c", 0);
    assertThat(largest(10)).containsExactly("b=5", "a=4");
    assertThat(largest(1)).containsExactly("b=5");
    assertThat(hitters.total()).isEqualTo(9);
  }

  @Test
  void largest_amongManyRareKeys_findsTheHeavy_neverTooLargeAndHardlyTooSmall() {
    Random random = new Random(1);
    long heavy = 0;
    for (int i = 0; i < 100_000; i++) {
      boolean isHeavy = random.nextInt(10) == 0;
      if (isHeavy) heavy += 3;
      add(isHeavy ? "heavy" : "rare" + i, 3);
    }
    Map.Entry<ByteKey, Long> first = hitters.largest(10).getFirst();
    assertThat(text(first)).startsWith("heavy=");
    long errorMax = 2 * hitters.total() / KEYS_MAX;
    assertThat(first.getValue()).isBetween(heavy - errorMax, heavy);
  }

  @Test
  void largest_ofKeysAllAlike_knowsNoMoreThanItMay() {
    for (int i = 0; i < 10 * KEYS_MAX; i++) add("k" + i, 1);
    assertThat(hitters.largest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(KEYS_MAX);
    assertThat(hitters.total()).isEqualTo(10 * KEYS_MAX);
  }

  private void add(String key, long amount) {
    hitters.add(new ByteKey(key.getBytes(StandardCharsets.US_ASCII)), amount);
  }

  private List<String> largest(int countMax) {
    return hitters.largest(countMax).stream().map(HeavyHittersTest::text).toList();
  }

  private static String text(Map.Entry<ByteKey, Long> entry) {
    return new String(entry.getKey().bytes(), StandardCharsets.US_ASCII) + "=" + entry.getValue();
  }
}
