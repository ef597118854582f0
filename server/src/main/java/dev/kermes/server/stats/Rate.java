package dev.kermes.server.stats;

/**
 * The speed at which a counter grows: the average of the last samples, for INFO's instantaneous
 * metrics. Guarded by the keyspace lock.
 */
public final class Rate {

  static final int SAMPLES = 16;

  private final long[] perSecond = new long[SAMPLES];
  private int next;
  private long lastNanos;
  private long lastCount;

  /** Takes a sample at that time; a counter that was reset in the meantime has not grown. */
  void sample(long nanos, long count) {
    double seconds = (nanos - lastNanos) / 1e9;
    perSecond[next] = Math.round(Math.max(0, count - lastCount) / seconds);
    next = (next + 1) % SAMPLES;
    lastNanos = nanos;
    lastCount = count;
  }

  public long perSecond() {
    long sum = 0;
    for (long each : perSecond) sum += each;
    return sum / SAMPLES;
  }
}
