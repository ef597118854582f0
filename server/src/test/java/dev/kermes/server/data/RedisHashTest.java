package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static dev.kermes.server.data.Bytes.written;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisHashTest {

  private static final long NOW = 1000;

  private final EncodingLimits limits = new EncodingLimits();
  private final RedisHash hash = new RedisHash();

  private boolean set(String field, String value) {
    byte[] f = bytes(field);
    byte[] v = bytes(value);
    return hash.set(Slice.of(f), Slice.of(v), limits, 42);
  }

  private static Map<String, String> fields(RedisHash hash) {
    Map<String, String> fields = new HashMap<>();
    hash.forEach(
        NOW,
        (f, fOffset, fLength, v, vOffset, vLength) ->
            assertThat(fields.put(text(f, fOffset, fLength), text(v, vOffset, vLength))).isNull());
    return fields;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void get_similarFieldsOfEveryLength_findsTheRightOne(boolean expires) {
    for (int length = 1; length < 70; length++) {
      RedisHash similar = new RedisHash();
      limits.hashMaxListpackValue(100);
      int count = 0;
      for (String each : Bytes.similar(length)) {
        Slice field = Slice.of(bytes(each));
        assertThat(similar.get(field, NOW)).isNull();
        similar.set(field, Slice.of(bytes("v" + count++)), limits, 42);
        if (expires) similar.allowExpiry();
      }
      for (String each : Bytes.similar(length).reversed()) {
        assertThat(similar.get(Slice.of(bytes(each)), NOW)).isEqualTo(bytes("v" + --count));
      }
      assertThat(similar.encoding()).startsWith("listpack");
    }
  }

  @ParameterizedTest
  @CsvSource({"512, listpack", "1, hashtable", "0, hashtable"})
  void anyOperation_inEveryEncoding_matches(int hashMaxListpackEntries, String encoding) {
    limits.hashMaxListpackEntries(hashMaxListpackEntries);
    assertThat(set("a", "1")).isTrue();
    assertThat(set("b", "two")).isTrue();
    assertThat(set("a", "one")).isFalse();
    assertThat(hash.encoding()).isEqualTo(encoding);
    assertThat(fields(hash)).isEqualTo(Map.of("a", "one", "b", "two"));
    assertThat(hash.get(Slice.of(bytes("b")), NOW)).isEqualTo(bytes("two"));
    assertThat(hash.get(Slice.of(bytes("c")), NOW)).isNull();
    assertThat(hash.valueLength(Slice.of(bytes("a")), NOW)).isEqualTo(3);
    assertThat(written(out -> hash.write(Slice.of(bytes("a")), NOW, out)))
        .isEqualTo("$3\r\none\r\n");
    assertThat(written(out -> hash.write(Slice.of(bytes("x")), NOW, out))).isEqualTo("$-1\r\n");
    assertThat(hash.remove(Slice.of(bytes("a")))).isTrue();
    assertThat(hash.remove(Slice.of(bytes("a")))).isFalse();
    assertThat(hash.size()).isEqualTo(1);
    assertThat(hash.encoding()).isEqualTo(encoding);
  }

  /** Texts of all short lengths, numbers as well, at the end of their arrays and before others. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 15, 16, 17, 40})
  void of_elements_hasTheFieldsThatSetAdds(int bytesBehind) {
    for (int lengthMax = 1; lengthMax < 40; lengthMax++) {
      RedisHash single = new RedisHash();
      Elements elements = new Elements();
      for (int length = 0; length < lengthMax; length++) {
        for (char first : new char[] {'1', 'x'}) {
          String text = String.valueOf(first).repeat(length) + first;
          elements.visit(bytes(text + "?".repeat(bytesBehind)), 0, text.length());
          elements.visit(bytes("??" + text + "?".repeat(bytesBehind)), 2, text.length());
          assertThat(single.set(Slice.of(bytes(text)), Slice.of(bytes(text)), limits, 42)).isTrue();
        }
      }
      RedisHash together = Objects.requireNonNull(RedisHash.of(elements, limits, 42));
      assertThat(together.encoding()).isEqualTo("listpack");
      assertThat(fields(together)).isEqualTo(fields(single));
    }
  }

  @ParameterizedTest
  @CsvSource({"a, b, a", "1, b, 1", "b, 12345678901234567, 12345678901234567", "'', b, ''"})
  void of_elements_withAFieldTwice_isNull(String first, String second, String third) {
    Elements elements = new Elements();
    for (String field : new String[] {first, second, third}) {
      elements.add(bytes(field));
      elements.add(bytes("value"));
    }
    assertThat(RedisHash.of(elements, limits, 42)).isNull();
  }

  @Test
  void set_valueLongerThanTheLimit_becomesAHashtable() {
    boolean first = set("f", "v".repeat(64));
    assertThat(hash.encoding()).isEqualTo("listpack");
    boolean second = set("g", "v".repeat(65));
    assertThat(first && second).isTrue();
    assertThat(hash.encoding()).isEqualTo("hashtable");
    assertThat(hash.remove(Slice.of(bytes("g")))).isTrue();
    assertThat(hash.encoding()).isEqualTo("hashtable");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 512})
  void randomOperations_matchAHashMap(int hashMaxListpackEntries) {
    limits.hashMaxListpackEntries(hashMaxListpackEntries);
    limits.hashMaxListpackValue(30_000);
    Random random = new Random(hashMaxListpackEntries);
    Map<String, String> model = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      String field = Bytes.element(random);
      if (random.nextInt(3) > 0) {
        String value = Bytes.element(random);
        assertThat(set(field, value)).isEqualTo(model.put(field, value) == null);
      } else {
        byte[] key = bytes(field);
        assertThat(hash.remove(Slice.of(key))).isEqualTo(model.remove(field) != null);
      }
      assertThat(hash.size()).isEqualTo(model.size());
      if (step % 200 == 0) assertSame(model);
    }
    assertSame(model);
  }

  /** Positions of fields change with every removal, expiry, and longer value. */
  @Test
  void randomOperations_withExpiry_findEachField() {
    Random random = new Random(1);
    Map<String, Long> model = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String field = (random.nextBoolean() ? "" : "f") + random.nextInt(30);
      Slice name = Slice.of(bytes(field));
      switch (random.nextInt(step < 100 ? 2 : 5)) {
        case 0 -> {
          boolean isNew = set(field, "v".repeat(random.nextInt(20)));
          assertThat(isNew).isEqualTo(model.put(field, Value.NEVER) == null);
        }
        case 1 -> assertThat(hash.remove(name)).isEqualTo(model.remove(field) != null);
        case 2 -> {
          long at = NOW + random.nextInt(100);
          if (model.replace(field, at) != null) hash.fieldExpireAtMillis(name, at);
        }
        case 3 -> {
          List<byte[]> due = random.nextInt(20) == 0 ? hash.expireAll(NOW + 20) : List.of();
          for (byte[] each : due) {
            assertThat(model.remove(text(each, 0, each.length))).isBetween(NOW, NOW + 20);
          }
        }
        default -> {
          Long expiry = model.getOrDefault(field, RedisHash.NO_FIELD);
          assertThat(hash.fieldExpireAtMillis(name)).isEqualTo(expiry);
        }
      }
      assertThat(hash.size()).isEqualTo(model.size());
    }
  }

  private void assertSame(Map<String, String> model) {
    assertThat(fields(hash)).isEqualTo(model);
    assertThat(fields(hash.copy())).isEqualTo(model);
    Map<String, String> scanned = new HashMap<>();
    long cursor = 0;
    do {
      cursor =
          hash.scan(
              cursor,
              NOW,
              (f, fOffset, fLength, v, vOffset, vLength) ->
                  scanned.put(text(f, fOffset, fLength), text(v, vOffset, vLength)));
    } while (cursor != 0);
    assertThat(scanned).isEqualTo(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void random_reachesEveryField(int hashMaxListpackEntries) {
    limits.hashMaxListpackEntries(hashMaxListpackEntries);
    for (int i = 0; i < 20; i++) assertThat(set("f" + i, "v" + i)).isTrue();
    Map<String, String> drawn = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      hash.random(
          random,
          (f, fOffset, fLength, v, vOffset, vLength) ->
              drawn.put(text(f, fOffset, fLength), text(v, vOffset, vLength)));
    }
    assertThat(drawn).isEqualTo(fields(hash));
    Map<String, String> drawnTogether = new HashMap<>();
    hash.random(
        random,
        1000,
        (f, fOffset, fLength, v, vOffset, vLength) ->
            drawnTogether.put(text(f, fOffset, fLength), text(v, vOffset, vLength)));
    assertThat(drawnTogether).isEqualTo(fields(hash));
  }

  // Made of all its fields at once

  private static Elements elements(String... fieldsAndValues) {
    Elements elements = new Elements();
    for (String each : fieldsAndValues) elements.add(bytes(each));
    return elements;
  }

  private static RedisHash of(Elements elements, EncodingLimits limits) {
    return Objects.requireNonNull(RedisHash.of(elements, limits, 42));
  }

  private static RedisHash of(ListPack pack, EncodingLimits limits) {
    return Objects.requireNonNull(RedisHash.of(pack, limits, 42));
  }

  private static ListPack pack(Elements elements) {
    ListPack pack = new ListPack();
    for (int i = 0; i < elements.count(); i++) {
      pack.append(elements.array(i), elements.offset(i), elements.length(i));
    }
    return pack;
  }

  @Test
  void of_aPackWithALongValue_isATable() {
    Elements elements = elements("a", "x".repeat(65), "b", "1");
    assertThat(of(pack(elements), limits).encoding()).isEqualTo("hashtable");
    assertThat(fields(of(pack(elements), limits))).isEqualTo(fields(of(elements, limits)));
  }

  @Test
  void of_fields_isAsIfTheyWereSet() {
    for (int count : new int[] {0, 1, 5, 40, 512, 513, 2000}) {
      Elements elements = new Elements();
      RedisHash one = new RedisHash();
      Random random = new Random(count);
      for (int i = 0; i < count; i++) {
        byte[] field = bytes(i % 3 == 0 ? "" + i : "field" + i);
        byte[] value = bytes("v" + random.nextInt(1000));
        elements.add(field);
        elements.add(value);
        boolean isNew = one.set(Slice.of(field), Slice.of(value), limits, 42);
        assertThat(isNew).isTrue();
      }
      RedisHash made = of(elements, limits);
      assertThat(fields(made)).isEqualTo(fields(one));
      assertThat(made.encoding()).isEqualTo(one.encoding());
      assertThat(made.size()).isEqualTo(count);
      RedisHash packed = of(pack(elements), limits);
      assertThat(fields(packed)).isEqualTo(fields(one));
      assertThat(packed.encoding()).isEqualTo(one.encoding());
      assertThat(packed.contentBytes()).isEqualTo(made.contentBytes());
    }
  }

  @Test
  void of_aFieldTwice_isNone() {
    assertThat(RedisHash.of(elements("a", "1", "b", "2", "a", "3"), limits, 42)).isNull();
    assertThat(RedisHash.of(elements("7", "1", "7", "1"), limits, 42)).isNull();
    assertThat(RedisHash.of(pack(elements("7", "1", "b", "1", "7", "1")), limits, 42)).isNull();
    assertThat(RedisHash.of(pack(elements("a", "1", "a", "2")), limits, 42)).isNull();
    limits.hashMaxListpackEntries(1);
    assertThat(RedisHash.of(elements("a", "1", "b", "2", "a", "3"), limits, 42)).isNull();
  }

  @Test
  void of_aLongValue_isATable() {
    assertThat(of(elements("a", "x".repeat(64)), limits).encoding()).isEqualTo("listpack");
    assertThat(of(elements("a", "x".repeat(65)), limits).encoding()).isEqualTo("hashtable");
    assertThat(of(elements("x".repeat(65), "a"), limits).encoding()).isEqualTo("hashtable");
  }

  @Test
  void set_largeValueOfTheSameLength_changesNoArrayThatWasShownOrCopied() {
    int length = Arena.BLOCK_MAX + 1;
    String first = "a".repeat(length);
    assertThat(set("f", first)).isTrue();
    byte[][] shown = {null};
    hash.forEach(NOW, (f, fOffset, fLength, v, vOffset, vLength) -> shown[0] = v);
    assertThat(set("f", "b".repeat(length))).isFalse();
    assertThat(text(shown[0], shown[0].length - length, length)).isEqualTo(first);
    assertThat(set("f", "c".repeat(length))).isFalse();
    RedisHash copy = hash.copy();
    assertThat(set("f", "d".repeat(length))).isFalse();
    assertThat(fields(copy)).isEqualTo(Map.of("f", "c".repeat(length)));
    assertThat(fields(hash)).isEqualTo(Map.of("f", "d".repeat(length)));
  }
}
