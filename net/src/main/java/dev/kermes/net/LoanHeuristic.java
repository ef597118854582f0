package dev.kermes.net;

/**
 * Whether somebody is expected to do as before. Who was wrong about it once is not believed for one
 * turn, and twice as long each time this happens again soon: it begins with little, for a thread
 * that the operating system interrupts looks like one who does not come. Racy on purpose: a hint.
 */
final class LoanHeuristic {
  private static final int LOSS_MIN = 1;
  private static final int LOSS_MAX = 1024;

  /** Above 0 it is given. */
  private int credit;

  private int loss = LOSS_MIN;
  private int lostAt;

  boolean predictsLoan() {
    return credit > 0;
  }

  /** Another turn in which it could have been right. */
  void recordHit() {
    if (credit <= 0) credit++;
  }

  /** {@code turns}: how many times it has been right since the beginning. */
  void recordMiss(int turns) {
    boolean isSoon = turns - lostAt < 4 * loss;
    loss = isSoon ? Math.min(2 * loss, LOSS_MAX) : LOSS_MIN;
    lostAt = turns;
    credit = -loss;
  }
}
