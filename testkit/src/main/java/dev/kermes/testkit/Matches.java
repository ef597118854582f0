package dev.kermes.testkit;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Counts the matches of a rule and chooses those that its fault befalls. Guarded by the lock of
 * {@link Faults}.
 */
final class Matches {

  private final RandomGenerator random;
  private int seen;
  private int hits;
  private int only;
  private int most = Integer.MAX_VALUE;
  private double probability = 1;

  Matches(RandomGenerator random) {
    this.random = random;
  }

  void only(int number) {
    if (number < 1) throw new IllegalArgumentException("matches count from 1: nth=" + number);
    only = number;
  }

  void atMost(int number) {
    if (number < 1) throw new IllegalArgumentException("at least once: times=" + number);
    most = number;
  }

  void probability(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("a probability is above 0 and at most 1: " + share);
    }
    probability = share;
  }

  /** Counts a match; returns whether the fault befalls it. */
  boolean isHit() {
    seen++;
    boolean isChosen = only == 0 ? hits < most : seen == only;
    if (!isChosen || probability < 1 && random.nextDouble() >= probability) return false;
    hits++;
    return true;
  }

  int hits() {
    return hits;
  }

  /** A delay, plus a random part of the jitter. */
  Fault delay(Duration time, Duration jitter) {
    long more = jitter.isZero() ? 0 : random.nextLong(jitter.toNanos() + 1);
    return Fault.delay(time.plusNanos(more));
  }

  static void requirePositive(String what, Duration time) {
    if (time.isNegative()) throw new IllegalArgumentException(what + " is negative: " + time);
  }
}
