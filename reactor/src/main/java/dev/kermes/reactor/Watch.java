package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that looks after the inboxes while one is run: whether its worker is stuck. It
 * gets a processor when a handler blocks, or one is free; if neither, nobody could go on anyway.
 */
final class Watch {

  /** 200 microseconds between two looks: one percent of a processor. */
  private static final long WAIT_NANOS = 200_000;

  private final Iterable<Subscription<?>> subscriptions;
  private final AtomicBoolean isAwake = new AtomicBoolean();

  Watch(Iterable<Subscription<?>> subscriptions) {
    this.subscriptions = subscriptions;
  }

  /** An inbox is being run. Any thread. */
  void wake() {
    if (isAwake.get() || !isAwake.compareAndSet(false, true)) return;
    Thread.ofVirtual().name("kermes-reactor-watch").start(this::live);
  }

  private void live() {
    do {
      LockSupport.parkNanos(this, WAIT_NANOS);
      for (Subscription<?> subscription : subscriptions) subscription.lookForStuck();
    } while (isAnybodyBusy());
    isAwake.set(false);
    if (isAnybodyBusy()) wake(); // somebody began meanwhile
  }

  private boolean isAnybodyBusy() {
    for (Subscription<?> subscription : subscriptions) if (subscription.isBusy()) return true;
    return false;
  }
}
