package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SkipListTest {

  private record Entry(double score, String member) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparingDouble(Entry::score).thenComparing(Entry::member);

  @Test
  void randomOperations_matchATreeSet() {
    for (long seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      SkipList list = new SkipList(seed);
      SortedSet<Entry> model = new TreeSet<>(ORDER);
      Map<String, SkipList.Node> nodes = new HashMap<>();
      for (int step = 0; step < 4000; step++) {
        change(random, list, model, nodes);
        if (step % 5 == 0) removeRange(list, model, nodes, random);
        if (step % 3 == 0) assertRange(list, model, random);
        if (step % 500 == 0) assertSame(list, model, nodes);
      }
      assertSame(list, model, nodes);
    }
  }

  @Test
  void append_betweenOtherChanges_matchesATreeSet() {
    Random random = new Random(7);
    SkipList list = new SkipList(7);
    SortedSet<Entry> model = new TreeSet<>(ORDER);
    Map<String, SkipList.Node> nodes = new HashMap<>();
    for (int step = 0; step < 3000; step++) {
      if (step % 10 < 7) {
        String member = "a%05d".formatted(step);
        nodes.put(member, list.append(50, bytes(member)));
        model.add(new Entry(50, member));
      } else {
        change(random, list, model, nodes);
      }
      if (step % 13 == 0) removeRange(list, model, nodes, random);
      if (step % 11 == 0) assertRange(list, model, random);
      if (step % 500 == 0) assertSame(list, model, nodes);
    }
    assertSame(list, model, nodes);
  }

  private static void change(
      Random random, SkipList list, SortedSet<Entry> model, Map<String, SkipList.Node> nodes) {
    String member = "m" + random.nextInt(600);
    double score = random.nextInt(50);
    SkipList.Node node = nodes.get(member);
    if (node == null) {
      nodes.put(member, list.insert(score, bytes(member)));
      model.add(new Entry(score, member));
      return;
    }
    model.remove(new Entry(node.score(), member));
    if (random.nextInt(3) == 0) {
      list.remove(node);
      nodes.remove(member);
    } else {
      list.score(node, score);
      model.add(new Entry(score, member));
    }
  }

  private static void assertSame(
      SkipList list, SortedSet<Entry> model, Map<String, SkipList.Node> nodes) {
    assertThat(list.size()).isEqualTo(model.size());
    List<Entry> expected = new ArrayList<>(model);
    assertThat(forward(list)).isEqualTo(expected);
    assertThat(backward(list)).isEqualTo(expected);
    for (int rank = 0; rank < expected.size(); rank++) {
      SkipList.Node node = nodes.get(expected.get(rank).member());
      assertThat(list.get(rank)).isSameAs(node);
      if (node != null) assertThat(list.rank(node)).isEqualTo(rank);
    }
    assertThat(list.get(-1)).isNull();
    assertThat(list.get(expected.size())).isNull();
  }

  private static void assertRange(SkipList list, SortedSet<Entry> model, Random random) {
    int from = random.nextInt(-1, 52);
    int to = from + random.nextInt(-2, 30);
    int before = model.headSet(new Entry(from, "")).size();
    assertThat(list.find((score, a, o, l) -> score < from)).isEqualTo(before);
    int count = Math.max(0, model.headSet(new Entry(to, "")).size() - before);
    assertThat(list.countUpTo((score, a, o, l) -> score < to)).isEqualTo(count);
    SkipList.Node first = list.get(before);
    Entry expected = model.stream().skip(before).findFirst().orElse(null);
    if (first == null) assertThat(expected).isNull();
    else assertThat(new Entry(first.score(), text(first.key()))).isEqualTo(expected);
  }

  /** Removes some members from a place on, as a range of them is removed. */
  private static void removeRange(
      SkipList list, SortedSet<Entry> model, Map<String, SkipList.Node> nodes, Random random) {
    int from = random.nextInt(52);
    SkipList.Node node = list.get(list.find((score, a, o, l) -> score < from));
    for (int left = random.nextInt(4); left > 0 && node != null; left--) {
      SkipList.Node next = node.next();
      list.remove(node);
      nodes.remove(text(node.key()));
      model.remove(new Entry(node.score(), text(node.key())));
      node = next;
    }
  }

  private static List<Entry> forward(SkipList list) {
    List<Entry> entries = new ArrayList<>();
    for (SkipList.Node n = list.first(); n != null; n = n.next()) {
      entries.add(new Entry(n.score(), text(n.key())));
    }
    return entries;
  }

  private static List<Entry> backward(SkipList list) {
    List<Entry> entries = new ArrayList<>();
    for (SkipList.Node n = list.last(); n != null; n = n.previous()) {
      entries.add(0, new Entry(n.score(), text(n.key())));
    }
    return entries;
  }

  @Test
  void insert_membersThatAreNotAscii_areOrderedUnsigned() {
    SkipList list = new SkipList(7);
    for (String member : List.of("\u00ff", "a", "", "ab", "\u0080")) {
      assertThat(list.insert(1, bytes(member)).score()).isEqualTo(1);
    }
    assertThat(forward(list))
        .extracting(Entry::member)
        .containsExactly("", "a", "ab", "\u0080", "\u00ff");
  }
}
