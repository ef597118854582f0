package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class FullSyncPipeTest {

  private static final FullSyncHeader ENDLESS = new FullSyncHeader(-1, new byte[40]);

  private final AtomicInteger told = new AtomicInteger();

  @Test
  void bring_moreThanIsRead_waitsForRoom() throws IOException {
    FullSyncPipe pipe = new FullSyncPipe(ENDLESS, told::incrementAndGet);
    int brought = 0;
    while (pipe.wantsMore()) brought += pipe.bring(Unpooled.wrappedBuffer(new byte[1 << 20]));
    assertThat(brought).isEqualTo(4 << 20);
    byte[] half = new byte[2 << 20];
    for (int read = 0; read < half.length; ) read += pipe.read(half, 0, half.length - read);
    assertThat(told).as("exactly half is left").hasValue(0);
    assertThat(pipe.read(half, 0, 1)).isEqualTo(1);
    assertThat(told).hasValue(1);
    assertThat(pipe.wantsMore()).isTrue();
  }

  /** TLS still delivers the data that it had read before it was told to stop. */
  @Test
  void bring_whenFull_isReadAndThenThereIsRoom() throws IOException {
    FullSyncPipe pipe = new FullSyncPipe(ENDLESS, told::incrementAndGet);
    int brought = pipe.bring(Unpooled.wrappedBuffer(new byte[4 << 20]));
    int read = pipe.read(new byte[1000], 0, 1000);
    brought += pipe.bring(Unpooled.wrappedBuffer(new byte[10]));
    assertThat(pipe.wantsMore()).isFalse();
    byte[] rest = new byte[brought];
    while (read < brought) read += pipe.read(rest, read, brought - read);
    assertThat(told).hasValue(1);
    assertThat(pipe.wantsMore()).isTrue();
  }

  @Test
  void bring_moreThanTheLength_leavesTheRest() {
    FullSyncPipe pipe = new FullSyncPipe(new FullSyncHeader(3, new byte[0]), told::incrementAndGet);
    ByteBuf input = Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4});
    assertThat(pipe.bring(input)).isEqualTo(3);
    assertThat(input.readableBytes()).isEqualTo(1);
    assertThat(pipe.wantsMore()).isFalse();
  }

  @Test
  void end_comesAfterWhatWasBrought() throws IOException {
    FullSyncPipe pipe = new FullSyncPipe(ENDLESS, told::incrementAndGet);
    int unused = pipe.bring(Unpooled.wrappedBuffer(new byte[] {-1}));
    pipe.end();
    assertThat(pipe.read()).isEqualTo(255);
    assertThat(pipe.read()).isEqualTo(-1);
    assertThat(pipe.isEmpty()).isTrue();
  }
}
