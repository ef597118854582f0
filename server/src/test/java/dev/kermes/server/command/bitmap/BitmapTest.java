package dev.kermes.server.command.bitmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Random;
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
  void bitcountAndBitpos_ofRandomRanges_equalTheModel() throws IOException {
    Random random = new Random(29);
    for (int i = 0; i < 500; i++) {
      boolean isInverted = random.nextBoolean();
      boolean[] bits = store(random, isInverted);
      boolean isInBits = random.nextBoolean();
      int length = isInBits ? bits.length : bits.length / 8;
      int start = random.nextInt(-length - 3, length + 3);
      int end = random.nextInt(-length - 3, length + 3);
      String range = "b " + start + " " + end + (isInBits ? " BIT" : " BYTE");
      int from = Math.max(0, start < 0 ? start + length : start);
      int to = Math.min(length - 1, Math.max(0, end < 0 ? end + length : end));
      int unit = isInBits ? 1 : 8;
      boolean isBackwards = start < 0 && end < 0 && start > end;
      int count = isBackwards ? 0 : count(bits, from * unit, (to + 1) * unit);
      assertThat(call("BITCOUNT " + range)).as(range).isEqualTo(":" + count);
      String bitRange = "b " + (isInverted ? 0 : 1) + range.substring(1);
      int position = position(bits, !isInverted, from * unit, (to + 1) * unit);
      assertThat(call("BITPOS " + bitRange)).as(bitRange).isEqualTo(":" + position);
    }
  }

  /** Stores up to 80 or 3,000 bytes, of which most are alike, and returns their bits. */
  private static boolean[] store(Random random, boolean isInverted) throws IOException {
    char[] text = new char[random.nextInt(1, random.nextInt(4) > 0 ? 80 : 3000)];
    int others = random.nextInt(3);
    for (int i = 0; i < others; i++) text[random.nextInt(text.length)] = (char) random.nextInt(128);
    call("SET", "b", new String(text));
    if (isInverted) call("BITOP NOT b b");
    boolean[] bits = new boolean[8 * text.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (text[i / 8] & 0x80 >> i % 8) != 0 != isInverted;
    }
    return bits;
  }

  private static int count(boolean[] bits, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) if (bits[i]) count++;
    return count;
  }

  private static int position(boolean[] bits, boolean wanted, int from, int to) {
    for (int i = from; i < to; i++) if (bits[i] == wanted) return i;
    return -1;
  }

  @Test
  void bitcountAndBitpos_ofALargeString() throws IOException {
    call("SETBIT b 16777215 1"); // two megabytes: several blocks
    assertThat(call("BITCOUNT b")).isEqualTo(":1");
    assertThat(call("BITPOS b 1")).isEqualTo(":16777215");
    call("BITOP NOT b b");
    assertThat(call("BITCOUNT b")).isEqualTo(":16777215");
    assertThat(call("BITCOUNT b 3 16777214 BIT")).isEqualTo(":16777212");
    assertThat(call("BITPOS b 0")).isEqualTo(":16777215");
    assertThat(call("BITPOS b 0 0 -2")).isEqualTo(":-1");
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
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"u64", "i65", "u0", "i01", "i", "x8", "8", "i8x", "u123"})
  void bitfield_refusesOtherTypes(String type) throws IOException {
    assertThat(call("BITFIELD b GET " + type + " 0"))
        .isEqualTo(
            "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported"
                + " but i64 is.");
  }

  @Test
  void bitfield_atAnyOffset_changesItsOwnBitsOnly() throws IOException {
    Random random = new Random(30);
    BigInteger model = BigInteger.ZERO;
    int length = 320;
    call("SETBIT b " + (length - 1) + " 0");
    for (int i = 0; i < 300; i++) {
      int width = random.nextInt(1, 64);
      int offset = random.nextInt(length - width + 1);
      long value = random.nextLong() >>> 64 - width;
      int shift = length - width - offset;
      BigInteger mask = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
      BigInteger old = model.shiftRight(shift).and(mask);
      model = model.andNot(mask.shiftLeft(shift)).or(BigInteger.valueOf(value).shiftLeft(shift));
      String field = "u" + width + " " + offset;
      assertThat(call("BITFIELD b SET " + field + " " + value + " GET " + field))
          .as(field)
          .isEqualTo("*2[:" + old + ", :" + value + "]");
    }
    assertThat(call("BITCOUNT b")).isEqualTo(":" + model.bitCount());
    assertThat(call("BITFIELD b SET i64 3 -2 GET i64 3 GET u63 315"))
        .endsWith(", :-2, :" + (model.longValue() & 0x1f) * (1L << 58) + "]");
  }

  /** The new value may be written where the old one was; the expiry goes with the old one. */
  @Test
  void bitop_ofLargeStrings_replacesTheOldOne() throws IOException {
    call("SETRANGE a 19999 x");
    call("SETRANGE a 7 abc");
    call("SETRANGE b 99 y");
    for (String operation : new String[] {"OR", "AND", "XOR"}) {
      assertThat(call("SETRANGE to 19999 z")).isEqualTo(":20000");
      call("EXPIRE to 100");
      assertThat(call("BITOP " + operation + " to b a b")).isEqualTo(":20000");
      call("DEL fresh");
      call("BITOP " + operation + " fresh b a b");
      assertThat(call("TTL to")).isEqualTo(":-1");
      assertThat(call("GET to")).isEqualTo(call("GET fresh"));
      assertThat(call("BITOP " + operation + " to to a")).isEqualTo(":20000");
      call("BITOP " + operation + " fresh2 fresh a");
      assertThat(call("GET to")).isEqualTo(call("GET fresh2"));
    }
  }
}
