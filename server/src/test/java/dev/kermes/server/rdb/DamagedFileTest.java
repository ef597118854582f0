package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An RDB file with values of all forms, cut at every byte and with every bit flipped. */
final class DamagedFileTest {

  private static final long NOW = 1_700_000_000_000L;
  private static final int CHECKSUM_LENGTH = 8;

  /** The end of the version's digits. A file of an old version has no checksum. */
  private static final int VERSION_END = 9;

  private final byte[] sample = sample();

  private static byte[] sample() {
    RdbOutput out = new RdbOutput(true);
    putRaw(out, "REDIS0014");
    out.put(RdbFormat.AUX);
    putText(out, "redis-ver");
    putText(out, "8.8.0");
    out.put(RdbFormat.FUNCTION);
    putText(out, "#!lua name=l\n");
    int count = 0;
    for (Map.Entry<String, byte[]> each : DumpSamples.all().entrySet()) {
      byte[] dump = each.getValue();
      if (DumpSamples.version(dump) == RdbFormat.VERSION_VALKEY) continue; // not in a file of Redis
      if (count % 10 == 0) {
        out.put(RdbFormat.SELECT_DB);
        out.putLength(count / 10);
        out.put(RdbFormat.RESIZE_DB);
        out.putLength(10);
        out.putLength(1);
      }
      putFact(out, count++);
      out.put(dump[0]);
      putText(out, each.getKey());
      out.put(dump, 1, dump.length - 1 - DumpSamples.FOOTER_LENGTH);
    }
    out.put(RdbFormat.EOF);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    return out.toByteArray();
  }

  /** Writes a fact that may precede a key: an expiry, an idle time, a frequency, or none. */
  private static void putFact(RdbOutput out, int number) {
    switch (number % 5) {
      case 0 -> {
        out.put(RdbFormat.EXPIRE_MILLIS);
        out.putLong(2 * NOW);
      }
      case 1 -> {
        out.put(RdbFormat.IDLE);
        out.putLength(1000);
      }
      case 2 -> {
        out.put(RdbFormat.FREQ);
        out.put(7);
      }
      default -> {}
    }
  }

  private static void putText(RdbOutput out, String text) {
    out.putString(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void putRaw(RdbOutput out, String text) {
    for (char letter : text.toCharArray()) out.put(letter);
  }

  /** Reads a file and passes on each key. */
  private static void read(byte[] file, Consumer<Object> keys) throws IOException {
    read(file, keys, count -> {});
  }

  /**
   * Reads a file as a stream, so that buffers end anywhere; also passes on how many keys it
   * announces, and how many of them expire.
   */
  private static void read(byte[] file, Consumer<Object> keys, IntConsumer counts)
      throws IOException {
    RdbInput in = new RdbInput(new ByteArrayInputStream(file), file.length);
    new RdbReader(in, new EncodingLimits(), 1, NOW)
        .read(
            new RdbReader.Sink() {
              @Override
              public void library(byte[] text) {}

              @Override
              public void expect(int count, int expiring) {
                counts.accept(count);
                counts.accept(expiring);
              }

              @Override
              public void key(Object slot) {
                keys.accept(slot);
              }
            });
  }

  private static boolean isRefused(byte[] file, Consumer<Object> keys) {
    try {
      read(file, keys);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Writes a value that was read. */
  private static void write(Object slot) {
    byte[] unused = Dump.of(slot, NOW);
  }

  /** A table is created for the number of keys that the file announces. */
  @ParameterizedTest
  @ValueSource(longs = {5, 1000, Integer.MAX_VALUE, 1L << 40, -1})
  void sizesBeyondTheFile_areNotBelieved(long keys) throws IOException {
    List<Integer> expected =
        announced(out -> {
          putLongLength(out, keys);
          putLongLength(out, keys); // those that expire
        });
    assertThat(expected).containsExactly(3, 3); // the last nine bytes have room for three keys
  }

  @Test
  void moreThatExpireThanKeys_areNotBelieved() throws IOException {
    List<Integer> expected =
        announced(out -> {
          out.putLength(1);
          out.putLength(2);
        });
    assertThat(expected).containsExactly(1, 1);
  }

  /** The numbers that a file with sizes and no keys announces. */
  private static List<Integer> announced(Consumer<RdbOutput> sizes) throws IOException {
    RdbOutput out = new RdbOutput(true);
    putRaw(out, "REDIS0010");
    out.put(RdbFormat.RESIZE_DB);
    sizes.accept(out);
    out.put(RdbFormat.EOF);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    List<Integer> expected = new ArrayList<>();
    read(out.toByteArray(), key -> {}, expected::add);
    return expected;
  }

  private static void putLongLength(RdbOutput out, long length) {
    out.put(0x81);
    for (int shift = 56; shift >= 0; shift -= 8) out.put((int) (length >>> shift) & 0xff);
  }

  @Test
  void undamaged_hasAllKeys() throws IOException {
    List<String> names = new ArrayList<>(DumpSamples.all().keySet());
    names.removeIf(name -> name.contains("Valkey"));
    List<String> found = new ArrayList<>();
    read(sample, key -> found.add(new String(Database.keyOf(key), StandardCharsets.ISO_8859_1)));
    assertThat(found).isEqualTo(names);
  }

  @Test
  void streamThatTellsAWrongLength_isCountedAnew() throws IOException {
    byte[] dump = DumpSamples.streamThatTells(4);
    RdbOutput out = new RdbOutput(true);
    putRaw(out, "REDIS0009");
    out.put(dump[0]);
    putText(out, "stream");
    out.put(dump, 1, dump.length - 1 - DumpSamples.FOOTER_LENGTH);
    out.put(RdbFormat.EOF);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    List<Object> keys = new ArrayList<>();
    read(out.toByteArray(), keys::add);
    assertThat(keys).hasSize(1);
    assertThat(((Value) keys.get(0)).size()).isEqualTo(2);
  }

  @Test
  void cutAtEveryByte_isRefused() {
    for (int length = 0; length < sample.length; length++) {
      byte[] cut = Arrays.copyOf(sample, length);
      assertThat(isRefused(cut, key -> {})).as("length=%d", length).isTrue();
    }
  }

  @Test
  void aBitOfEachByteFlipped_isRefusedByTheChecksum() {
    for (int bit = 8 * VERSION_END; bit < 8 * sample.length; bit += 9) {
      assertThat(isRefused(flipped(sample, bit), key -> {})).as("bit=%d", bit).isTrue();
    }
  }

  @Test
  void everyBitFlippedWithoutChecksum_isRefusedOrSound() {
    byte[] unchecked = sample.clone();
    Arrays.fill(unchecked, sample.length - CHECKSUM_LENGTH, sample.length, (byte) 0);
    int refused = 0;
    for (int bit = 0; bit < 8 * (sample.length - CHECKSUM_LENGTH); bit++) {
      if (isRefused(flipped(unchecked, bit), DamagedFileTest::write)) refused++;
    }
    assertThat(refused).isGreaterThan(sample.length); // the whole structure is checked
  }

  private static byte[] flipped(byte[] file, int bit) {
    byte[] damaged = file.clone();
    damaged[bit / 8] ^= (byte) (1 << bit % 8);
    return damaged;
  }
}
