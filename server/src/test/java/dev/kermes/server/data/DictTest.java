package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DictTest {

  private static final int KEYS = 20_000;

  private final Dict dict = new Dict(7);

  private static byte[] key(int number) {
    return ("key:" + number).getBytes(StandardCharsets.US_ASCII);
  }

  private static String name(Object slot) {
    return new String(Dict.keyOf(slot), StandardCharsets.US_ASCII);
  }

  private void put(int from, int to) {
    for (int i = from; i < to; i++) {
      int size = dict.size();
      Object stored = dict.put(Record.of(key(i), new byte[0]));
      assertThat(Dict.keyOf(stored)).isEqualTo(key(i));
      assertThat(dict.size()).isEqualTo(size + 1);
    }
  }

  private void assertHas(int count) {
    assertThat(dict.size()).isEqualTo(count);
    for (int i = 0; i < count; i++) assertThat(dict.find(key(i))).as("key %d", i).isNotNull();
    assertThat(dict.find(key(count))).isNull();
    Set<String> scanned = new HashSet<>();
    long cursor = 0;
    int counted = 0;
    do {
      counted += dict.countAt(cursor);
      cursor =
          dict.scan(cursor, slot -> true, slot -> assertThat(scanned.add(name(slot))).isTrue());
    } while (cursor != 0);
    assertThat(scanned).hasSize(count);
    assertThat(counted).isEqualTo(count);
    Set<String> swept = new HashSet<>();
    do {
      cursor = dict.sweep(cursor, slot -> assertThat(swept.add(name(slot))).isTrue());
    } while (cursor != 0);
    assertThat(swept).isEqualTo(scanned);
    Set<String> first = new HashSet<>();
    int wanted = count / 3;
    dict.forEachWhile(() -> first.size() < wanted, slot -> first.add(name(slot)));
    assertThat(first.size()).isBetween(wanted, wanted + 8);
    dict.forEachWhile(() -> true, slot -> first.add(name(slot)));
    assertThat(first).isEqualTo(scanned);
  }

  /** The expected number is none, one, too few, exact, or too many. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, KEYS, 10 * KEYS})
  void expect_howeverMany_allKeysAreFoundAndScannedOnce(int expected) {
    dict.expect(expected);
    assertThat(dict.size()).isZero();
    put(0, KEYS);
    assertHas(KEYS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void expect_ofTableWithKeys_keepsThem(int count) {
    put(0, count);
    dict.expect(KEYS);
    assertHas(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, KEYS})
  void expect_thenRemoved_nothingIsLeft(int count) {
    dict.expect(KEYS);
    put(0, count);
    for (int i = 0; i < count; i++) assertThat(dict.remove(key(i))).isTrue();
    assertHas(0);
  }
}
