package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpareArraysTest {

  private static final int LENGTH = 100_000;

  private final SpareArrays spares = new SpareArrays(350_000);

  private static byte[] set(int length) {
    String value = "v".repeat(length);
    return ("*2\r\n$3\r\nSET\r\n$" + length + "\r\n" + value + "\r\n").getBytes(ISO_8859_1);
  }

  /** Feeds a command in pieces, as a socket would. */
  private static void feed(RequestReader reader, byte[] wire) {
    for (int at = 0; at < wire.length; at += 32_768) {
      reader.append(wire, at, Math.min(32_768, wire.length - at));
      reader.parse(RespLimits.DEFAULT, 100);
    }
  }

  @Test
  void take_fittingLength_givesThatArrayOnce() {
    byte[] array = new byte[LENGTH];
    spares.give(array);
    assertThat(spares.take(LENGTH + 1)).isNull();
    assertThat(spares.take(LENGTH * 8 / 9 - 1)).isNull();
    assertThat(spares.take(LENGTH * 8 / 9 + 1)).isSameAs(array);
    assertThat(spares.take(LENGTH)).isNull();
  }

  @Test
  void give_moreThanTheLimit_dropsTheFirst() {
    byte[][] arrays = {new byte[LENGTH], new byte[LENGTH], new byte[LENGTH], new byte[LENGTH]};
    for (byte[] array : arrays) spares.give(array);
    assertThat(spares.take(LENGTH)).isSameAs(arrays[3]);
    assertThat(spares.take(LENGTH)).isSameAs(arrays[2]);
    assertThat(spares.take(LENGTH)).isSameAs(arrays[1]);
    assertThat(spares.take(LENGTH)).isNull();
  }

  @Test
  void give_manyOfTheLeastLength_keepsTheLast() {
    SpareArrays many = new SpareArrays(Long.MAX_VALUE);
    for (int i = 0; i < 50; i++) many.give(new byte[SpareArrays.LENGTH_MIN]);
    int taken = 0;
    while (many.take(SpareArrays.LENGTH_MIN) != null) taken++;
    assertThat(taken).isEqualTo(16);
  }

  @Test
  void give_shortOrVeryLongArray_isNotKept() {
    spares.give(new byte[1000]);
    spares.give(new byte[400_000]);
    assertThat(spares.take(1000)).isNull();
    assertThat(spares.take(400_000)).isNull();
  }

  @Test
  void reader_longBulk_arrivesInASpareArray() {
    RequestReader reader = new RequestReader(SpareArrays.LENGTH_MIN, spares);
    feed(reader, set(LENGTH));
    int unused = reader.next();
    byte[] first = reader.bytes();
    reader.giveAway();
    reader.release();
    assertThat(reader.bytes()).isNotSameAs(first);
    reader.spares().give(first);
    assertThat(reader.spares().take(first.length) == first).isTrue();
    reader.spares().give(first);
    feed(reader, set(LENGTH + 100));
    assertThat(reader.bytes()).isSameAs(first);
    int command = reader.next();
    int offset = reader.slices()[reader.firstSlice(command) + 2];
    assertThat(new String(first, offset, LENGTH + 100, ISO_8859_1)).matches("v+");
  }

  @Test
  void release_ofAnArrayThatIsGivenAway_continuesALongBulkInASpareArray() {
    RequestReader reader = new RequestReader(SpareArrays.LENGTH_MIN, spares);
    byte[] spare = new byte[LENGTH + 40_000];
    spares.give(spare);
    byte[] wire = set(LENGTH);
    reader.append("*1\r\n$4\r\nPING\r\n".getBytes(ISO_8859_1), 0, 14);
    reader.append(wire, 0, 1000);
    reader.parse(RespLimits.DEFAULT, 100);
    int unused = reader.next();
    reader.giveAway();
    reader.release();
    assertThat(reader.bytes() == spare).isTrue();
    reader.append(wire, 1000, wire.length - 1000);
    reader.parse(RespLimits.DEFAULT, 100);
    int command = reader.next();
    assertThat(reader.bytes() == spare).isTrue();
    int offset = reader.slices()[reader.firstSlice(command) + 2];
    assertThat(new String(spare, offset, LENGTH, ISO_8859_1)).matches("v+");
  }

  @Test
  void recycle_arrayThatIsGivenAway_isNotSpare() {
    RequestReader reader = new RequestReader(LENGTH, spares);
    reader.giveAway();
    reader.recycle();
    assertThat(spares.take(LENGTH)).isNull();
    byte[] array = new RequestReader(LENGTH, spares).bytes();
    spares.give(array);
    RequestReader other = new RequestReader(LENGTH, spares);
    other.recycle();
    assertThat(spares.take(LENGTH)).isSameAs(array);
  }

  @Test
  void reader_longBulkWithMoreInput_isCopiedOnlyWhileShort() {
    RequestReader reader = new RequestReader(SpareArrays.LENGTH_MIN, spares);
    byte[] wire = set(LENGTH);
    reader.append(wire, 0, 32_768);
    reader.parse(RespLimits.DEFAULT, 100);
    reader.append(wire, 32_768, 32_768);
    byte[] whole = reader.bytes();
    reader.append(wire, 65_536, LENGTH - 65_536);
    reader.append(new byte[32_768], 0, 32_768);
    assertThat(reader.bytes()).isSameAs(whole);
  }
}
