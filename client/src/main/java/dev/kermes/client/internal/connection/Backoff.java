package dev.kermes.client.internal.connection;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The wait before the next attempt: a random time between half and the whole of a bound that
 * doubles with each failure up to a maximum. The first attempt after a success comes at once.
 */
public final class Backoff {
  private final long firstMillis;
  private final long maxMillis;
  private final RandomGenerator random;
  private int failures;

  Backoff(Duration first, Duration max, RandomGenerator random) {
    this.firstMillis = Math.max(1, first.toMillis());
    this.maxMillis = Math.max(firstMillis, max.toMillis());
    this.random = random;
  }

  /** The wait before the next attempt in milliseconds; each call counts as one more failure. */
  public long nextMillis() {
    int doublings = Math.min(failures++, 30);
    long bound = Math.min(maxMillis, firstMillis << doublings);
    return bound / 2 + random.nextLong(bound - bound / 2 + 1);
  }

  public int failures() {
    return failures;
  }

  public void succeeded() {
    failures = 0;
  }
}
