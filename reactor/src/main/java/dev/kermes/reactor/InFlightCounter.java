package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what a handler has accepted and what it has handled. The counts lie 128 bytes apart, so
 * that emitters and workers do not disturb each other; emitters look at the workers' only when what
 * they knew of it is used up. Any thread.
 */
final class InFlightCounter {

  private static final int ACCEPTED = 16;

  /** How far {@link #ACCEPTED} may certainly grow. */
  private static final int LIMIT = 32;

  /** By who has the inbox, alone. */
  private static final int HANDLED = 48;

  /** By all others. */
  private static final int HANDLED_ELSEWHERE = 64;

  private final int max;
  private final AtomicLongArray counts = new AtomicLongArray(80);

  InFlightCounter(int max) {
    this.max = max;
  }

  /** Accepts one event if fewer than {@code times} the bound are there. */
  boolean tryAdmit(int times) {
    long before = counts.getAndIncrement(ACCEPTED);
    if (before < counts.getPlain(LIMIT)) return true;
    long handled = handled();
    counts.setPlain(LIMIT, handled + max);
    if (before < handled + (long) times * max) return true;
    counts.decrementAndGet(ACCEPTED);
    return false;
  }

  private long handled() {
    return counts.get(HANDLED) + counts.get(HANDLED_ELSEWHERE);
  }

  /** One event has been handled by who has the inbox. */
  void handledInInbox() {
    counts.setRelease(HANDLED, counts.getPlain(HANDLED) + 1);
  }

  /** One event has been handled by somebody else. */
  void handledElsewhere() {
    counts.getAndIncrement(HANDLED_ELSEWHERE);
  }

  /** All events so far. */
  long accepted() {
    return counts.get(ACCEPTED);
  }

  /** How many wait or are being handled. */
  int pending() {
    long handled = handled();
    return (int) (counts.get(ACCEPTED) - handled);
  }
}
