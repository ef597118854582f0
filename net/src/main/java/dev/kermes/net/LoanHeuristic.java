package dev.kermes.net;

/**
 * Predicts whether a thread will do again what it did before: whether callers will run the loop, or
 * whether the callback runner will return to it in time.
 *
 * <p>After a miss the prediction is suspended for one round, and for twice as many rounds after
 * each further miss that follows soon, up to {@link #LOSS_MAX}. It starts with one because a thread
 * that the operating system preempted looks like a thread that does not come. Racy by design: the
 * result is only a hint.
 */
final class LoanHeuristic {
  private static final int LOSS_MIN = 1;
  private static final int LOSS_MAX = 1024;

  /** Positive while the prediction holds; rounds still to wait, negated, after a miss. */
  private int credit;

  private int loss = LOSS_MIN;
  private int lostAt;

  boolean predictsLoan() {
    return credit > 0;
  }

  /** Counts one more round in which the prediction held or would have held. */
  void recordHit() {
    if (credit <= 0) credit++;
  }

  /**
   * Suspends the prediction.
   *
   * @param turns how many times the prediction has held since the beginning
   */
  void recordMiss(int turns) {
    boolean isSoon = turns - lostAt < 4 * loss;
    loss = isSoon ? Math.min(2 * loss, LOSS_MAX) : LOSS_MIN;
    lostAt = turns;
    credit = -loss;
  }
}
