package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a handler is quick, so that one worker handles event after event, or slow, so that every
 * event is worth a thread of its own. Changes after several measurements that agree: one may have
 * been disturbed. Any thread.
 */
final class HandlerLatencyClassifier {

  /** 4 microseconds per event, about what it costs to hand one to another thread. */
  private static final long QUICK_NANOS = 4_000;

  private static final int SLOW_IN_A_ROW = 4;

  private static final int QUICK_IN_A_ROW = 256;

  private final AtomicInteger against = new AtomicInteger();
  private volatile boolean isQuick = true;

  boolean isQuick() {
    return isQuick;
  }

  /** {@code events} were handled one after the other in {@code nanos}. */
  void recordRun(int events, long nanos) {
    if (events > 0) record(nanos < QUICK_NANOS * events);
  }

  /** Somebody waited long for one handler. */
  void recordStall() {
    record(false);
  }

  private void record(boolean wasQuick) {
    if (wasQuick == isQuick) {
      if (against.get() != 0) against.set(0);
    } else if (against.incrementAndGet() >= (isQuick ? SLOW_IN_A_ROW : QUICK_IN_A_ROW)) {
      against.set(0);
      isQuick = wasQuick;
    }
  }
}
