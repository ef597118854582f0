package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.resp.RespWriter;
import org.junit.jupiter.api.Test;

final class SliceTest {

  @Test
  void slice_isThePartOfTheArray() {
    Slice slice = new Slice().wrap(bytes("SADD k hello"), 7, 5);
    assertThat(slice.copy()).isEqualTo(bytes("hello"));
    assertThat(slice.copyFrom(1)).isEqualTo(bytes("ello"));
    assertThat(slice.at(1)).isEqualTo((byte) 'e');
    assertThat(slice.length()).isEqualTo(5);
    assertThat(slice.equals(bytes("xhellox"), 1, 5)).isTrue();
    assertThat(slice.equals(bytes("xhellox"), 1, 6)).isFalse();
    RespWriter out = new RespWriter(64);
    slice.write(out);
    assertThat(out.toByteArray()).isEqualTo(bytes("$5\r\nhello\r\n"));
  }

  @Test
  void integer_isOneAsRedisPrintsIt() {
    assertThat(Slice.of(bytes("-12")).isLong()).isTrue();
    assertThat(Slice.of(bytes("-12")).toLong()).isEqualTo(-12);
    assertThat(Slice.of(bytes("012")).isLong()).isFalse();
    assertThat(new Slice().wrap(bytes("x12x"), 1, 2).toLong()).isEqualTo(12);
  }

  @Test
  void releasedSlice_failsUntilItIsMoved() {
    Slice slice = Slice.of(bytes("gone"));
    slice.release();
    assertThatThrownBy(slice::copy).isInstanceOf(AssertionError.class);
    assertThatThrownBy(slice::length).isInstanceOf(AssertionError.class);
    assertThat(slice.wrap(bytes("here")).copy()).isEqualTo(bytes("here"));
  }
}
