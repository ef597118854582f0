package dev.kermes.server.command.bitmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bitmaps by example. */
final class BitmapTest extends FamilyTest {

  @Test
  void setbit_repliesTheOldBit_andGrowsTheString() throws IOException {
    assertThat(call("SETBIT b 7 1")).isEqualTo(":0");
    assertThat(call("SETBIT b 7 0")).isEqualTo(":1");
    assertThat(call("SETBIT b 100 1")).isEqualTo(":0");
    assertThat(call("STRLEN b")).isEqualTo(":13");
    assertThat(call("GETBIT b 100")).isEqualTo(":1");
    assertThat(call("GETBIT b 10000")).isEqualTo(":0");
    assertThat(call("SETBIT b 4294967296 1"))
        .isEqualTo("-ERR bit offset is not an integer or out of range");
    assertThat(call("SETBIT b 1 2")).isEqualTo("-ERR bit is not an integer or out of range");
  }

  @ParameterizedTest(name = "BITCOUNT {0}")
  @CsvSource({
    "b, 26",
    "b 0 0, 4",
    "b 1 1, 6",
    "b -2 -1, 7",
    "b 5 30 BIT, 17",
    "b 3 2, 0",
    "none, 0"
  })
  void bitcount_countsInBytesOrBits(String arguments, int count) throws IOException {
    call("SET b foobar");
    assertThat(call("BITCOUNT " + arguments)).isEqualTo(":" + count);
  }

  @ParameterizedTest(name = "BITPOS {0}")
  @CsvSource({
    "b 1, 12",
    "b 0, 0",
    "b 1 2, 16",
    "b 0 0 -1 BIT, 0",
    "b 1 13 -1 BIT, 13",
    "none 1, -1",
    "none 0, 0"
  })
  void bitpos_findsTheFirstBit(String arguments, int position) throws IOException {
    call("SETRANGE b 0 x");
    for (int bit = 0; bit < 12; bit++) call("SETBIT b " + bit + " 0");
    for (int bit = 12; bit < 24; bit++) call("SETBIT b " + bit + " 1");
    assertThat(call("BITPOS " + arguments)).isEqualTo(":" + position);
  }

  @Test
  void bitpos_ofAZeroInAllOnes_isBehindTheEndUnlessThatIsGiven() throws IOException {
    for (int bit = 0; bit < 16; bit++) call("SETBIT b " + bit + " 1");
    assertThat(call("BITPOS b 0")).isEqualTo(":16");
    assertThat(call("BITPOS b 0 0 -1")).isEqualTo(":-1");
  }

  @Test
  void bitop_padsShorterStringsWithZeros() throws IOException {
    call("MSET a abc b ab");
    assertThat(call("BITOP AND to a b")).isEqualTo(":3");
    assertThat(call("GET to")).isEqualTo("$3:ab\0");
    assertThat(call("BITOP OR to a b none")).isEqualTo(":3");
    assertThat(call("GET to")).isEqualTo("$3:abc");
    call("BITOP XOR to a b");
    assertThat(call("GET to")).isEqualTo("$3:\0\0c");
    call("BITOP NOT to a");
    assertThat(call("BITCOUNT to")).isEqualTo(":14");
    assertThat(call("BITOP NOT to a b"))
        .isEqualTo("-ERR BITOP NOT must be called with a single source key.");
    assertThat(call("BITOP AND to none")).isEqualTo(":0");
    assertThat(call("EXISTS to")).isEqualTo(":0");
  }

  @Test
  void bitfield_wrapsSaturatesOrFails() throws IOException {
    assertThat(call("BITFIELD b SET u8 0 255 GET u8 0 INCRBY u8 0 10"))
        .isEqualTo("*3[:0, :255, :9]");
    assertThat(call("BITFIELD b OVERFLOW SAT INCRBY u8 0 1000 OVERFLOW FAIL INCRBY u8 0 1"))
        .isEqualTo("*2[:255, $-1]");
    assertThat(call("BITFIELD b SET i5 #1 -3 GET i5 5")).isEqualTo("*2[:-4, :-3]");
    assertThat(call("BITFIELD_RO b GET u4 0")).isEqualTo("*1[:15]");
    assertThat(call("BITFIELD_RO b SET u4 0 1"))
        .isEqualTo("-ERR BITFIELD_RO only supports the GET subcommand");
    assertThat(call("BITFIELD b GET u64 0"))
        .isEqualTo(
            "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.");
  }
}
