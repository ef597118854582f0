package dev.kermes.reactor.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Retry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The meters of handlers. */
class HandlerMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Reactor reactor = Reactor.create().observe(new HandlerMeters(registry));

  @Test
  void handler_failsOnce_isTimedTwice() {
    AtomicInteger calls = new AtomicInteger();
    reactor
        .at("orders/{id}")
        .named("ship")
        .retry(Retry.times(1).backoff(Duration.ZERO, Duration.ZERO))
        .handle(event -> {
          if (calls.getAndIncrement() == 0) throw new IOException("first");
        });
    assertThat(reactor.deliver("orders/1", "x").join()).isEqualTo(1);
    assertThat(timed("ok")).isEqualTo(1);
    assertThat(timed("IOException")).isEqualTo(1);
    assertThat(registry.get("kermes.reactor.retries").tag("handler", "ship").counter().count())
        .isEqualTo(1);
  }

  private long timed(String outcome) {
    return registry
        .get("kermes.reactor.handler")
        .tags("handler", "ship", "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void pending_countsEventsThatWait() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    reactor
        .at("a")
        .serial()
        .handle(event -> {
          begun.countDown();
          gate.await();
        });
    reactor.emit("a", 1);
    reactor.emit("a", 2);
    begun.await();
    assertThat(registry.get("kermes.reactor.pending").tag("handler", "a").gauge().value())
        .isEqualTo(2);
    gate.countDown();
    assertThat(reactor.drain(Duration.ofSeconds(30))).isZero();
    assertThat(registry.get("kermes.reactor.pending").gauge().value()).isZero();
  }

  @Test
  void dropped_countsByReason() {
    reactor.emit("a", 1);
    assertThat(registry.get("kermes.reactor.dropped").tag("reason", "NO_HANDLER").counter().count())
        .isEqualTo(1);
  }
}
