package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisSetTest {

  private final EncodingLimits limits = new EncodingLimits();
  private final RedisSet set = new RedisSet(42);

  private boolean add(String member) {
    byte[] bytes = bytes(member);
    return set.add(Slice.of(bytes), limits);
  }

  private static boolean remove(RedisSet set, String member) {
    return set.remove(Slice.of(bytes(member)));
  }

  private static Set<String> members(RedisSet set) {
    Set<String> members = new HashSet<>();
    set.forEach((a, offset, length) -> assertThat(members.add(text(a, offset, length))).isTrue());
    return members;
  }

  @ParameterizedTest
  @CsvSource({"512, 128, '', intset", "512, 128, x, listpack", "0, 0, x, hashtable"})
  void anyOperation_inEveryEncoding_matches(
      int setMaxIntsetEntries, int setMaxListpackEntries, String another, String encoding) {
    limits.setMaxIntsetEntries(setMaxIntsetEntries);
    limits.setMaxListpackEntries(setMaxListpackEntries);
    Set<String> model = new HashSet<>(List.of("1", "-5", "70000"));
    for (String member : model) assertThat(add(member)).isTrue();
    if (!another.isEmpty()) assertThat(add(another) && model.add(another)).isTrue();
    assertThat(set.encoding()).isEqualTo(encoding);
    assertThat(add("1")).isFalse();
    assertThat(members(set)).isEqualTo(model);
    assertThat(set.contains(Slice.of(bytes("-5")))).isTrue();
    assertThat(set.contains(Slice.of(bytes("05")))).isFalse();
    assertThat(remove(set, "01")).isFalse();
    assertThat(remove(set, "1")).isTrue();
    assertThat(set.size()).isEqualTo(model.size() - 1L);
    assertThat(set.encoding()).isEqualTo(encoding);
  }

  /** The test of many members is a table if the set is packed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 128})
  void membership_ofManyMembers_saysWhatContainsSays(int setMaxListpackEntries) {
    limits.setMaxListpackEntries(setMaxListpackEntries);
    Random random = new Random(1);
    for (int i = 0; i < 60; i++) {
      boolean unused = add(Bytes.element(random));
    }
    for (int i = 0; i < 1000; i++) {
      Slice element = Slice.of(bytes(Bytes.element(random)));
      assertThat(set.membership(1000).test(element)).isEqualTo(set.contains(element));
    }
  }

  /** Sets below and above the limits, with members in common, of texts and integers. */
  @Test
  void addAll_leavesWhatAddLeaves() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      limits.setMaxListpackEntries(40);
      limits.setMaxListpackValue(random.nextInt(10) == 0 ? 4 : 64);
      RedisSet together = new RedisSet(42);
      RedisSet single = new RedisSet(42);
      for (int i = 0; i < 3; i++) {
        RedisSet other = some(random);
        together.addAll(other, limits);
        other.forEach((a, offset, length) -> {
          boolean unused = single.add(new Slice().wrap(a, offset, length), limits);
        });
        assertThat(members(together)).isEqualTo(members(single));
        assertThat(together.encoding()).isEqualTo(single.encoding());
      }
    }
  }

  private static RedisSet some(Random random) {
    EncodingLimits others = new EncodingLimits();
    others.setMaxListpackEntries(random.nextInt(10) == 0 ? 0 : 128);
    RedisSet some = new RedisSet(42);
    int count = random.nextInt(30);
    boolean isIntegers = random.nextInt(4) == 0;
    for (int i = 0; i < count; i++) {
      String member = (isIntegers || random.nextInt(3) == 0 ? "" : "member") + random.nextInt(60);
      boolean unused = some.add(Slice.of(bytes(member)), others);
    }
    return some;
  }

  private static ListPack pack(Iterable<String> members) {
    ListPack pack = new ListPack();
    for (String each : members) pack.append(bytes(each), 0, each.length());
    return pack;
  }

  /** Builds a set in a pack that other elements have used. */
  private @Nullable RedisSet ofElements(List<String> members) {
    Elements elements = new Elements();
    for (String each : members) elements.add(bytes(each));
    return RedisSet.of(elements, pack(List.of("what", "was", "there")), limits, 42);
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, 2, intset",
    "1, true, 2, listpack",
    "128, true, 2, listpack",
    "129, true, 2, hashtable",
    "600, false, 2, hashtable",
    "3, true, 64, listpack",
    "3, true, 65, hashtable",
    "100, false, 2, intset"
  })
  void of_aPackOrElements_isAsIfTheyWereAdded(
      int count, boolean hasText, int textLength, String encoding) {
    List<String> members = new ArrayList<>();
    for (int i = hasText ? 1 : 0; i < count; i++) members.add(Integer.toString(i));
    if (hasText) members.add("x".repeat(textLength));
    for (String each : members) assertThat(add(each)).isTrue();
    assertThat(set.encoding()).isEqualTo(encoding);
    for (RedisSet made :
        Arrays.asList(RedisSet.of(pack(members), limits, 42), ofElements(members))) {
      assertThat(members(Objects.requireNonNull(made))).isEqualTo(members(set)).hasSize(count);
      assertThat(made.encoding()).isEqualTo(encoding);
    }
  }

  @Test
  void of_aMemberTwice_isNone() {
    for (int length : new int[] {1, 65}) {
      String text = "x".repeat(length);
      assertThat(RedisSet.of(pack(List.of(text, "b", text)), limits, 42)).isNull();
      assertThat(RedisSet.of(pack(List.of("7", text, "7")), limits, 42)).isNull();
      assertThat(ofElements(List.of(text, "b", text))).isNull();
      assertThat(ofElements(List.of("7", text, "7"))).isNull();
    }
    assertThat(RedisSet.of(pack(List.of("7", "8", "7")), limits, 42)).isNull();
    assertThat(ofElements(List.of("7", "8", "7"))).isNull();
  }

  @Test
  void add_throughTheThresholds_changesEncodingAsRedis() {
    for (int i = 0; i < 512; i++) assertThat(add(Integer.toString(i))).isTrue();
    assertThat(set.encoding()).isEqualTo("intset");
    assertThat(add("512")).isTrue();
    assertThat(set.encoding()).isEqualTo("hashtable");

    RedisSet small = new RedisSet(1);
    for (int i = 0; i < 128; i++) {
      byte[] member = bytes("m" + i);
      assertThat(small.add(Slice.of(member), limits)).isTrue();
    }
    assertThat(small.encoding()).isEqualTo("listpack");
    assertThat(small.add(Slice.of(bytes("m0")), limits)).isFalse();
    assertThat(small.encoding()).isEqualTo("listpack");
    assertThat(small.add(Slice.of(bytes("one")), limits)).isTrue();
    assertThat(small.encoding()).isEqualTo("hashtable");
  }

  @Test
  void add_longMemberToIntegers_becomesAHashtable() {
    assertThat(add("1")).isTrue();
    assertThat(add("x".repeat(65))).isTrue();
    assertThat(set.encoding()).isEqualTo("hashtable");
    assertThat(members(set)).hasSize(2);
  }

  @Test
  void growing_choosesTheFormForSoManyMembers() {
    limits.setMaxIntsetEntries(100);
    set.growing(101, limits);
    assertThat(set.encoding()).isEqualTo("listpack");
    set.growing(129, limits);
    assertThat(set.encoding()).isEqualTo("hashtable");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 400})
  void randomOperations_matchAHashSet(int entries) {
    limits.setMaxIntsetEntries(entries / 2);
    limits.setMaxListpackEntries(entries);
    limits.setMaxListpackValue(30_000);
    Random random = new Random(entries);
    Set<String> model = new HashSet<>();
    for (int step = 0; step < 6000; step++) {
      String member = step < 500 ? "" + random.nextInt(300) : Bytes.element(random);
      if (random.nextInt(3) > 0) assertThat(add(member)).isEqualTo(model.add(member));
      else assertThat(remove(set, member)).isEqualTo(model.remove(member));
      assertThat(set.size()).isEqualTo(model.size());
      if (step % 250 == 0) assertSame(model);
    }
    assertSame(model);
  }

  private void assertSame(Set<String> model) {
    assertThat(members(set)).isEqualTo(model);
    assertThat(members(set.copy())).isEqualTo(model);
    Set<String> scanned = new HashSet<>();
    long cursor = 0;
    do {
      cursor = set.scan(cursor, (a, offset, length) -> scanned.add(text(a, offset, length)));
    } while (cursor != 0);
    assertThat(scanned).isEqualTo(model);
  }

  @Test
  void copy_isNotChangedWithTheOriginal() {
    for (String first : List.of("1", "x", "y".repeat(100))) {
      assertThat(add(first)).isTrue();
      Set<String> before = members(set);
      RedisSet copy = set.copy();
      assertThat(add("later" + first)).isTrue();
      assertThat(members(copy)).isEqualTo(before);
    }
  }

  @Test
  void random_reachesEveryMember() {
    for (String filler : List.of("1", "x", "y".repeat(100))) {
      assertThat(add(filler)).isTrue();
      for (int i = 5; i < 12; i++) add(filler.equals("1") ? "" + i : filler + i);
      Set<String> drawn = new HashSet<>();
      Random random = new Random(1);
      for (int i = 0; i < 3000; i++) {
        set.random(random, (a, offset, length) -> drawn.add(text(a, offset, length)));
      }
      assertThat(drawn).isEqualTo(members(set));
    }
  }
}
