package dev.kermes.server.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A clock for tests that moves only in {@link #advance}. Any thread. */
public final class ManualClock implements Clock {

  private final long startMillis;
  private final AtomicLong elapsedNanos = new AtomicLong();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  ManualClock(long startMillis) {
    this.startMillis = startMillis;
  }

  /**
   * Moves forward; returns after its servers have done the work that became due, except for frozen
   * ones.
   */
  public void advance(Duration step) {
    if (step.isNegative()) throw new IllegalArgumentException("time runs forward: step=" + step);
    elapsedNanos.addAndGet(step.toNanos());
    for (Runnable listener : listeners) listener.run();
  }

  @Override
  public long millis() {
    return startMillis + elapsedNanos.get() / 1_000_000;
  }

  @Override
  public long nanos() {
    return elapsedNanos.get();
  }

  @Override
  public void onJump(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void offJump(Runnable listener) {
    boolean unused = listeners.remove(listener);
  }
}
