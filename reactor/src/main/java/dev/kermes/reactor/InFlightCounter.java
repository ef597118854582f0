package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the events that a handler has accepted and handled, and bounds their difference. The
 * counters are 128 bytes apart, against false sharing between emitters and workers. Emitters read
 * the workers' counters only when the limit computed from the last reading is reached. Any thread.
 */
final class InFlightCounter {

  private static final int ACCEPTED = 16;

  /** Index of a value up to which {@link #ACCEPTED} may grow without reading other counters. */
  private static final int LIMIT = 32;

  /** Events handled by the worker that owns the inbox; written by it alone. */
  private static final int HANDLED = 48;

  /** Events handled by all other threads. */
  private static final int HANDLED_ELSEWHERE = 64;

  private final int max;
  private final AtomicLongArray counts = new AtomicLongArray(80);

  InFlightCounter(int max) {
    this.max = max;
  }

  /** Admits one event if fewer than {@code times} the bound are in flight. */
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

  /** Counts an event handled by the worker that owns the inbox. */
  void handledInInbox() {
    counts.setRelease(HANDLED, counts.getPlain(HANDLED) + 1);
  }

  /** Counts an event handled by any other thread. */
  void handledElsewhere() {
    counts.getAndIncrement(HANDLED_ELSEWHERE);
  }

  /** The number of events accepted so far. */
  long accepted() {
    return counts.get(ACCEPTED);
  }

  /** The number of events that wait or are being handled. */
  int pending() {
    long handled = handled();
    return (int) (counts.get(ACCEPTED) - handled);
  }
}
