package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collections of which the dump has each element as a string, read from the middle of an array. */
final class ValueReaderTest {

  private static final EncodingLimits LIMITS = new EncodingLimits();
  private static final int BEFORE = 5;

  /** 130: one more than a small collection of the default limits may have. */
  private static final int SIZE_MAX = 130;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void set_anyMembers_hasThem(int seed) throws IOException {
    Random random = new Random(seed);
    for (int size = 1; size <= SIZE_MAX; size++) {
      Set<String> members = texts(random, size);
      RdbOutput out = new RdbOutput(true);
      out.put(RdbFormat.SET);
      out.putLength(members.size());
      for (String member : members) out.putString(bytes(member));
      RedisSet set = (RedisSet) read(out);
      Set<String> read = new TreeSet<>();
      set.forEach((array, offset, length) -> read.add(text(array, offset, length)));
      assertThat(read).isEqualTo(new TreeSet<>(members));
      assertThat(set.size()).isEqualTo(members.size());
      for (String member : members) assertThat(set.contains(Slice.of(bytes(member)))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void sortedSet_membersInAnyOrder_hasThemInOrder(int seed) throws IOException {
    Random random = new Random(seed);
    for (int size = 1; size <= SIZE_MAX; size++) {
      TreeMap<String, Double> scores = new TreeMap<>();
      for (String member : texts(random, size)) scores.put(member, score(random));
      List<String> order = new ArrayList<>(scores.keySet());
      order.sort(
          (a, b) -> Double.compare(scores.getOrDefault(a, 0.0), scores.getOrDefault(b, 0.0)));
      List<String> written = new ArrayList<>(order);
      if (random.nextBoolean()) Collections.shuffle(written, random);
      RdbOutput out = new RdbOutput(true);
      out.put(RdbFormat.ZSET_2);
      out.putLength(written.size());
      for (String member : written) {
        out.putString(bytes(member));
        out.putLong(Double.doubleToRawLongBits(scores.getOrDefault(member, 0.0)));
      }
      RedisSortedSet set = (RedisSortedSet) read(out);
      List<String> read = new ArrayList<>();
      set.forEach((array, offset, length, score) -> {
        read.add(text(array, offset, length));
        assertThat(score).isEqualTo(scores.get(text(array, offset, length)));
      });
      assertThat(read).isEqualTo(order);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void hash_anyFields_hasThem(int seed) throws IOException {
    Random random = new Random(seed);
    for (int size = 1; size <= SIZE_MAX; size++) {
      Set<String> fields = texts(random, size);
      RdbOutput out = new RdbOutput(true);
      out.put(RdbFormat.HASH);
      out.putLength(fields.size());
      for (String field : fields) {
        out.putString(bytes(field));
        out.putString(bytes(field + "=" + field));
      }
      RedisHash hash = (RedisHash) read(out);
      assertThat(hash.size()).isEqualTo(fields.size());
      Set<String> read = new LinkedHashSet<>();
      hash.forEach(
          RedisHash.WITH_DUE,
          (f, fieldOffset, fieldLength, v, valueOffset, valueLength) -> {
            String field = text(f, fieldOffset, fieldLength);
            read.add(field);
            assertThat(text(v, valueOffset, valueLength)).isEqualTo(field + "=" + field);
          });
      assertThat(read).containsExactlyInAnyOrderElementsOf(fields);
    }
  }

  /** A member of 70 bytes makes a small collection one that is not packed. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "17", "a member of sixteen or more bytes", "70"})
  void elementThatComesTwice_isRefused(String given) {
    String twice = given.equals("70") ? "x".repeat(70) : given;
    List<List<String>> orders =
        List.of(
            List.of("b", twice, "c", twice),
            List.of(twice, twice),
            List.of("b", "y".repeat(70), twice, "c", twice),
            List.of(twice, "b", "y".repeat(70), twice));
    for (List<String> elements : orders) {
      assertThatThrownBy(() -> read(RdbFormat.SET, elements, false))
          .isInstanceOf(RdbException.class);
      assertThatThrownBy(() -> read(RdbFormat.HASH, elements, true))
          .isInstanceOf(RdbException.class);
      assertThatThrownBy(() -> readSortedSet(elements, 1)).isInstanceOf(RdbException.class);
      assertThatThrownBy(() -> readSortedSet(elements, -1)).isInstanceOf(RdbException.class);
    }
  }

  /** Elements in order are compared with the one before them only, until one is out of order. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 98, 99})
  void elementOfManyThatComesTwice_isRefused(int index) {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < 100; i++) elements.add("element " + i);
    String twice = elements.get(index);
    for (int at = index + 1; at <= elements.size(); at++) {
      List<String> given = new ArrayList<>(elements);
      given.add(at, twice);
      assertThatThrownBy(() -> read(RdbFormat.SET, given, false)).isInstanceOf(RdbException.class);
      assertThatThrownBy(() -> read(RdbFormat.HASH, given, true)).isInstanceOf(RdbException.class);
      assertThatThrownBy(() -> readSortedSet(given, 1)).isInstanceOf(RdbException.class);
    }
  }

  /** A list that was one pack may exceed the limit of a node by a few bytes. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1300, 10_000})
  void list_itsPacks_areAsTheyWere(int size) throws IOException {
    RedisList list = new RedisList();
    for (int i = 0; i < size; i++) {
      byte[] element = bytes("e:" + i);
      list.growing(1, element.length, LIMITS);
      list.pushTail(Slice.of(element), LIMITS);
    }
    RedisList read = (RedisList) Dump.read(Slice.of(Dump.of(list, 0)), LIMITS, 1, 0);
    assertThat(read.encoding()).isEqualTo(list.encoding());
    assertThat(read.packCount()).isEqualTo(list.packCount());
    for (int i = 0; i < list.packCount(); i++) {
      assertThat(read.pack(i).toRedis()).isEqualTo(list.pack(i).toRedis());
    }
  }

  private static Object readSortedSet(List<String> members, int scoreStep) throws IOException {
    RdbOutput out = new RdbOutput(true);
    out.put(RdbFormat.ZSET_2);
    out.putLength(members.size());
    for (int i = 0; i < members.size(); i++) {
      out.putString(bytes(members.get(i)));
      out.putLong(Double.doubleToRawLongBits(i * scoreStep));
    }
    return read(out);
  }

  private static Object read(int type, List<String> elements, boolean hasValues)
      throws IOException {
    RdbOutput out = new RdbOutput(true);
    out.put(type);
    out.putLength(elements.size());
    for (String element : elements) {
      out.putString(bytes(element));
      if (hasValues) out.putString(bytes("value"));
    }
    return read(out);
  }

  /** Reads a dump that has other bytes around it. */
  private static Object read(RdbOutput out) throws IOException {
    byte[] dump = Dump.seal(out);
    byte[] around = new byte[BEFORE + dump.length + BEFORE];
    System.arraycopy(dump, 0, around, BEFORE, dump.length);
    Slice slice = new Slice().wrap(around, BEFORE, dump.length);
    assertThat(Dump.isSealed(slice, true, false)).isTrue();
    return Dump.read(slice, LIMITS, 1, 0);
  }

  /**
   * Different texts: integers, names, bytes that repeat themselves, numbered names, now and then a
   * long one.
   */
  private static Set<String> texts(Random random, int size) {
    int kind = random.nextInt(5);
    Set<String> texts = new LinkedHashSet<>();
    while (texts.size() < size) {
      int number = random.nextInt(10 * size);
      texts.add(
          switch (kind) {
            case 0 -> "" + (long) number * random.nextInt(1 << 20);
            case 1 -> "m:" + number;
            case 2 -> "x".repeat(number % 63) + number;
            case 3 -> (number < size ? "" : "numbered:") + texts.size();
            default -> random.nextInt(50) == 0 ? "y".repeat(70) + number : "field " + number;
          });
    }
    return texts;
  }

  private static double score(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(3);
      case 1 -> random.nextDouble();
      case 2 -> -1e300 * random.nextInt(1, 3);
      default -> Double.POSITIVE_INFINITY;
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] array, int offset, int length) {
    return new String(array, offset, length, StandardCharsets.ISO_8859_1);
  }
}
