package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisSortedSetTest {

  private record Entry(double score, String member) {}

  private final EncodingLimits limits = new EncodingLimits();
  private final RedisSortedSet set = new RedisSortedSet(42);

  private void put(String member, double score) {
    byte[] bytes = bytes(member);
    set.put(Slice.of(bytes), score, limits);
  }

  private static boolean add(RedisSortedSet set, String member, double score) {
    byte[] bytes = bytes(member);
    return set.add(Slice.of(bytes), score, new EncodingLimits());
  }

  private static List<Entry> entries(RedisSortedSet set) {
    List<Entry> entries = new ArrayList<>();
    set.forEach((a, o, l, score) -> entries.add(new Entry(score, text(a, o, l))));
    return entries;
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 0})
  void copy_isNotChangedWithTheOriginal(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    for (int i = 0; i < 100; i++) put("m" + i, i);
    List<Entry> before = entries(set);
    RedisSortedSet copy = set.copy();
    put("m5", 200);
    put("n", 7);
    assertThat(set.remove(Slice.of(bytes("m9")))).isTrue();
    assertThat(entries(copy)).isEqualTo(before);
    assertThat(copy.rank(Slice.of(bytes("m9")))).isEqualTo(9);
    copy.put(Slice.of(bytes("z")), 1000, limits);
    assertThat(copy.rank(Slice.of(bytes("z")))).isEqualTo(100);
    assertThat(set.score(Slice.of(bytes("z")))).isNaN();
  }

  /** The function for many members is a table if the set is packed. */
  @ParameterizedTest
  @ValueSource(ints = {128, 0})
  void scores_ofManyMembers_areThoseOfScore(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    Random random = new Random(1);
    for (int i = 0; i < 60; i++) put(Bytes.element(random), i % 7 / 2.0);
    for (int i = 0; i < 1000; i++) {
      Slice element = Slice.of(bytes(Bytes.element(random)));
      assertThat(set.scores(1000).applyAsDouble(element))
          .isEqualTo(Double.valueOf(set.score(element)));
    }
  }

  /** Members in the order of the set, with gaps and strangers, and then in no order. */
  @Test
  void scores_ofMembersInOrder_areThoseOfScore() {
    for (int i = 0; i < 1000; i++) put("m" + i, i);
    ToDoubleFunction<Slice> scores = set.scores(1000);
    Random random = new Random(1);
    for (int i = 0; i < 3000; i++) {
      int number = i < 1000 ? i : random.nextInt(1000);
      if (random.nextInt(8) == 0) continue;
      boolean isThere = random.nextInt(8) > 0;
      Slice member = Slice.of(bytes((isThere ? "m" : "x") + number));
      assertThat(scores.applyAsDouble(member))
          .isEqualTo(Double.valueOf(isThere ? number : Double.NaN));
    }
  }

  @ParameterizedTest
  @CsvSource({"128, listpack", "2, skiplist"})
  void of_scoredMembers_isInOrder(int zsetMaxListpackEntries, String encoding) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    ScoredMembers members = new ScoredMembers(1);
    for (int i = 99; i >= 0; i--) {
      byte[] member = bytes("m%02d".formatted(i));
      members.merge(member, 0, 3, i % 10, Double::sum);
      if (i % 2 == 0) members.merge(member, 0, 3, 0.5, Double::sum);
    }
    assertThat(members.size()).isEqualTo(100);
    RedisSortedSet built = RedisSortedSet.of(members.sorted(), limits, 42);
    assertThat(built).isNotNull();
    if (built == null) return;
    assertThat(built.encoding()).isEqualTo(encoding);
    List<Entry> entries = entries(built);
    assertThat(entries)
        .isSortedAccordingTo(Comparator.comparingDouble(Entry::score).thenComparing(Entry::member));
    assertThat(entries).contains(new Entry(8.5, "m98"), new Entry(7, "m97")).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 0})
  void of_sameMemberTwice_isNull(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    ScoredMembers members = new ScoredMembers(1);
    members.add(bytes("a"), 0, 1, 1);
    members.add(bytes("a"), 0, 1, 2);
    assertThat(RedisSortedSet.of(members.sorted(), limits, 42)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 0})
  void update_withoutAScore_changesNothing(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    put("a", 1);
    set.update(Slice.of(bytes("a")), old -> Double.NaN, limits);
    set.update(Slice.of(bytes("b")), old -> Double.NaN, limits);
    set.update(Slice.of(bytes("a")), old -> old + 2, limits);
    assertThat(entries(set)).containsExactly(new Entry(3, "a"));
  }

  @ParameterizedTest
  @CsvSource({"128, listpack", "1, skiplist", "0, skiplist"})
  void anyOperation_inEveryEncoding_matches(int zsetMaxListpackEntries, String encoding) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    put("b", 2);
    put("c", Double.POSITIVE_INFINITY);
    put("a", 2);
    put("d", -0.5);
    put("5", 1e300);
    assertThat(set.encoding()).isEqualTo(encoding);
    assertThat(entries(set))
        .containsExactly(
            new Entry(-0.5, "d"),
            new Entry(2, "a"),
            new Entry(2, "b"),
            new Entry(1e300, "5"),
            new Entry(Double.POSITIVE_INFINITY, "c"));
    put("d", 3);
    assertThat(set.score(Slice.of(bytes("d")))).isEqualTo(3);
    assertThat(set.score(Slice.of(bytes("x")))).isNaN();
    assertThat(set.rank(Slice.of(bytes("d")))).isEqualTo(2);
    assertThat(set.rank(Slice.of(bytes("x")))).isEqualTo(-1);
    assertThat(countBefore(set, new ScoreRange(2, true, 9, false).below())).isEqualTo(2);
    assertThat(countBefore(set, new ScoreRange(2, true, 3, true).upTo())).isEqualTo(2);
    set.removeRange(1, 2);
    assertThat(entries(set)).extracting(Entry::member).containsExactly("a", "5", "c");
    assertThat(set.remove(Slice.of(bytes("5")))).isTrue();
    assertThat(set.remove(Slice.of(bytes("5")))).isFalse();
    assertThat(set.encoding()).isEqualTo(encoding);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 128})
  void put_negativeZero_keepsItsSignInALargeSetAlone(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    put("a", -0.0);
    double sign = zsetMaxListpackEntries == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    assertThat(1 / set.score(Slice.of(bytes("a")))).isEqualTo(sign);
  }

  @Test
  void put_throughTheThresholds_becomesASkiplist() {
    for (int i = 0; i < 128; i++) put("m" + i, i);
    assertThat(set.encoding()).isEqualTo("listpack");
    put("m5", 1000);
    assertThat(set.encoding()).isEqualTo("listpack");
    put("another", 1);
    assertThat(set.encoding()).isEqualTo("skiplist");
    RedisSortedSet other = new RedisSortedSet(1);
    other.put(Slice.of(bytes("x".repeat(65))), 1, limits);
    assertThat(other.encoding()).isEqualTo("skiplist");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30, 1000})
  void randomOperations_matchASortedModel(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    limits.zsetMaxListpackValue(30_000);
    Random random = new Random(zsetMaxListpackEntries);
    Map<String, Double> model = new HashMap<>();
    for (int step = 0; step < 3000; step++) {
      String member = Bytes.element(random);
      byte[] bytes = bytes(member);
      if (random.nextInt(4) > 0) {
        double score = score(random);
        put(member, score);
        model.put(member, score);
      } else {
        boolean removed = model.remove(member) != null;
        assertThat(set.remove(Slice.of(bytes))).isEqualTo(removed);
      }
      assertThat(set.size()).isEqualTo(model.size());
      if (step % 100 == 0) assertSame(model, random);
    }
    assertSame(model, random);
  }

  private static double score(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(10);
      case 1 -> random.nextInt(10) / 4.0;
      case 2 -> random.nextLong();
      case 3 -> random.nextGaussian() * 1e9;
      default -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    };
  }

  private void assertSame(Map<String, Double> model, Random random) {
    List<Entry> expected = new ArrayList<>();
    model.forEach((member, score) -> expected.add(new Entry(score, member)));
    expected.sort(Comparator.comparingDouble(Entry::score).thenComparing(Entry::member));
    assertThat(entries(set)).isEqualTo(expected);
    assertThat(entries(set.copy())).isEqualTo(expected);
    assertRanks(expected, random);
    assertScan(expected);
  }

  private void assertRanks(List<Entry> expected, Random random) {
    for (int i = 0; i < 10 && !expected.isEmpty(); i++) {
      int rank = random.nextInt(expected.size());
      Entry entry = expected.get(rank);
      byte[] member = bytes(entry.member());
      assertThat(set.rank(Slice.of(member))).isEqualTo(rank);
      assertThat(set.score(Slice.of(member))).isEqualTo(entry.score());
      ScoreRange range = new ScoreRange(entry.score(), random.nextBoolean(), 0, false);
      long below = expected.stream().filter(e -> isBelow(e, range)).count();
      assertThat(countBefore(set, range.below())).isEqualTo(below);
      assertStretch(expected, rank, random.nextInt(20));
    }
  }

  /** Counts from both sides, and the members after the boundary by a search of their own. */
  private static long countBefore(RedisSortedSet set, SkipList.Boundary boundary) {
    long before = set.between((score, array, at, length) -> false, boundary).count();
    RedisSortedSet.Ranks after = set.between(boundary, (score, array, at, length) -> true);
    assertThat(after).isEqualTo(new RedisSortedSet.Ranks(before, set.size() - before));
    assertThat(set.between(boundary, (score, array, at, length) -> false).count()).isZero();
    return before;
  }

  private static boolean isBelow(Entry entry, ScoreRange range) {
    return range.minExclusive() ? entry.score() <= range.min() : entry.score() < range.min();
  }

  private void assertStretch(List<Entry> expected, int rank, int count) {
    List<Entry> up = new ArrayList<>();
    set.forEach(rank, count, (a, o, l, score) -> up.add(new Entry(score, text(a, o, l))));
    assertThat(up).isEqualTo(expected.subList(rank, Math.min(expected.size(), rank + count)));
    List<Entry> down = new ArrayList<>();
    set.forEachDown(rank, count, (a, o, l, score) -> down.add(0, new Entry(score, text(a, o, l))));
    int from = Math.max(0, rank + 1 - count);
    assertThat(down).isEqualTo(expected.subList(from, rank + 1));
  }

  private void assertScan(List<Entry> expected) {
    Set<Entry> scanned = new HashSet<>();
    long cursor = 0;
    do {
      cursor = set.scan(cursor, (a, o, l, score) -> scanned.add(new Entry(score, text(a, o, l))));
    } while (cursor != 0);
    assertThat(scanned).isEqualTo(new HashSet<>(expected));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void removeRange_ofRandomRanks_matchesASubList(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    Random random = new Random(5);
    for (int i = 0; i < 500; i++) put("m" + i, random.nextInt(40));
    List<Entry> model = entries(set);
    while (!model.isEmpty()) {
      int rank = random.nextInt(model.size());
      int count = random.nextInt(Math.min(20, model.size() - rank) + 1);
      set.removeRange(rank, count);
      model.subList(rank, rank + count).clear();
      assertThat(entries(set)).isEqualTo(model);
    }
    assertThat(set.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void countBefore_lexRange_matches(int zsetMaxListpackEntries) {
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries);
    List<String> members = new ArrayList<>(List.of("a", "b", "c", "10", "\u00ff", "bb", ""));
    for (String member : members) put(member, 0);
    Collections.sort(members);
    for (String bound : List.of("a", "b", "bc", "1", "\u00ff\u00ff", "")) {
      LexRange.Bound inclusive = new LexRange.Bound(LexRange.Kind.INCLUSIVE, bytes(bound));
      LexRange.Bound exclusive = new LexRange.Bound(LexRange.Kind.EXCLUSIVE, bytes(bound));
      long less = members.stream().filter(m -> m.compareTo(bound) < 0).count();
      long notMore = members.stream().filter(m -> m.compareTo(bound) <= 0).count();
      assertThat(countBefore(set, new LexRange(inclusive, exclusive).below())).isEqualTo(less);
      assertThat(countBefore(set, new LexRange(inclusive, exclusive).upTo())).isEqualTo(less);
      assertThat(countBefore(set, new LexRange(exclusive, inclusive).below())).isEqualTo(notMore);
      assertThat(countBefore(set, new LexRange(exclusive, inclusive).upTo())).isEqualTo(notMore);
    }
    LexRange.Bound minus = new LexRange.Bound(LexRange.Kind.MINUS, bytes(""));
    LexRange.Bound plus = new LexRange.Bound(LexRange.Kind.PLUS, bytes(""));
    assertThat(countBefore(set, new LexRange(minus, plus).below())).isZero();
    assertThat(countBefore(set, new LexRange(minus, plus).upTo())).isEqualTo(members.size());
    assertThat(countBefore(set, new LexRange(plus, minus).below())).isEqualTo(members.size());
    assertThat(countBefore(set, new LexRange(plus, minus).upTo())).isZero();
  }

  @Test
  void add_aMemberThatIsThere_changesNothing() {
    for (int count : new int[] {3, 128, 129, 400}) {
      RedisSortedSet made = new RedisSortedSet(42);
      made.growing(count, limits);
      for (int i = 0; i < count; i++) assertThat(add(made, "m" + i, i % 7 * 1.25)).isTrue();
      List<Entry> entries = entries(made);
      assertThat(entries).hasSize(count);
      assertThat(add(made, "m1", 1000)).isFalse();
      assertThat(entries(made)).isEqualTo(entries);
      assertThat(made.encoding()).isEqualTo(count <= 128 ? "listpack" : "skiplist");
      assertThat(add(made, "another", 0.5)).isTrue();
      assertThat(made.size()).isEqualTo(count + 1);
    }
  }

  private static ListPack pack(String... membersAndScores) {
    ListPack pack = new ListPack();
    for (String each : membersAndScores) pack.append(bytes(each), 0, each.length());
    return pack;
  }

  private @Nullable RedisSortedSet ofOrdered(String... membersAndScores) {
    return RedisSortedSet.ofOrdered(pack(membersAndScores), new ListPack(), limits, 42);
  }

  @Test
  void ofOrdered_pairsInOrder_isAsIfTheyWerePut() {
    String[] pairs = {
      "z", "-1.5", "10", "0", "9", "0", "a", "1.25", "b", "1.25", "c", "12345678901"
    };
    for (int i = 0; i < pairs.length; i += 2) put(pairs[i], Double.parseDouble(pairs[i + 1]));
    RedisSortedSet made = Objects.requireNonNull(ofOrdered(pairs));
    assertThat(entries(made)).isEqualTo(entries(set)).hasSize(6);
    assertThat(made.encoding()).isEqualTo("listpack");
    assertThat(made.score(Slice.of(bytes("b")))).isEqualTo(1.25);
    assertThat(add(made, "0", 0)).isTrue();
    assertThat(ofOrdered()).isNotNull();
  }

  @Test
  void ofOrdered_whatIsNotPlain_isNone() {
    assertThat(ofOrdered("a", "2", "b", "1")).isNull();
    assertThat(ofOrdered("b", "1", "a", "1")).isNull();
    assertThat(ofOrdered("a", "1", "a", "1")).isNull();
    assertThat(ofOrdered("a", "1", "b", "2", "a", "3")).isNull();
    assertThat(ofOrdered("a", "inf")).isNull();
    assertThat(ofOrdered("a", "x")).isNull();
    assertThat(ofOrdered("x".repeat(65), "1")).isNull();
    limits.zsetMaxListpackEntries(1);
    assertThat(ofOrdered("a", "1", "b", "2")).isNull();
  }
}
