package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that looks after the inboxes while one is run: whether its worker is stuck. It
 * gets a processor when a handler blocks, or one is free; if neither, nobody could go on anyway.
 */
final class StallDetector {

  /** 200 microseconds between two looks: one percent of a processor. */
  private static final long WAIT_NANOS = 200_000;

  private final Iterable<HandlerRegistration<?>> registrations;
  private final AtomicBoolean isAwake = new AtomicBoolean();

  StallDetector(Iterable<HandlerRegistration<?>> registrations) {
    this.registrations = registrations;
  }

  /** An inbox is being run. Any thread. */
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
    if (hasBusyHandler()) startIfNeeded(); // somebody began meanwhile
  }

  private boolean hasBusyHandler() {
    for (HandlerRegistration<?> registration : registrations) if (registration.isBusy()) return true;
    return false;
  }
}
