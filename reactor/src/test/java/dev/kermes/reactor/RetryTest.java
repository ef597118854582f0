package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that are called again after a failure. */
@Timeout(60)
class RetryTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Retry SOON = Retry.times(5).backoff(Duration.ZERO, Duration.ZERO);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();

  /** Throws the first {@code times} times that it is called. */
  private void failFirst(int times) throws IOException {
    if (failures.getAndIncrement() < times) throw new IOException("not yet");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void handler_failsTwice_isCalledThreeTimes(Order order) {
    reactor.onError((event, error) -> seen.add(error));
    HandlerSpec<Object> spec = reactor.at("a").retry(SOON);
    if (order == Order.SERIAL) spec.serial();
    if (order == Order.PARALLEL) spec.parallel();
    spec.handle(event -> {
      seen.add(event.meta().attempt());
      failFirst(2);
    });
    assertThat(reactor.deliver("a", 1, EventMeta.none().attempt(4)).join()).isEqualTo(1);
    assertThat(seen).containsExactly(4, 5, 6);
  }

  @Test
  void plainEmit_handlerFails_isCalledAgain() {
    reactor
        .at("a")
        .retry(SOON)
        .handle(event -> {
          failFirst(2);
          seen.add(event.meta().attempt());
        });
    reactor.emit("a", 1);
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(seen).containsExactly(3);
  }

  /** The failing event waits until another key's event has been handled behind it. */
  @Test
  void failingEvent_holdsItsKeyOnly() {
    CountDownLatch otherKey = new CountDownLatch(1);
    reactor
        .at("*/{n}")
        .keyedBy(event -> event.param("n"))
        .retry(SOON)
        .handle(event -> {
          if (event.payload().equals("first")) {
            failFirst(1);
            otherKey.await();
          }
          seen.add(event.payload());
          if (event.payload().equals("other")) otherKey.countDown();
        });
    reactor.emit("k/1", "first");
    reactor.emit("k/1", "second");
    reactor.emit("k/2", "other");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(seen).containsExactly("other", "first", "second");
  }

  /** The wait itself holds the key: the second event is not handled between two attempts. */
  @Test
  void waitBeforeRetry_holdsTheKey() {
    reactor
        .at("a")
        .retry(Retry.times(20).backoff(Duration.ofMillis(5), Duration.ofMillis(5)))
        .handle(event -> {
          if (event.payload().equals(1)) failFirst(10);
          seen.add(event.payload());
        });
    reactor.emit("a", 1);
    reactor.emit("a", 2);
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void retries_repeatTheFailingHandlerOnly() {
    reactor.at("a").retry(SOON).handle(event -> seen.add("good"));
    reactor
        .at("a")
        .retry(SOON)
        .handle(event -> {
          failFirst(2);
          seen.add("bad");
        });
    assertThat(reactor.deliver("a", 1).join()).isEqualTo(2);
    assertThat(seen).containsExactlyInAnyOrder("good", "bad");
  }

  @Test
  void handler_failsTooOften_failsTheDeliveryOnce() {
    reactor.onError((event, error) -> seen.add(error.getMessage()));
    reactor.at("a").named("bad").retry(SOON).handle(event -> failFirst(100));
    assertThatThrownBy(() -> reactor.deliver("a", 1).join())
        .hasCauseInstanceOf(DeliveryFailedException.class)
        .hasRootCauseInstanceOf(IOException.class);
    assertThat(failures).hasValue(6);
    assertThat(seen).containsExactly("not yet");
  }

  @Test
  void handler_failsIncurably_isNotCalledAgain() {
    reactor.onError((event, error) -> {});
    Retry retry = SOON.when(error -> !(error instanceof IOException));
    reactor.at("a").retry(retry).handle(event -> failFirst(100));
    reactor.emit("a", 1);
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(failures).hasValue(1);
  }

  @Test
  void condition_throws_failsTheEvent() {
    reactor.onError((event, error) -> seen.add(error.getMessage()));
    Retry retry =
        SOON.when(error -> {
          throw new IllegalStateException("condition");
        });
    reactor.at("a").retry(retry).handle(event -> failFirst(1));
    reactor.emit("a", 1);
    reactor.emit("a", 2);
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(seen).containsExactly("condition");
    assertThat(failures).hasValue(2);
  }

  @Test
  void deadline_beforeTheNextAttempt_endsTheRetries() {
    reactor.onError((event, error) -> {});
    Duration endless =
        Duration.ofDays(10_000); // waits are random, but hardly shorter than a minute
    reactor.at("a").retry(Retry.times(9).backoff(endless, endless)).handle(event -> failFirst(9));
    EventMeta meta = EventMeta.none().within(Duration.ofMinutes(1));
    assertThatThrownBy(() -> reactor.deliver("a", 1, meta).join())
        .hasCauseInstanceOf(DeliveryFailedException.class);
    assertThat(failures).hasValue(1);
  }

  @Test
  void onCaller_withRetries_throws() {
    assertThatThrownBy(() -> reactor.at("a").onCaller().retry(SOON).handle(event -> {}))
        .hasMessage("retries would block the caller: handler=a");
  }

  @Test
  void limitNanos_doublesUpToTheMaximum() {
    Retry retry = Retry.times(1).backoff(Duration.ofNanos(3), Duration.ofNanos(20));
    assertThat(retry.limitNanos(1)).isEqualTo(3);
    assertThat(retry.limitNanos(3)).isEqualTo(12);
    assertThat(retry.limitNanos(4)).isEqualTo(20);
    assertThat(retry.limitNanos(1000)).isEqualTo(20);
    for (int i = 0; i < 100; i++) assertThat(retry.waitNanos(2)).isBetween(0L, 6L);
  }

  @Test
  void times_none_throws() {
    assertThatThrownBy(() -> Retry.times(0)).hasMessage("out of range: times=0");
    assertThatThrownBy(() -> SOON.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessage("out of range: first=PT2S, max=PT1S");
  }
}
