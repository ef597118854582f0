package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of a table against a map: as their sizes change, as most are removed and move. */
final class DictRecordsTest {

  private static final int KEYS = 60_000;
  private static final int MEBIBYTE = 1 << 20;

  private final Dict dict = new Dict(7);
  private final ExpiryTable expiring = new ExpiryTable(dict);
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, Long> times = new HashMap<>();
  private final Random random = new Random(1);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private String key(int number) {
    return "key:" + number;
  }

  /** A value that shows its key, so that a mixed-up record is noticed. */
  private String value(String key, int length) {
    String text = key + "=" + Integer.toString(random.nextInt(), 36);
    return text.length() >= length ? text : text + ".".repeat(length - text.length());
  }

  private void put(String key, int length, long time) {
    String value = value(key, length);
    if (times.containsKey(key)) expiring.remove(bytes(key));
    byte[] keyBytes = bytes(key);
    Record record = Record.of(keyBytes, 0, keyBytes.length, bytes(value), 0, value.length(), time);
    Object stored = dict.put(record);
    if (time == Value.NEVER) {
      times.remove(key);
    } else {
      expiring.put(stored, time);
      times.put(key, time);
    }
    values.put(key, value);
  }

  private void remove(String key) {
    if (times.remove(key) != null) expiring.remove(bytes(key));
    assertThat(dict.remove(bytes(key))).isEqualTo(values.remove(key) != null);
  }

  private static Record record(@Nullable Object slot) {
    if (slot instanceof Record record) return record;
    throw new AssertionError("no record: " + slot);
  }

  private void assertSame() {
    assertThat(dict.size()).isEqualTo(values.size());
    values.forEach((key, value) -> {
      Record record = record(dict.find(bytes(key)));
      assertThat(new String(record.value(), StandardCharsets.US_ASCII)).isEqualTo(value);
      assertThat(record.expireAtMillis()).isEqualTo(times.getOrDefault(key, Value.NEVER));
    });
    assertThat(expiring.size()).isEqualTo(times.size());
    times
        .keySet()
        .forEach(key -> {
          Record record = record(expiring.find(bytes(key)));
          assertThat(new String(record.value(), StandardCharsets.US_ASCII))
              .isEqualTo(values.get(key));
        });
  }

  private long usedBytes() {
    return dict.heapBytes() - dict.tableBytes() - dict.unusedBytes();
  }

  private void assertDense() {
    assertThat(dict.unusedBytes())
        .as("unused beside %,d bytes in use", usedBytes())
        .isLessThan(usedBytes() / 2 + 4 * MEBIBYTE);
  }

  private int lengthUpTo(int max) {
    return 1 + random.nextInt(max);
  }

  private long anyTime() {
    return random.nextInt(3) == 0 ? random.nextInt(1_000_000) : Value.NEVER;
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 300, 2000})
  void randomChanges_leaveEveryRecordAsItIs(int lengthMax) {
    for (int phase = 0; phase < 4; phase++) {
      for (int i = 0; i < KEYS; i++) {
        String key = key(random.nextInt(KEYS));
        boolean isPut = phase % 2 == 0 ? random.nextInt(8) > 0 : random.nextInt(8) == 0;
        if (isPut) put(key, lengthUpTo(lengthMax), anyTime());
        else remove(key);
      }
      assertSame();
      assertDense();
    }
  }

  @Test
  void removalOfMost_movesTheRest_andGivesChunksBack() {
    for (int i = 0; i < KEYS; i++) put(key(i), 300, anyTime());
    long full = usedBytes() + dict.unusedBytes();
    for (int i = 0; i < KEYS; i++) if (i % 20 != 0) remove(key(i));
    assertThat(usedBytes() + dict.unusedBytes()).isLessThan(full / 3);
    assertSame();
    assertDense();
  }

  /** The first chunk does not shrink: a set that was large once goes on taking its memory. */
  @Test
  void heapBytes_ofATableThatIsAlmostEmpty_areThoseOfItsChunk() {
    for (int i = 0; i < 2000; i++) put(key(i), 300, Value.NEVER);
    long full = dict.heapBytes() - dict.tableBytes();
    for (int i = 1; i < 2000; i++) remove(key(i));
    assertThat(dict.heapBytes() - dict.tableBytes()).isEqualTo(full);
    assertThat(usedBytes()).isLessThan(1000);
  }

  @Test
  void growthOfEveryValue_reusesTheMemoryOfTheOldOnes() {
    for (int i = 0; i < KEYS; i++) put(key(i), 100, Value.NEVER);
    for (int i = 0; i < 4 * KEYS; i++) put(key(random.nextInt(KEYS)), 256, Value.NEVER);
    assertSame();
    assertDense();
  }

  @Test
  void clear_andRefilled_startsAnew() {
    for (int i = 0; i < KEYS; i++) put(key(i), 300, Value.NEVER);
    dict.clear();
    values.clear();
    assertThat(dict.unusedBytes()).isZero();
    for (int i = 0; i < 100; i++) put(key(i), 300, Value.NEVER);
    assertSame();
  }

  @Test
  void recordsThatDoNotFitAnArena_areKeptAsWell() {
    int[] lengths = {Arena.BLOCK_MAX - 100, Arena.BLOCK_MAX, 3 * MEBIBYTE, 5};
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 8; i++) put(key(i), lengths[(i + round) % lengths.length], anyTime());
      put("k".repeat(Record.KEY_MAX + round % 2), 3, anyTime());
      assertSame();
    }
  }
}
