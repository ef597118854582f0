package dev.kermes.testkit;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The part of a rule that all rules share: it counts the matches and chooses those that the fault
 * befalls. Guarded by the lock of {@link Faults}.
 */
final class Matches {

  private final RandomGenerator random;
  private int seen;
  private int hits;
  private int only;
  private int most = Integer.MAX_VALUE;
  private double probability = 1;
  private @Nullable Supplier<Fault> fault;

  Matches(RandomGenerator random) {
    this.random = random;
  }

  /** Changes the rule, whose fault must not be set yet. */
  void change(Runnable change) {
    if (fault != null) {
      throw new IllegalStateException("the fault comes last: set conditions before it");
    }
    change.run();
  }

  /** Sets the fault, which completes the rule. */
  void fault(Supplier<Fault> chosen) {
    fault = chosen;
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

  /** Counts a match; returns the fault if it befalls it, else null. */
  @Nullable Fault next() {
    return fault != null && isHit() ? fault.get() : null;
  }

  private boolean isHit() {
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
