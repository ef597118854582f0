package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Order and exclusiveness per key with many keys and emitters: a million events, or as many as the
 * system property {@code kermes.stress.events} says.
 */
class ReactorStress {

  private static final int KEYS = 10_000;
  private static final int EMITTERS = 2;
  private static final int EVENTS = Integer.getInteger("kermes.stress.events", 1_000_000);

  private final LongAdder handled = new LongAdder();
  private final AtomicInteger outOfOrder = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicIntegerArray next = new AtomicIntegerArray(KEYS);
  private final AtomicIntegerArray inside = new AtomicIntegerArray(KEYS);

  @Test
  void keyed_manyKeys_noEventLostRepeatedOrReordered() throws InterruptedException {
    Reactor reactor = Reactor.create();
    reactor
        .at("key/{k}")
        .of(Integer.class)
        .handle(event -> {
          int key = Integer.parseInt(event.param("k"));
          if (!inside.compareAndSet(key, 0, 1)) atOnce.incrementAndGet();
          if (next.getAndIncrement(key) != event.payload()) outOfOrder.incrementAndGet();
          if ((event.payload() & 63) == 0) LockSupport.parkNanos(1); // lets another thread run
          inside.set(key, 0);
          handled.increment();
        });
    List<Thread> emitters = new ArrayList<>();
    for (int i = 0; i < EMITTERS; i++) {
      int first = i;
      emitters.add(Thread.ofPlatform().start(() -> emit(reactor, first)));
    }
    for (Thread emitter : emitters) emitter.join();
    assertThat(reactor.drain(Duration.ofMinutes(5))).isZero();
    assertThat(handled.sum()).isEqualTo(EVENTS - EVENTS % KEYS);
    assertThat(outOfOrder).hasValue(0);
    assertThat(atOnce).hasValue(0);
  }

  /**
   * Handlers that sleep now and then lose the inbox to another worker; while they all do, every key
   * goes to threads of its own, and back when they are quick again.
   */
  @Test
  void keyed_alternatelyQuickAndBlocked_noEventLostRepeatedOrReordered()
      throws InterruptedException {
    int keys = 50;
    int rounds = 8_000;
    Reactor reactor = Reactor.create();
    reactor
        .at("key/{k}")
        .of(Integer.class)
        .handle(event -> {
          int key = Integer.parseInt(event.param("k"));
          int number = event.payload();
          if (!inside.compareAndSet(key, 0, 1)) atOnce.incrementAndGet();
          if (next.getAndIncrement(key) != number) outOfOrder.incrementAndGet();
          boolean allSleep = number % 1000 < 20;
          if (allSleep || (number + key) % 500 == 0) LockSupport.parkNanos(1_000_000);
          inside.set(key, 0);
          handled.increment();
        });
    List<Thread> emitters = new ArrayList<>();
    for (int i = 0; i < EMITTERS; i++) {
      int first = i;
      emitters.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < rounds; n++) {
                  for (int key = first; key < keys; key += EMITTERS) reactor.emit("key/" + key, n);
                }
              }));
    }
    for (Thread emitter : emitters) emitter.join();
    assertThat(reactor.drain(Duration.ofMinutes(5))).isZero();
    assertThat(handled.sum()).isEqualTo((long) keys * rounds);
    assertThat(outOfOrder).hasValue(0);
    assertThat(atOnce).hasValue(0);
  }

  /** Each emitter has its own keys, because events of two emitters have no order. */
  private static void emit(Reactor reactor, int first) {
    for (int n = 0; n < EVENTS / KEYS; n++) {
      for (int key = first; key < KEYS; key += EMITTERS) reactor.emit("key/" + key, n);
    }
  }
}
