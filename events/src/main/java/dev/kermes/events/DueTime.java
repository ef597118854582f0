package dev.kermes.events;

/**
 * The time when the next of some things is due. The server tells it by its own clock, and it is
 * waited for by this one's. Used by one thread.
 */
final class DueTime {

  private boolean isKnown;
  private long nanos;

  /** Sets it as a reply tells it: both are the server's; 0 if nothing will be due. */
  void set(long nowMillis, long dueMillis) {
    isKnown = dueMillis > 0;
    nanos = System.nanoTime() + (dueMillis - nowMillis) * 1_000_000;
  }

  /** Makes it no later than this many milliseconds from now. */
  void limit(long millis) {
    long latest = System.nanoTime() + millis * 1_000_000;
    if (!isKnown || latest - nanos < 0) nanos = latest;
    isKnown = true;
  }

  /** The time until then, at most this long. */
  long untilNanos(long max) {
    return isKnown ? Math.min(max, Math.max(0, nanos - System.nanoTime())) : max;
  }

  /** Whether it has come. */
  boolean isPast() {
    return isKnown && System.nanoTime() - nanos >= 0;
  }
}
