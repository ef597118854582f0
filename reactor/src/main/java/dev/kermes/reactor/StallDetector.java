package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that checks the running inboxes for workers that are blocked in a handler. It is
 * itself scheduled only when a handler blocks or a carrier thread is free; otherwise no other
 * worker could continue either.
 */
final class StallDetector {

  /** 200 microseconds between two checks: one percent of a processor. */
  private static final long WAIT_NANOS = 200_000;

  private final Iterable<HandlerRegistration<?>> registrations;
  private final AtomicBoolean isAwake = new AtomicBoolean();

  StallDetector(Iterable<HandlerRegistration<?>> registrations) {
    this.registrations = registrations;
  }

  /** Starts the thread unless it runs; called when an inbox is scheduled. Any thread. */
  void startIfNeeded() {
    if (isAwake.get() || !isAwake.compareAndSet(false, true)) return;
    Thread.ofVirtual().name("kermes-reactor-stalls").start(this::watchUntilIdle);
  }

  private void watchUntilIdle() {
    do {
      LockSupport.parkNanos(this, WAIT_NANOS);
      for (HandlerRegistration<?> registration : registrations) registration.detectStall();
    } while (hasBusyHandler());
    isAwake.set(false);
    if (hasBusyHandler()) startIfNeeded(); // an inbox was scheduled in the meantime
  }

  private boolean hasBusyHandler() {
    for (HandlerRegistration<?> registration : registrations)
      if (registration.isBusy()) return true;
    return false;
  }
}
