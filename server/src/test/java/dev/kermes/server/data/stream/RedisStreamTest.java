package dev.kermes.server.data.stream;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.data.Bytes;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Slices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisStreamTest {

  private final EncodingLimits limits = new EncodingLimits();
  private final RedisStream stream = new RedisStream();

  private static Slices slices(String... texts) {
    byte[] all = bytes(String.join("", texts));
    int[] offsets = new int[texts.length];
    int[] lengths = new int[texts.length];
    int at = 0;
    for (int i = 0; i < texts.length; i++) {
      offsets[i] = at;
      lengths[i] = texts[i].length();
      at += lengths[i];
    }
    return new Slices(all, offsets, lengths);
  }

  private static String resp(String... texts) {
    return written(out -> {
      out.array(texts.length);
      for (String text : texts) out.bulk(bytes(text));
    });
  }

  private static long trimToLength(
      RedisStream stream, long length, boolean wholeBlocks, long limit) {
    return stream.trim(new StreamTrim(length, null, wholeBlocks, limit, StreamReferences.KEEPREF));
  }

  private static long trimToMinId(
      RedisStream stream, StreamId minId, boolean wholeBlocks, long limit) {
    return stream.trim(new StreamTrim(-1, minId, wholeBlocks, limit, StreamReferences.KEEPREF));
  }

  private static List<String> range(
      RedisStream stream, StreamId start, StreamId end, boolean reverse) {
    List<String> found = new ArrayList<>();
    RedisStream.Entries entries = stream.entries(start, end, reverse);
    while (entries.next()) found.add(entries.id() + " " + written(entries::writeFields));
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void moveTo_idsInAnyOrder_findsThoseThatAreThere(int seed) {
    Random random = new Random(seed);
    RedisStream.Entries none = stream.entries(StreamId.MIN, StreamId.MAX, false);
    assertThat(none.moveTo(new StreamId(1, 1))).isFalse();
    for (int i = 1; i <= 500; i++)
      stream.add(new StreamId(i / 7, 2L * i), slices("f", "" + i), limits);
    for (int i = 1; i <= 500; i++) {
      if (random.nextInt(3) == 0) assertThat(stream.remove(new StreamId(i / 7, 2L * i))).isTrue();
    }
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    int at = 0;
    for (int round = 0; round < 2000; round++) {
      at = random.nextInt(5) == 0 ? random.nextInt(-3, 520) : at + random.nextInt(4);
      StreamId id = new StreamId(Math.max(0, at / 7), Math.max(0, 2L * at - random.nextInt(2)));
      boolean isThere = entries.moveTo(id);
      assertThat(isThere).as("%s", id).isEqualTo(stream.contains(id));
      if (isThere) assertThat(entries.id()).isEqualTo(id);
      if (isThere) assertThat(written(entries::writeFields)).isEqualTo(resp("f", "" + at));
      if (at > 520) at = 0;
    }
  }

  @Test
  void add_sameAndOtherFields_areReadBack() {
    stream.add(new StreamId(5, 1), slices("f", "1", "g", "2"), limits);
    stream.add(new StreamId(5, 2), slices("f", "3", "g", "4"), limits);
    stream.add(new StreamId(6, 0), slices("h", "5"), limits);
    List<String> expected =
        List.of(
            "5-1 " + resp("f", "1", "g", "2"),
            "5-2 " + resp("f", "3", "g", "4"),
            "6-0 " + resp("h", "5"));
    assertThat(range(stream, StreamId.MIN, StreamId.MAX, false)).isEqualTo(expected);
    List<String> reversed = new ArrayList<>(expected);
    Collections.reverse(reversed);
    assertThat(range(stream, StreamId.MIN, StreamId.MAX, true)).isEqualTo(reversed);
    assertThat(stream.lastId()).hasToString("6-0");
  }

  @Test
  void remove_lastEntry_keepsLastIdAndCountsWhatWasAdded() {
    stream.add(new StreamId(1, 0), slices("f", "v"), limits);
    assertThat(stream.remove(new StreamId(1, 0))).isTrue();
    assertThat(stream.remove(new StreamId(1, 0))).isFalse();
    assertThat(stream.size()).isZero();
    assertThat(stream.lastId()).hasToString("1-0");
    assertThat(stream.maxDeletedId()).hasToString("1-0");
    assertThat(stream.entriesAdded()).isEqualTo(1);
    assertThat(range(stream, StreamId.MIN, StreamId.MAX, true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100, 0})
  void randomOperations_matchATreeMap(int streamNodeMaxEntries) {
    limits.streamNodeMaxEntries(streamNodeMaxEntries);
    limits.streamNodeMaxBytes(streamNodeMaxEntries == 0 ? 0 : 4096);
    Random random = new Random(streamNodeMaxEntries);
    NavigableMap<StreamId, String> model = new TreeMap<>();
    StreamId last = StreamId.MIN;
    for (int step = 0; step < 2500; step++) {
      int chance = random.nextInt(100);
      if (chance < 75) {
        last = nextId(random, last);
        String[] fields = fields(random);
        stream.add(last, slices(fields), limits);
        model.put(last, resp(fields));
      } else if (chance < 95) {
        remove(random, model);
      } else {
        trim(random, model);
      }
      assertThat(stream.size()).isEqualTo(model.size());
      if (step % 50 == 0) assertSame(model, random);
    }
    assertSame(model, random);
  }

  private static StreamId nextId(Random random, StreamId last) {
    return switch (random.nextInt(4)) {
      case 0 -> new StreamId(last.millis() + random.nextInt(1, 1000), random.nextInt(5));
      case 1 -> new StreamId(last.millis() + (1L << random.nextInt(40)), 0);
      case 2 -> new StreamId(last.millis(), last.sequence() + random.nextInt(1, 100_000));
      default -> last.next();
    };
  }

  private static String[] fields(Random random) {
    String[] fields = new String[2 * random.nextInt(1, 4)];
    boolean usual = random.nextInt(3) > 0;
    for (int i = 0; i < fields.length; i += 2) {
      fields[i] = usual ? "field" + i : Bytes.element(random);
      fields[i + 1] = Bytes.element(random);
    }
    return fields;
  }

  private void remove(Random random, NavigableMap<StreamId, String> model) {
    StreamId wanted = new StreamId(random.nextLong(1L << 42), 0);
    StreamId id = model.ceilingKey(wanted);
    if (id == null || random.nextInt(5) == 0) id = model.isEmpty() ? wanted : model.firstKey();
    assertThat(stream.remove(id)).isEqualTo(model.remove(id) != null);
  }

  private void trim(Random random, NavigableMap<StreamId, String> model) {
    int size = model.size();
    if (size < 50) return;
    if (random.nextBoolean()) {
      int length = size - random.nextInt(30);
      assertThat(trimToLength(stream, length, false, 0)).isEqualTo(size - length);
      while (model.size() > length) model.pollFirstEntry();
    } else {
      StreamId least = new ArrayList<>(model.keySet()).get(random.nextInt(30)).next();
      long trimmed = trimToMinId(stream, least, false, 0);
      model.headMap(least).clear();
      assertThat(trimmed).isEqualTo(size - model.size());
    }
  }

  private void assertSame(NavigableMap<StreamId, String> model, Random random) {
    assertRange(model, StreamId.MIN, StreamId.MAX);
    if (model.isEmpty()) return;
    List<StreamId> ids = new ArrayList<>(model.keySet());
    StreamId a = ids.get(random.nextInt(ids.size()));
    StreamId b = ids.get(random.nextInt(ids.size()));
    assertRange(model, a, b);
    assertRange(model, a.next(), b.previous());
    assertThat(range(stream.copy(), a, b, false)).isEqualTo(range(stream, a, b, false));
  }

  private void assertRange(NavigableMap<StreamId, String> model, StreamId start, StreamId end) {
    List<String> expected = new ArrayList<>();
    for (Map.Entry<StreamId, String> entry : model.entrySet()) {
      if (entry.getKey().isBefore(start) || end.isBefore(entry.getKey())) continue;
      expected.add(entry.getKey() + " " + entry.getValue());
    }
    assertThat(range(stream, start, end, false)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(range(stream, start, end, true)).isEqualTo(expected);
  }

  @Test
  void trimToLength_wholeBlocks_removesThemOnly() {
    for (int i = 1; i <= 1000; i++) stream.add(new StreamId(i, 0), slices("f", "v"), limits);
    assertThat(trimToLength(stream, 550, true, 0)).isEqualTo(400);
    assertThat(trimToLength(stream, 0, true, 250)).isEqualTo(200);
    assertThat(stream.size()).isEqualTo(400);
    assertThat(trimToMinId(stream, new StreamId(750, 0), true, 0)).isEqualTo(100);
  }

  @Test
  void copy_isNotChangedWithTheOriginal() {
    stream.add(new StreamId(1, 0), slices("f", "v"), limits);
    RedisStream copy = stream.copy();
    stream.add(new StreamId(2, 0), slices("f", "w"), limits);
    assertThat(copy.size()).isEqualTo(1);
    assertThat(copy.remove(new StreamId(1, 0))).isTrue();
    assertThat(range(stream, StreamId.MIN, StreamId.MAX, false)).hasSize(2);
  }
}
