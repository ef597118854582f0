package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SegmentTest {

  private static byte[] text(int offset, int length) {
    byte[] text = new byte[offset + length];
    for (int i = 0; i < length; i++) text[offset + i] = (byte) (i + 1);
    return text;
  }

  @Test
  void isSame_textsOfEachLength_comparesEachByte() {
    for (int length = 0; length < 40; length++) {
      byte[] a = text(3, length);
      byte[] b = text(5, length);
      assertThat(Segment.isSame(a, 3, b, 5, length)).as("length %d", length).isTrue();
      for (int i = 0; i < length; i++) {
        b[5 + i] ^= (byte) 0x80;
        assertThat(Segment.isSame(a, 3, b, 5, length))
            .as("length %d, byte %d", length, i)
            .isFalse();
        b[5 + i] ^= (byte) 0x80;
      }
    }
  }
}
