package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources: acknowledgement, and the order in which they stop. */
@Timeout(60)
class SourceTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(10);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();
  private final Script source = new Script();

  /** A source that delivers what the test tells it to, and records what happens to it. */
  private final class Script implements Source.AtLeastOnce, Source.Reading {

    private @Nullable Inlet inlet;

    @Override
    public Source.Reading start(Inlet into) {
      inlet = into;
      return this;
    }

    CompletableFuture<Integer> deliver(String key, Object payload, String... handlers) {
      Inlet into = Objects.requireNonNull(inlet);
      CompletableFuture<Integer> delivery =
          handlers.length == 0
              ? into.deliver(key, payload, EventMeta.none())
              : into.deliver(key, payload, EventMeta.none(), Set.of(handlers));
      var unused =
          delivery.whenComplete((count, error) -> {
            if (error == null) seen.add("acknowledge " + payload);
            else seen.add(error.getClass().getSimpleName() + " " + payload);
          });
      return delivery;
    }

    @Override
    public void pause() {
      seen.add("pause");
    }

    @Override
    public void resume() {
      seen.add("resume");
    }

    @Override
    public void flush(Duration timeout) {
      seen.add(timeout.isPositive() ? "flush" : "no time to flush");
    }

    @Override
    public void release(int unfinished) {
      seen.add("release " + unfinished);
    }

    @Override
    public void close() {
      seen.add("close");
    }
  }

  @Test
  void deliver_handled_isAcknowledged() {
    reactor.from(source);
    reactor.on("a", event -> {});
    source.deliver("a", 1).join();
    assertThat(seen).containsExactly("acknowledge 1");
  }

  @Test
  void deliver_handlerFails_isNotAcknowledged() {
    reactor.from(source);
    reactor.onError((event, error) -> {});
    reactor.on(
        "a",
        event -> {
          throw new Exception("bad");
        });
    assertThatThrownBy(() -> source.deliver("a", 1).get())
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("bad");
    assertThat(seen).containsExactly("DeliveryFailedException 1");
  }

  @Test
  void deliver_noHandler_isNotAcknowledged() {
    reactor.from(source);
    source.deliver("a", 1);
    assertThat(seen).containsExactly("NoHandlerException 1");
  }

  /** A repeated event must not run the handlers again that have succeeded. */
  @Test
  void deliver_toNamedHandlers_leavesOutTheOthers() {
    reactor.from(source);
    reactor.at("a").named("one").handle(event -> seen.add("one"));
    reactor.at("a").named("two").handle(event -> seen.add("two"));
    assertThat(source.deliver("a", 1, "two").join()).isEqualTo(1);
    assertThat(seen).containsExactly("two", "acknowledge 1");
    assertThatThrownBy(() -> source.deliver("a", 2, "gone").get())
        .hasCauseInstanceOf(NoHandlerException.class);
  }

  @Test
  void call_fromElsewhere_isAnswered() {
    reactor.from(source);
    reactor.at("a").answer(event -> event.payload() + "!");
    EventMeta meta = EventMeta.none().within(LONG);
    assertThat(Objects.requireNonNull(source.inlet).call("a", "x", meta).join()).isEqualTo("x!");
    assertThatThrownBy(() -> Objects.requireNonNull(source.inlet).call("b", "x", meta).get())
        .hasCauseInstanceOf(NoHandlerException.class);
  }

  @Test
  void pauseAndResume_reachTheSource() {
    RunningSource running = reactor.from(source);
    running.pause();
    running.resume();
    assertThat(running.health().isUp()).isTrue();
    assertThat(seen).containsExactly("pause", "resume");
  }

  // ---- the end

  @Test
  void stop_letsHandlersEndBeforeItFlushesAndReleases() {
    RunningSource running = reactor.from(source);
    CountDownLatch gate = new CountDownLatch(1);
    reactor.on(
        "a",
        event -> {
          gate.await();
          seen.add("handle " + event.payload());
        });
    source.deliver("a", 1);
    assertThat(running.inFlight()).isEqualTo(1);
    assertThat(running.awaitIdle(SHORT)).isFalse();
    Thread stopper = Thread.ofPlatform().start(() -> running.stop(LONG));
    while (!seen.contains("pause")) Thread.onSpinWait();
    gate.countDown();
    join(stopper);
    assertThat(seen)
        .containsExactly("pause", "handle 1", "acknowledge 1", "flush", "release 0", "close");
    assertThat(running.stop(LONG)).isZero();
    assertThat(seen).hasSize(6);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first handler is interrupted; the second event has not begun and is skipped. */
  @Test
  void stop_timeoutExpires_endsHandlersWithoutAcknowledging() {
    RunningSource running = reactor.from(source);
    reactor.onError((event, error) -> seen.add(error.getClass().getSimpleName()));
    CountDownLatch begun = new CountDownLatch(1);
    reactor
        .at("a")
        .serial()
        .handle(event -> {
          begun.countDown();
          new CountDownLatch(1).await();
        });
    CompletableFuture<Integer> first = source.deliver("a", 1);
    source.deliver("a", 2);
    await(begun);
    assertThat(running.stop(SHORT)).isEqualTo(2);
    assertThat(first).isCancelled();
    assertThat(running.awaitIdle(LONG)).isTrue();
    assertThat(seen)
        .contains("pause", "CancellationException 1", "CancellationException 2", "release 2")
        .contains("InterruptedException", "CancellationException")
        .doesNotContain("acknowledge 1", "acknowledge 2");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Without this, stopping would take as long as the backoff. */
  @Test
  void stop_endsWaitsBeforeRetries() {
    RunningSource running = reactor.from(source);
    reactor.onError((event, error) -> {});
    CountDownLatch failed = new CountDownLatch(1);
    Duration day = Duration.ofDays(1);
    reactor
        .at("a")
        .named("bad")
        .retry(Retry.times(100).backoff(day, day))
        .handle(event -> {
          failed.countDown();
          throw new Exception("bad");
        });
    CompletableFuture<Integer> delivery = source.deliver("a", 1);
    await(failed);
    assertThat(running.stop(LONG)).isZero();
    DeliveryFailedException error =
        (DeliveryFailedException) delivery.handle((count, failure) -> failure).join();
    assertThat(error.failures()).hasSize(1).allMatch(failure -> !failure.isFinal());
  }

  @Test
  void cancel_delivery_interruptsItsHandlerOnly() throws Exception {
    RunningSource running = reactor.from(source);
    reactor.onError((event, error) -> seen.add(error.getClass().getSimpleName()));
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger after = new AtomicInteger();
    reactor
        .at("a")
        .serial()
        .handle(event -> {
          if (event.payload().equals(1)) {
            begun.countDown();
            new CountDownLatch(1).await();
          }
          Thread.sleep(1); // throws if the interrupt is still set
          after.incrementAndGet();
        });
    CompletableFuture<Integer> first = source.deliver("a", 1);
    CompletableFuture<Integer> second = source.deliver("a", 2);
    begun.await();
    first.cancel(true);
    assertThat(second.get()).isEqualTo(1);
    assertThat(after).hasValue(1);
    assertThatThrownBy(first::get).isInstanceOf(CancellationException.class);
    assertThat(running.awaitIdle(LONG)).isTrue(); // the future completes before the count falls
  }

  @Test
  void drain_stopsSourcesFirst_andHandlersMayStillEmit() {
    reactor.from(source);
    CountDownLatch gate = new CountDownLatch(1);
    reactor.on(
        "a",
        event -> {
          gate.await();
          reactor.emit("b", event.payload());
        });
    reactor.on("b", event -> seen.add("handle " + event.payload()));
    source.deliver("a", 1);
    Thread drainer = Thread.ofPlatform().start(() -> reactor.drain(LONG));
    while (!seen.contains("pause")) Thread.onSpinWait();
    assertThatThrownBy(() -> reactor.emit("b", 2)).isInstanceOf(RejectedEventException.class);
    gate.countDown();
    join(drainer);
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "pause", "handle 1", "acknowledge 1", "flush", "release 0", "close");
    assertThat(seen).endsWith("flush", "release 0", "close");
    assertThatThrownBy(() -> source.deliver("a", 3).get())
        .hasCauseInstanceOf(RejectedEventException.class);
    assertThatThrownBy(() -> reactor.from(source)).hasMessage("reactor is closed");
  }

  @Test
  void close_reactor_stopsItsSources() {
    reactor.from(source);
    reactor.close();
    assertThat(seen).containsExactly("pause", "flush", "release 0", "close");
  }
}
