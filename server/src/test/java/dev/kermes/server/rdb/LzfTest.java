package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.data.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LzfTest {

  private static final byte[] IN = {5, 'a', 'b', 'c', 'd', 'e', 'f', 0, 'g'};

  private static byte[] decompressed(byte[] in, int length, int outLength) {
    byte[] out = new byte[10];
    Arrays.fill(out, 0, 2, (byte) 'x');
    Lzf.decompress(in, 0, length, out, 2, 2 + outLength);
    return Arrays.copyOfRange(out, 2, 2 + outLength);
  }

  @Test
  void decompress_withinLongerArrays_endsWhereItIsToldTo() {
    assertThat(decompressed(IN, 7, 6)).isEqualTo(Bytes.bytes("abcdef"));
  }

  /** Bytes beyond the given lengths do not belong to the input or the output. */
  @Test
  void decompress_reachingBeyondAnEnd_isRefused() {
    assertThatThrownBy(() -> decompressed(IN, 4, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> decompressed(IN, 9, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> decompressed(IN, 7, 7)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /**
   * Bytes before the output do not belong to it either. The first case repeats the last byte three
   * times; the second one begins before the first byte.
   */
  @Test
  void decompress_repeatingWhatIsBefore_isRefused() {
    byte[] lastOne = {0, 'a', 1 << 5, 0};
    assertThat(decompressed(lastOne, 4, 4)).isEqualTo(Bytes.bytes("aaaa"));
    byte[] oneTooFar = {0, 'a', 1 << 5, 1};
    assertThatThrownBy(() -> decompressed(oneTooFar, 4, 4))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("before the beginning");
  }

  /** The compressor remembers places of earlier strings, which it must not repeat from. */
  @Test
  void compress_stringsOneAfterTheOther_areDecompressedToThemselves() {
    Random random = new Random(5);
    Lzf lzf = new Lzf();
    byte[] bytes = new byte[3000];
    for (int round = 0; round < 2000; round++) {
      int letters = 1 + random.nextInt(round % 2 == 0 ? 4 : 200);
      for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) random.nextInt(letters);
      int from = random.nextInt(bytes.length / 2);
      int length = random.nextInt(bytes.length / 2);
      int count = lzf.compress(bytes, from, length);
      if (count < 0) continue;
      assertThat(count).isLessThanOrEqualTo(length - 4);
      byte[] out = new byte[length];
      Lzf.decompress(lzf.result(), 0, count, out, 0, length);
      assertThat(out).isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    }
  }

  /**
   * Places are remembered in 16 bits: what is 65,536 bytes back, or at the same place of an earlier
   * string, must not be taken for something near.
   */
  @Test
  void compress_repeatingFromFarBack_isDecompressedToItself() {
    Lzf lzf = new Lzf();
    byte[] bytes = new byte[200_000];
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      random.nextBytes(bytes);
      for (int i = 0; i < 500; i++) {
        int distance = i % 2 == 0 ? 65_536 - 2 + random.nextInt(5) : 8192 - 2 + random.nextInt(5);
        int at = distance + random.nextInt(bytes.length - distance - 1000);
        System.arraycopy(bytes, at - distance, bytes, at, random.nextInt(1000));
      }
      int length = bytes.length - random.nextInt(100);
      int count = lzf.compress(bytes, 0, length);
      assertThat(count).isPositive();
      byte[] out = new byte[length];
      Lzf.decompress(lzf.result(), 0, count, out, 0, length);
      assertThat(out).isEqualTo(Arrays.copyOf(bytes, length));
    }
  }

  /** Any split into literals, few or many, and repeats, up to the last bytes of the array. */
  @Test
  void compress_stringsOfAnyLength_areDecompressedToThemselves() {
    Lzf lzf = new Lzf();
    for (int length = 5; length < 400; length++) {
      for (int period = 1; period < 45; period += 3) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) (i % period * 7 + i / 100);
        int count = lzf.compress(bytes, 0, length);
        if (count < 0) continue;
        byte[] out = new byte[length];
        Lzf.decompress(lzf.result(), 0, count, out, 0, length);
        assertThat(out).isEqualTo(bytes);
      }
    }
  }

  /**
   * Any steps, which no compressor need have chosen, amid longer arrays. Some reach beyond an end
   * or begin before the first byte: those are refused.
   */
  @Test
  void decompress_anySteps_isAsByteByByte() {
    Random random = new Random(7);
    int sound = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] in = steps(random);
      if (round % 4 == 0) in[random.nextInt(in.length)] = (byte) random.nextInt();
      int length = in.length - 1 - (round % 8 == 1 ? 3 : random.nextInt(2));
      byte[] expected = byteByByte(in, 1, 1 + length);
      byte[] out = new byte[20_000];
      if (expected == null) {
        assertThatThrownBy(() -> Lzf.decompress(in, 1, length, out, 5, 5 + 19_000))
            .isInstanceOf(IndexOutOfBoundsException.class);
        continue;
      }
      sound++;
      int end = 5 + expected.length;
      assertThatThrownBy(() -> Lzf.decompress(in, 1, length, out, 5, end + 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Lzf.decompress(in, 1, length, out, 5, end - 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      Lzf.decompress(in, 1, length, out, 5, end);
      assertThat(Arrays.copyOfRange(out, 5, end)).isEqualTo(expected);
    }
    assertThat(sound).isBetween(5_000, 18_000);
  }

  /** Up to 40 steps, between two bytes that are none. */
  private static byte[] steps(Random random) {
    ByteArrayOutputStream steps = new ByteArrayOutputStream();
    steps.write(0);
    int size = 0;
    for (int i = random.nextInt(40); i >= 0; i--) {
      int count;
      if (size == 0 || random.nextBoolean()) {
        count = 1 + random.nextInt(random.nextBoolean() ? 8 : 32);
        byte[] literals = new byte[count];
        random.nextBytes(literals);
        steps.write(count - 1);
        steps.writeBytes(literals);
      } else {
        count = 3 + random.nextInt(random.nextInt(3) == 0 ? 262 : 12);
        int back = random.nextInt(Math.min(size, random.nextBoolean() ? 20 : 8192));
        steps.write(Math.min(7, count - 2) << 5 | back >> 8);
        if (count >= 9) steps.write(count - 9);
        steps.write(back);
      }
      size += count;
    }
    steps.write(0);
    return steps.toByteArray();
  }

  /** The bytes that compressed ones stand for; null if these are not sound. */
  private static byte @Nullable [] byteByByte(byte[] in, int from, int end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = from;
    while (at < end) {
      int control = in[at++] & 0xff;
      if (control < 32) {
        if (control + 1 > end - at) return null;
        out.write(in, at, control + 1);
        at += control + 1;
        continue;
      }
      int count = (control >> 5) + 2;
      if (end - at < (count == 9 ? 2 : 1)) return null;
      if (count == 9) count += in[at++] & 0xff;
      int distance = ((control & 31) << 8) + (in[at++] & 0xff) + 1;
      if (distance > out.size()) return null;
      for (int i = 0; i < count; i++) out.write(out.toByteArray()[out.size() - distance]);
    }
    return out.toByteArray();
  }
}
