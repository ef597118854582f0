package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.data.Bytes;
import java.util.Arrays;
import java.util.Random;
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
}
