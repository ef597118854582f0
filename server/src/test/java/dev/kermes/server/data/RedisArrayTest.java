package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.resp.RespWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares arrays with a sorted map. */
final class RedisArrayTest {

  private static final String[] VALUES = {
    "",
    "a",
    "seven77",
    "eight888",
    "0",
    "-1",
    "007",
    "2305843009213693951",
    "2305843009213693952",
    "-2305843009213693952",
    "-2305843009213693953",
    "9223372036854775807",
    "\u0000\u00ff",
    "a longer text than fits in a word"
  };

  private final RedisArray array = new RedisArray();
  private final TreeMap<Long, String> expected = new TreeMap<>(Long::compareUnsigned);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] array, int offset, int length) {
    return new String(array, offset, length, StandardCharsets.ISO_8859_1);
  }

  private boolean set(long index, String value) {
    byte[] padded = bytes("<" + value + ">");
    return array.set(index, new Slice().wrap(padded, 1, padded.length - 2));
  }

  private static List<String> elements(RedisArray array, long start, long end) {
    List<String> elements = new ArrayList<>();
    array.forEach(
        start,
        end,
        (index, bytes, offset, length) ->
            elements.add(Long.toUnsignedString(index) + "=" + text(bytes, offset, length)));
    return elements;
  }

  private List<String> expectedElements(long start, long end) {
    List<String> elements = new ArrayList<>();
    boolean isUp = Long.compareUnsigned(start, end) <= 0;
    var range =
        isUp ? expected.subMap(start, true, end, true) : expected.subMap(end, true, start, true);
    range.forEach((index, value) -> elements.add(Long.toUnsignedString(index) + "=" + value));
    return isUp ? elements : elements.reversed();
  }

  /** A random index: near the others, within a few slices, or anywhere at all. */
  private static long index(Random random, int spread) {
    return switch (spread) {
      case 0 -> random.nextInt(60);
      case 1 -> random.nextInt(5 * ArraySlice.SIZE);
      default ->
          random.nextInt(4) == 0
              ? -2 - random.nextInt(9)
              : random.nextLong() >>> random.nextInt(60);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void randomChanges_asInASortedMap(int spread) {
    Random random = new Random(spread);
    for (int i = 0; i < 20_000; i++) {
      long index = index(random, spread);
      if (index == -1) continue;
      long other = random.nextBoolean() ? index : index(random, spread);
      switch (random.nextInt(8)) {
        case 0 -> assertThat(remove(index, index)).isTrue();
        case 1 -> assertThat(remove(index, random.nextInt(20) == 0 ? other : index + 3)).isTrue();
        default -> {
          String value = VALUES[random.nextInt(VALUES.length)];
          assertThat(set(index, value)).isEqualTo(expected.put(index, value) == null);
        }
      }
      assertThat(array.size()).isEqualTo(expected.size());
      assertThat(array.length()).isEqualTo(expected.isEmpty() ? 0 : expected.lastKey() + 1);
      assertThat(array.has(other)).isEqualTo(expected.containsKey(other));
      if (i % 50 == 0)
        assertThat(elements(array, index, other)).isEqualTo(expectedElements(index, other));
    }
    assertThat(elements(array, 0, -1)).isEqualTo(expectedElements(0, -1));
    assertThat(elements(array.copy(), -1, 0)).isEqualTo(expectedElements(-1, 0));
  }

  private boolean remove(long low, long high) {
    if (Long.compareUnsigned(low, high) > 0) return true;
    var range = expected.subMap(low, true, high, true);
    int size = range.size();
    range.clear();
    return array.removeRange(low, high) == size;
  }

  @Test
  void write_everyKindOfValue() {
    for (int i = 0; i < VALUES.length; i++) set(3L * i, VALUES[i]);
    for (int i = 0; i < VALUES.length; i++) {
      RespWriter out = new RespWriter(64);
      array.write(3L * i, out);
      String reply = text(out.toByteArray(), 0, out.size());
      assertThat(reply).isEqualTo("$" + VALUES[i].length() + "\r\n" + VALUES[i] + "\r\n");
    }
    RespWriter out = new RespWriter(64);
    array.write(1, out);
    assertThat(text(out.toByteArray(), 0, out.size())).isEqualTo("$-1\r\n");
  }

  @Test
  void contentBytes_ofShortValues_areFewPerElement() {
    for (int i = 0; i < 100_000; i++) set(i, "" + i);
    assertThat(array.contentBytes()).isLessThan(14 * 100_000);
    assertThat(array.layout().runs()).isEqualTo(array.layout().slices());
    long removed = array.removeRange(10, 99_989);
    assertThat(removed).isEqualTo(99_980);
    assertThat(array.contentBytes()).isLessThan(2000);
  }

  @Test
  void contentBytes_ofFarApartElements_areFewToo() {
    for (int i = 0; i < 1000; i++) set((long) i << 40, "x");
    assertThat(array.contentBytes()).isLessThan(1000 * 150);
  }

  @Test
  void runs_ofNeighboursInAnyOrder() {
    int[] order = {5, 3, 4, 9, 7, 8, 6};
    for (int index : order) set(index, "v" + index);
    assertThat(array.layout().runs()).isEqualTo(1);
    assertThat(array.removeRange(6, 6)).isEqualTo(1);
    assertThat(array.layout().runs()).isEqualTo(0);
    assertThat(elements(array, 0, 99))
        .containsExactly("3=v3", "4=v4", "5=v5", "7=v7", "8=v8", "9=v9");
  }
}
