package dev.kermes.http.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RequestBodyTest {

  /** One read of the socket may add several pieces, while the handler takes some. */
  @Test
  void add_afterReadingHasStopped_resumesWhenHalfIsRead() throws Exception {
    BodyMemory memory = new BodyMemory(1 << 20);
    AtomicInteger resumed = new AtomicInteger();
    RequestBody body = body(memory, resumed);
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

  private static RequestBody body(BodyMemory memory, AtomicInteger resumed) {
    RequestBody.Source source =
        new RequestBody.Source() {
          @Override
          public void bodyRequested() {}

          @Override
          public void resume() {
            resumed.getAndIncrement();
          }
        };
    return new RequestBody(source, 1 << 20, memory);
  }

  @Test
  void all_countsItsArray_andTheTextAsWell() {
    BodyMemory memory = new BodyMemory(1 << 20);
    RequestBody body = body(memory, new AtomicInteger());
    byte[] half = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    body.add(Unpooled.wrappedBuffer(half));
    body.add(Unpooled.wrappedBuffer(half));
    body.end();

    assertThat(body.all(-1)).hasSize(200_000).containsOnly('x');
    assertThat(memory.held()).isEqualTo(200_000);
    assertThat(body.text(-1)).hasSize(200_000);
    assertThat(memory.held()).isEqualTo(400_000);
    body.abandon();
    assertThat(memory.held()).isZero();
  }

  @Test
  void all_beyondTheMemoryOfAllBodies_isRefused() {
    BodyMemory memory = new BodyMemory(199_999);
    RequestBody body = body(memory, new AtomicInteger());
    body.add(Unpooled.wrappedBuffer(new byte[200_000]));
    body.end();

    assertThatThrownBy(() -> body.all(-1)).hasMessageContaining("too much memory");
    assertThat(memory.held()).isEqualTo(199_999);
  }

  @Test
  void all_ofABodyThatArrivesSlowly_isWhole_orRefusedIfTooLong() throws Exception {
    for (int length : new int[] {0, 1, 8192, 8193, 100_000, 1 << 20, (1 << 20) + 1}) {
      RequestBody body = body(new BodyMemory(10 << 20), new AtomicInteger());
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < length; i += 1000) {
                  body.add(Unpooled.wrappedBuffer(new byte[Math.min(1000, length - i)]));
                }
                body.end();
              });
      if (length <= 1 << 20) assertThat(body.all(-1)).hasSize(length);
      else
        assertThatThrownBy(() -> body.all(-1)).hasMessageContaining("body too long: max=1048576");
      sender.join();
    }
  }
}
