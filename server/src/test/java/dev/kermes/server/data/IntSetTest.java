package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
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

  private static IntSet some(Random random, int width) {
    IntSet some = new IntSet();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      boolean unused = some.add(random.nextLong() >> 64 - width);
    }
    return some;
  }

  @Test
  void with_another_isTheUnion() {
    Random random = new Random(1);
    for (int round = 0; round < 1000; round++) {
      IntSet a = some(random, 1 + random.nextInt(64));
      IntSet b = some(random, 1 + random.nextInt(64));
      TreeSet<Long> model = new TreeSet<>(elements(a));
      model.addAll(elements(b));
      IntSet union = a.with(b);
      assertThat(elements(union)).isEqualTo(new ArrayList<>(model));
      assertThat(union.add(Long.MIN_VALUE)).isEqualTo(model.add(Long.MIN_VALUE));
      assertThat(elements(union)).isEqualTo(new ArrayList<>(model));
    }
  }

  @Test
  void firstFrom_isTheFirstThatIsNotSmaller() {
    Random random = new Random(1);
    for (int round = 0; round < 1000; round++) {
      IntSet set = some(random, 8);
      long value = random.nextInt(300) - 150L;
      int expected = (int) elements(set).stream().filter(each -> each < value).count();
      for (int from = 0; from <= expected; from++) {
        assertThat(set.firstFrom(value, from)).isEqualTo(expected);
      }
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

  private static @Nullable IntSet ofRedis(int width, long... values) {
    ByteBuffer form = ByteBuffer.allocate(8 + values.length * width).order(ByteOrder.LITTLE_ENDIAN);
    form.putInt(width).putInt(values.length);
    for (long value : values) {
      if (width == 2) form.putShort((short) value);
      else if (width == 4) form.putInt((int) value);
      else form.putLong(value);
    }
    return IntSet.ofRedis(form.array());
  }

  @Test
  void ofRedis_integersOfAnyWidth_areTheSame() {
    for (long high : new long[] {500, 70_000, 1L << 40}) {
      int width = high == 500 ? 2 : high == 70_000 ? 4 : 8;
      IntSet read = Objects.requireNonNull(ofRedis(width, -7, 0, 12, high));
      assertThat(elements(read)).containsExactly(-7L, 0L, 12L, high);
      assertThat(read.add(13)).isTrue();
      assertThat(read.contains(13)).isTrue();
    }
  }

  @Test
  void ofRedis_whatIsNotAsRedisKeepsIt_isNone() {
    assertThat(ofRedis(2)).isNull();
    assertThat(ofRedis(2, 1, 1)).isNull();
    assertThat(ofRedis(2, 2, 1)).isNull();
    assertThat(ofRedis(4, 1, 2)).isNull();
    assertThat(IntSet.ofRedis(new byte[7])).isNull();
    assertThat(IntSet.ofRedis(new byte[] {2, 0, 0, 0, 2, 0, 0, 0, 1, 0})).isNull();
    assertThat(IntSet.ofRedis(new byte[] {3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0})).isNull();
  }
}
