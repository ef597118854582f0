package dev.kermes.server.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the vectors that xxHash publishes for its own sanity check, seed 0. */
final class Xxh3Test {

  /** The pseudo-random bytes for which the vectors are published. */
  private static byte[] sanityBytes(int length) {
    byte[] bytes = new byte[length];
    long generator = 2654435761L;
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (generator >>> 56);
      generator *= 0x9E3779B185EBCA8DL;
    }
    return bytes;
  }

  @ParameterizedTest(name = "{0} bytes")
  @CsvSource({
    "0, 2D06800538D394C2",
    "1, C44BDFF4074EECDB",
    "6, 27B56A84CD2D7325",
    "12, A713DAF0DFBB77E7",
    "24, A3FE70BF9D3510EB",
    "48, 397DA259ECBA1F11",
    "80, BCDEFBBB2C47C90A",
    "195, CD94217EE362EC3A",
    "403, CDEB804D65C6DEA4",
    "512, 617E49599013CB6B",
    "2048, DD59E2C3A5F038E0",
    "2240, 6E73A90539CF2948",
    "2367, CB37AEB9E5D361ED"
  })
  void hash_isThePublishedOne(int length, String expected) {
    long hash = Xxh3.hash(sanityBytes(length), 0, length);
    assertThat(String.format("%016X", hash)).isEqualTo(expected);
  }

  @Test
  void hash_ofASlice_looksAtNothingElse() {
    for (int length = 0; length < 1200; length++) {
      byte[] bytes = sanityBytes(length);
      byte[] padded = new byte[length + 11];
      Arrays.fill(padded, (byte) 0x5a);
      System.arraycopy(bytes, 0, padded, 5, length);
      assertThat(Xxh3.hash(padded, 5, length)).isEqualTo(Xxh3.hash(bytes, 0, length));
    }
  }
}
