package dev.kermes.reactor;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Classifies a handler as quick or slow. One worker handles the events of a quick handler one after
 * the other; each event of a slow handler is worth a thread of its own. The class changes only
 * after several consecutive measurements that agree, because a single one may be an outlier. Any
 * thread.
 */
final class HandlerLatencyClassifier {

  /** 4 microseconds per event: about the cost of handing one to another thread. */
  private static final long QUICK_NANOS = 4_000;

  private static final int SLOW_IN_A_ROW = 4;

  private static final int QUICK_IN_A_ROW = 256;

  private final AtomicInteger against = new AtomicInteger();
  private volatile boolean isQuick = true;

  boolean isQuick() {
    return isQuick;
  }

  /** Records that {@code events} events, handled one after the other, took {@code nanos}. */
  void recordRun(int events, long nanos) {
    if (events > 0) record(nanos < QUICK_NANOS * events);
  }

  /** Records that the handler blocked on one event. */
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
