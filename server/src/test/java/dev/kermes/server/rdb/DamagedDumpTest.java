package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Slices;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Payloads with a correct checksum and wrong bytes. Reading any of them ends with an IOException or
 * with a sound value.
 */
final class DamagedDumpTest {

  private static final EncodingLimits LIMITS = new EncodingLimits();
  private static final long NOW = 1_700_000_000_000L;
  private static final int RANDOM_DAMAGES = 500;

  /** In a longer dump, not every byte is damaged. */
  private static final int WHOLE_LENGTH_MAX = 1000;

  /** Dumps of every form, and of every type as we write it, small and large. */
  static Stream<Map.Entry<String, byte[]>> dumps() {
    Stream<Map.Entry<String, byte[]>> own =
        values().map(each -> Map.entry("our " + each.getKey(), Dump.of(each.getValue(), NOW)));
    return Stream.concat(DumpSamples.all().entrySet().stream(), own);
  }

  private static Stream<Map.Entry<String, Object>> values() {
    return Stream.of(
        Map.entry("text", Record.of(bytes("k"), bytes("some text of some length"))),
        Map.entry("compressed", Record.of(bytes("k"), bytes("abc".repeat(100)))),
        Map.entry("list", list(5)),
        Map.entry("quicklist", list(1500)),
        Map.entry("set", set(20)),
        Map.entry("zset", sortedSet(20)),
        Map.entry("hash", hash(20, false)),
        Map.entry("expiring hash", hash(20, true)),
        Map.entry("stream", stream()));
  }

  @ParameterizedTest
  @MethodSource("dumps")
  void undamaged_isRead(Map.Entry<String, byte[]> sample) throws IOException {
    Object value = read(sample.getValue());
    if (value instanceof Value some) assertThat(some.size()).isGreaterThan(1);
  }

  @ParameterizedTest
  @MethodSource("dumps")
  void cutAnywhere_isRefused(Map.Entry<String, byte[]> sample) {
    byte[] dump = sample.getValue();
    int step = Math.max(1, dump.length / WHOLE_LENGTH_MAX);
    for (int length = 0; length < dump.length - 10; length += step) {
      byte[] cut = DumpSamples.seal(Arrays.copyOf(dump, length), dump);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("dumps")
  void withAnyBitFlipped_isRefusedOrSound(Map.Entry<String, byte[]> sample) throws IOException {
    byte[] dump = sample.getValue();
    int step = Math.max(1, dump.length / WHOLE_LENGTH_MAX);
    for (int at = 0; at < dump.length - 10; at += step) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] body = Arrays.copyOf(dump, dump.length - 10);
        body[at] ^= (byte) (1 << bit);
        useIfRead(DumpSamples.seal(body, dump));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dumps")
  void withRandomBytes_isRefusedOrSound(Map.Entry<String, byte[]> sample) throws IOException {
    byte[] dump = sample.getValue();
    Random random = new Random(1);
    for (int i = 0; i < RANDOM_DAMAGES; i++) {
      byte[] body = Arrays.copyOf(dump, dump.length - 10);
      for (int k = random.nextInt(1, 5); k > 0; k--) {
        body[random.nextInt(Math.min(body.length, 200))] = (byte) random.nextInt();
      }
      useIfRead(DumpSamples.seal(body, dump));
    }
  }

  @ParameterizedTest
  @MethodSource("dumps")
  void asAnotherType_isRefusedOrSound(Map.Entry<String, byte[]> sample) throws IOException {
    byte[] dump = sample.getValue();
    for (int type = 0; type < 256; type++) {
      byte[] body = Arrays.copyOf(dump, dump.length - 10);
      body[0] = (byte) type;
      useIfRead(DumpSamples.seal(body, dump));
    }
  }

  @Test
  void whatRedisRefuses_isRefusedInItsWords() {
    assertRefused(
        "Zipmap integrity check failed",
        RdbFormat.HASH_ZIPMAP,
        out -> out.putString(new byte[] {0, (byte) 0xff})); // an empty one
    assertRefused(
        "listpack with dup elements",
        RdbFormat.HASH_LISTPACK,
        out -> out.putString(listPack("a", "1", "a", "2")));
    assertRefused(
        "Quicklist integrity check failed",
        RdbFormat.LIST_QUICKLIST_2,
        out -> {
          out.putLength(1);
          out.putLength(1);
          out.putString(new byte[0]); // a plain node of no bytes
        });
  }

  private static void assertRefused(String message, int type, Consumer<RdbOutput> content) {
    RdbOutput out = new RdbOutput(true);
    out.put(type);
    content.accept(out);
    byte[] like = Objects.requireNonNull(DumpSamples.all().get("hash, listpack"));
    assertThatThrownBy(() -> read(DumpSamples.seal(out.toByteArray(), like)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  private static byte[] listPack(String... elements) {
    ListPack pack = new ListPack();
    for (String element : elements) pack.append(bytes(element), 0, element.length());
    return pack.toRedis();
  }

  private static Object read(byte[] dump) throws IOException {
    return Dump.read(Slice.of(dump), LIMITS, 1, NOW);
  }

  /** Checks that a value that can be read can be written, and read again as the same. */
  private static void useIfRead(byte[] dump) throws IOException {
    Object value;
    try {
      value = read(dump);
    } catch (IOException e) {
      return;
    }
    Object slot = value instanceof byte[] text ? Record.of(bytes("k"), text) : value;
    byte[] again = Dump.of(slot, NOW);
    Object same = read(again);
    if (value instanceof Value some) assertThat(((Value) same).size()).isEqualTo(some.size());
    else assertThat(same).isEqualTo(value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static RedisList list(int size) {
    RedisList list = new RedisList();
    for (int i = 0; i < size; i++) {
      byte[] element = bytes(i % 3 == 0 ? "" + i * 1000 : "element " + i);
      list.growing(1, element.length, LIMITS);
      list.pushTail(Slice.of(element), LIMITS);
    }
    return list;
  }

  private static RedisSet set(int size) {
    RedisSet set = new RedisSet(1);
    for (int i = 0; i < size; i++) {
      byte[] member = bytes("member" + i);
      assertThat(set.add(Slice.of(member), LIMITS)).isTrue();
    }
    return set;
  }

  private static RedisSortedSet sortedSet(int size) {
    RedisSortedSet set = new RedisSortedSet(1);
    for (int i = 0; i < size; i++) {
      byte[] member = bytes("member" + i);
      set.put(Slice.of(member), i / 3.0, LIMITS);
    }
    return set;
  }

  private static RedisHash hash(int size, boolean expires) {
    RedisHash hash = new RedisHash();
    for (int i = 0; i < size; i++) {
      byte[] field = bytes("field" + i);
      assertThat(hash.set(Slice.of(field), Slice.of(field), LIMITS, 1)).isTrue();
      if (expires && i % 2 == 0) hash.fieldExpireAtMillis(Slice.of(field), NOW + i);
    }
    return hash;
  }

  private static RedisStream stream() {
    RedisStream stream = new RedisStream();
    byte[] pair = bytes("fieldvalue");
    for (int i = 1; i <= 150; i++) {
      stream.add(new StreamId(i, 0), new Slices(pair, new int[] {0, 5}, new int[] {5, 5}), LIMITS);
    }
    assertThat(stream.remove(new StreamId(7, 0))).isTrue();
    assertThat(stream.addGroup(bytes("group"), new StreamId(3, 0), 3)).isTrue();
    var group = Objects.requireNonNull(stream.group(bytes("group")));
    var consumer = group.addConsumer(bytes("consumer"), NOW);
    for (int i = 1; i <= 3; i++) group.deliver(new StreamId(i, 0), consumer, NOW);
    return stream;
  }
}
