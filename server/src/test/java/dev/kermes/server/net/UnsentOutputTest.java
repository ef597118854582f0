package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.resp.RespWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnsentOutputTest {

  private static final int LENGTH = 100_000;

  private final SpareReaders spares = new SpareReaders(LENGTH);
  private final UnsentOutput unsent = new UnsentOutput(spares);
  private final RespWriter out = new RespWriter(64);
  private final byte[] value = new byte[LENGTH];

  private void add() {
    Arrays.fill(value, (byte) 'v');
    out.bulkOwned(value, 10, LENGTH - 20);
    out.ok();
    unsent.add(out, Unpooled.buffer(out.size()));
  }

  private boolean isSpare() {
    return spares.make(LENGTH).bytes() == value;
  }

  private byte[] take(int length) {
    ByteBuf piece = Unpooled.buffer(length, length);
    unsent.moveTo(piece);
    byte[] bytes = new byte[piece.readableBytes()];
    piece.readBytes(bytes);
    return bytes;
  }

  /** The value ends 7 bytes before the output. */
  @ParameterizedTest
  @ValueSource(ints = {1, 50_000, LENGTH - 20})
  void moveTo_beforeTheEndOfAValue_leavesItsArray(int length) {
    add();
    byte[] whole = out.toByteArray();
    assertThat(take(length)).isEqualTo(Arrays.copyOf(whole, length));
    assertThat(isSpare()).isFalse();
    assertThat(unsent.bytes()).isEqualTo(whole.length - length);
    byte[] rest = take(LENGTH);
    assertThat(rest).isEqualTo(Arrays.copyOfRange(whole, length, whole.length));
    assertThat(unsent.isEmpty()).isTrue();
    assertThat(isSpare()).isTrue();
    assertThat(isSpare()).isFalse();
  }

  @Test
  void clear_leavesTheArraysOfValues() {
    add();
    unsent.clear();
    assertThat(isSpare()).isTrue();
  }

  @Test
  void moveTo_ofASharedValue_keepsItsArray() {
    out.bulkShared(value, 0, LENGTH);
    unsent.add(out, Unpooled.buffer(out.size()));
    assertThat(take(LENGTH + 100)).isEqualTo(out.toByteArray());
    assertThat(isSpare()).isFalse();
  }
}
