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

  /** A set of "m0", "m1", ... from one index to another, most of them. */
  private static RedisSet range(long seed, Random random, int from, int to) {
    EncodingLimits limits = new EncodingLimits();
    RedisSet range = new RedisSet(seed);
    for (int i = from; i < to; i++) {
      if (random.nextInt(10) == 0) continue;
      String member = i % 100 == 7 ? "m" + i + "x".repeat(i % 3 * 4000) : "m" + i;
      assertThat(range.add(Slice.of(bytes(member)), limits)).isTrue();
    }
    return range;
  }

  private Set<String> in(RedisSet other, boolean isIn) {
    Set<String> found = new HashSet<>();
    set.forEachIn(
        other,
        isIn,
        set.size(),
        () -> true,
        (a, offset, length) -> assertThat(found.add(text(a, offset, length))).isTrue());
    return found;
  }

  private void assertFindsMembersIn(RedisSet other) {
    Set<String> common = members(set);
    common.retainAll(members(other));
    assertThat(in(other, true)).isEqualTo(common);
    Set<String> rest = members(set);
    rest.removeAll(common);
    assertThat(in(other, false)).isEqualTo(rest);
  }

  /** Tables with one seed or two, smaller and larger ones, and such with removed members. */
  @ParameterizedTest
  @CsvSource({
    "42, 3000, 0, 3000",
    "42, 3000, 1500, 4500",
    "42, 3000, 3000, 6000",
    "42, 3000, 0, 30000",
    "42, 3000, 2000, 2300",
    "43, 3000, 1500, 4500",
    "42, 200, 100, 300",
    "42, 700, 100, 900"
  })
  void forEachIn_aHashtable_findsWhatContainsFinds(long seed, int to, int from2, int to2) {
    Random random = new Random(to2);
    range(42, random, 0, to).forEach((a, offset, length) -> add(text(a, offset, length)));
    RedisSet other = range(seed, random, from2, to2);
    assertFindsMembersIn(other);
    for (int i = 0; i < to2; i += 2) {
      assertThat(remove(other, "m" + i)).isIn(true, false);
      if (i % 3 > 0) assertThat(remove(set, "m" + i)).isIn(true, false);
    }
    assertFindsMembersIn(other);
    for (int i = 0; i < to; i += 3) add("m" + i);
    assertFindsMembersIn(other);
  }

  @ParameterizedTest
  @CsvSource({"512, 128", "0, 128", "0, 0"})
  void forEachIn_smallSets_findsWhatContainsFinds(int intsetEntries, int listpackEntries) {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      set.clear();
      limits.setMaxIntsetEntries(intsetEntries);
      limits.setMaxListpackEntries(listpackEntries);
      some(random).forEach((a, offset, length) -> add(text(a, offset, length)));
      assertFindsMembersIn(some(random));
    }
  }

  @Test
  void forEachIn_stopsSoonAfterNoMoreAreWanted() {
    for (int i = 0; i < 3000; i++) add("m" + i);
    RedisSet other = set.copy();
    int[] visited = new int[1];
    set.forEachIn(other, true, 5, () -> visited[0] < 5, (a, offset, length) -> visited[0]++);
    assertThat(visited[0]).isBetween(5, 5 + 32);
  }

  @Test
  void copy_ofAHashtable_isWholeAndIndependent() {
    limits.setMaxListpackEntries(0);
    limits.setMaxIntsetEntries(0);
    Random random = new Random(1);
    for (int size : new int[] {1, 100, 1000, 100_000}) {
      set.clear();
      for (int i = 0; i < size; i++) add("member" + i);
      for (int i = 0; i < size; i++) if (random.nextInt(5) == 0) remove(set, "member" + i);
      Set<String> before = members(set);
      RedisSet copy = set.copy();
      assertThat(members(copy)).isEqualTo(before);
      assertThat(copy.contentBytes()).isLessThanOrEqualTo(set.contentBytes());
      for (int i = 0; i < size; i += 2) remove(set, "member" + i);
      for (int i = 0; i < size; i++) add("new" + i);
      assertThat(members(copy)).isEqualTo(before);
      for (String member : before) assertThat(remove(copy, member)).isTrue();
      assertThat(copy.size()).isZero();
    }
  }

  /** The copy of a table with much unused memory, or with large members, is built anew. */
  @Test
  void copy_ofASparseHashtable_isSmaller() {
    for (int i = 0; i < 200_000; i++) add("member" + i);
    for (int i = 0; i < 200_000; i++) if (i % 10 > 0) remove(set, "member" + i);
    String large = "large".repeat(10_000);
    assertThat(add(large)).isTrue();
    RedisSet copy = set.copy();
    assertThat(members(copy)).isEqualTo(members(set));
    assertThat(copy.contentBytes()).isLessThan(set.contentBytes());
    assertThat(remove(set, large)).isTrue();
    assertThat(copy.contains(Slice.of(bytes(large)))).isTrue();
  }

  @Test
  void addAll_ofHashtables_isTheirUnion() {
    Random random = new Random(1);
    for (int[] bounds : new int[][] {{0, 2000}, {1000, 4000}, {0, 1500}, {9000, 9100}}) {
      RedisSet other = range(42, random, bounds[0], bounds[1]);
      Set<String> union = members(set);
      union.addAll(members(other));
      set.addAll(other, limits);
      assertThat(members(set)).isEqualTo(union);
      assertThat(set.size()).isEqualTo(union.size());
      assertThat(add("new" + bounds[1])).isTrue();
      assertThat(members(other)).doesNotContain("new" + bounds[1]);
    }
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
