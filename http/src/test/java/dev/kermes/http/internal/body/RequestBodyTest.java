package dev.kermes.http.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RequestBodyTest {

  /** One read of the socket may add several pieces, while the handler takes some. */
  @Test
  void add_afterReadingHasStopped_resumesWhenHalfIsRead() throws Exception {
    BodyMemory memory = new BodyMemory(1 << 20);
    AtomicInteger resumed = new AtomicInteger();
    RequestBody body =
        new RequestBody(
            new RequestBody.Source() {
              @Override
              public void bodyRequested() {}

              @Override
              public void resume() {
                resumed.getAndIncrement();
              }
            },
            1 << 20,
            memory);
    InputStream in = body.stream();

    assertThat(body.add(Unpooled.wrappedBuffer(new byte[256 * 1024 + 1]))).isFalse();
    assertThat(in.readNBytes(1000)).hasSize(1000);
    assertThat(body.add(Unpooled.wrappedBuffer(new byte[10]))).isFalse();
    assertThat(resumed).hasValue(0);
    assertThat(in.readNBytes(200 * 1024)).hasSize(200 * 1024);

    assertThat(resumed).hasValue(1);
    assertThat(body.add(Unpooled.wrappedBuffer(new byte[10]))).isTrue();
    assertThat(memory.held()).isEqualTo(256 * 1024 + 21 - 1000 - 200 * 1024);
    body.abandon();
    assertThat(memory.held()).isZero();
  }
}
