package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Crc64Test {

  @Test
  void of_digits_isTheCheckValueOfJones() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(Crc64.of(digits, digits.length)).isEqualTo(0xe9c6d914c4b8d9caL);
  }

  /** Fewer than sixteen bytes are processed one by one. */
  @Test
  void update_inPiecesOfAnyLength_isTheSame() {
    byte[] bytes = new byte[100];
    new Random(1).nextBytes(bytes);
    long whole = 0;
    for (int i = 0; i < bytes.length; i++) whole = Crc64.update(whole, bytes, i, i + 1);
    for (int from = 0; from < bytes.length; from++) {
      for (int to = from; to <= bytes.length; to++) {
        long crc = Crc64.update(Crc64.update(0, bytes, 0, from), bytes, from, to);
        assertThat(Crc64.update(crc, bytes, to, bytes.length)).isEqualTo(whole);
      }
    }
  }
}
