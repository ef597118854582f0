package dev.kermes.reactor;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * How often, and when, a handler is called again with an event that it failed on. Its lane waits:
 * later events with the same key stay behind the failing one, so their order is kept, and no other
 * handler of the event is called again. Immutable.
 *
 * <pre>{@code
 * Retry.times(8).backoff(Duration.ofMillis(100), Duration.ofSeconds(10))
 * }</pre>
 *
 * <p>The wait before retry n is random between zero and {@code first * 2^(n-1)}, at most {@code
 * max}, so that handlers that failed at the same time do not come back at the same time.
 */
public final class Retry {

  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration MAX = Duration.ofSeconds(10);

  /** 62: a longer shift of a positive long would overflow in any case. */
  private static final int SHIFT_MAX = 62;

  private final int times;
  private final long firstNanos;
  private final long maxNanos;
  private final Predicate<? super Throwable> curable;

  private Retry(int times, long firstNanos, long maxNanos, Predicate<? super Throwable> curable) {
    this.times = times;
    this.firstNanos = firstNanos;
    this.maxNanos = maxNanos;
    this.curable = curable;
  }

  /**
   * Up to {@code times} calls after the first one, with waits of up to 100 milliseconds at first
   * and up to 10 seconds later, for exceptions of all kinds.
   */
  public static Retry times(int times) {
    if (times < 1) throw new IllegalArgumentException("out of range: times=" + times);
    return new Retry(times, FIRST.toNanos(), MAX.toNanos(), error -> error instanceof Exception);
  }

  /** The same with other waits. */
  public Retry backoff(Duration first, Duration max) {
    if (first.isNegative() || max.compareTo(first) < 0) {
      throw new IllegalArgumentException("out of range: first=" + first + ", max=" + max);
    }
    return new Retry(times, first.toNanos(), max.toNanos(), curable);
  }

  /** The same for these exceptions only; others fail the event at once. */
  public Retry when(Predicate<? super Throwable> isCurable) {
    return new Retry(times, firstNanos, maxNanos, isCurable);
  }

  /** Whether a handler is called again after {@code failed} calls, of which this is the last. */
  boolean allows(int failed, Throwable error) {
    return failed <= times && curable.test(error);
  }

  /** The wait after {@code failed} calls. */
  long waitNanos(int failed) {
    return ThreadLocalRandom.current().nextLong(limitNanos(failed) + 1);
  }

  /** The longest possible wait after {@code failed} calls. */
  long limitNanos(int failed) {
    int shift = Math.min(failed - 1, SHIFT_MAX);
    return firstNanos > maxNanos >> shift ? maxNanos : firstNanos << shift;
  }
}
