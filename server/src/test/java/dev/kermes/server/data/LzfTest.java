package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class LzfTest {

  private static final byte[] IN = {5, 'a', 'b', 'c', 'd', 'e', 'f', 0, 'g'};

  private static byte[] decompressed(int length, int outLength) {
    byte[] out = new byte[8];
    Lzf.decompress(IN, 0, length, out, outLength);
    return Arrays.copyOf(out, outLength);
  }

  @Test
  void decompress_withinLongerArrays_endsWhereItIsToldTo() {
    assertThat(decompressed(7, 6)).isEqualTo(Bytes.bytes("abcdef"));
  }

  /** What follows in the arrays is not its own. */
  @Test
  void decompress_reachingBeyondAnEnd_isRefused() {
    assertThatThrownBy(() -> decompressed(4, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> decompressed(9, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> decompressed(7, 7)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
