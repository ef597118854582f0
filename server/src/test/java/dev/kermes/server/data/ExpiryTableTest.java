package dev.kermes.server.data;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpiryTableTest {

  private static final int TIMES = 1000;
  private static final int ALL = Integer.MAX_VALUE;

  private final Dict whole = new Dict(7);
  private final ExpiryTable table = new ExpiryTable(whole);
  private final Map<String, Long> model = new HashMap<>();

  private static byte[] key(int number) {
    return ("key:" + number).getBytes(StandardCharsets.US_ASCII);
  }

  private void put(int number, long time) {
    table.put(whole.put(Record.of(key(number), new byte[0])), time);
    model.put("key:" + number, time);
  }

  private void remove(int number) {
    table.remove(key(number));
    boolean unused = whole.remove(key(number));
    model.remove("key:" + number);
  }

  private static String name(byte[] key) {
    return new String(key, StandardCharsets.US_ASCII);
  }

  private List<String> due(long latest) {
    return model.entrySet().stream()
        .filter(entry -> entry.getValue() <= latest)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** One sweep of the whole table, in steps that end after {@code dueMax} due slots. */
  private List<String> sweep(int dueMax, long latest) {
    List<String> found = new ArrayList<>();
    ExpiryTable.Found part;
    do {
      part = table.due(ALL, dueMax, latest);
      part.due().forEach(key -> found.add(name(key)));
    } while (part.due().size() >= dueMax);
    return found;
  }

  /** The table grows to 30,000 slots, with replaced times, and shrinks again. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void due_afterRandomChanges_findsExactlyTheDueSlots(long seed) {
    Random random = new Random(seed);
    for (int target : new int[] {3, 100, 30_000, 200, 0}) {
      while (model.size() != target) {
        boolean grows = model.size() < target && random.nextInt(4) > 0;
        int number = random.nextInt(40_000);
        if (grows) put(number, random.nextInt(TIMES));
        else remove(number);
      }
      for (long latest : new long[] {-1, 0, TIMES / 2, TIMES}) {
        assertThat(table.size()).isEqualTo(model.size());
        List<byte[]> found = table.due(ALL, ALL, latest).due();
        assertThat(found).hasSameSizeAs(due(latest));
        assertThat(found.stream().map(ExpiryTableTest::name).collect(toSet()))
            .isEqualTo(Set.copyOf(due(latest)));
      }
    }
  }

  @Test
  void due_inSteps_findsEachDueSlotOnce() {
    for (int i = 0; i < 10_000; i++) put(i, i % TIMES);
    List<String> found = sweep(64, 9);
    assertThat(found).containsExactlyInAnyOrderElementsOf(due(9));
  }

  @Test
  void due_boundedByDue_stopsAfterTheGroupThatReachesIt() {
    for (int i = 0; i < 10_000; i++) put(i, 0);
    ExpiryTable.Found found = table.due(ALL, 64, 0);
    assertThat(found.due()).hasSizeBetween(64, 64 + Segment.GROUP - 1);
    assertThat(found.share()).isBetween(0.5, 1.0);
  }

  @Test
  void due_boundedBySeen_continuesWhereItStopped() {
    for (int i = 0; i < 100_000; i++) put(i, TIMES);
    for (int steps = 0, seen = 0; seen < 99_000; steps++) {
      ExpiryTable.Found found = table.due(5000, 64, 0);
      assertThat(found.due()).isEmpty();
      assertThat(found.share()).isZero();
      assertThat(found.seen()).isLessThan(7000);
      seen += (int) found.seen();
      assertThat(steps).isLessThan(25);
    }
  }

  /** From any position in the table, one call finds a due slot. */
  @Test
  void due_nearTheEndOfTheTable_beginsAnew() {
    for (int i = 0; i < 10_000; i++) put(i, i % 100 == 0 ? 0 : TIMES);
    for (int i = 0; i < 500; i++) assertThat(table.due(997, 64, 0).due()).isNotEmpty();
  }

  @Test
  void due_ofEmptyTable_findsNothing() {
    ExpiryTable.Found found = table.due(ALL, ALL, Long.MAX_VALUE - 1);
    assertThat(found.due()).isEmpty();
    assertThat(found.share()).isZero();
  }

  @Test
  void put_ofTheSameKey_replacesTheTime() {
    put(1, 5);
    put(1, 50);
    assertThat(table.due(ALL, ALL, 5).due()).isEmpty();
    assertThat(table.due(ALL, ALL, 50).due()).hasSize(1);
  }
}
