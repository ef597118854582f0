package dev.kermes.server.persistence;

import dev.kermes.server.time.Clock;

/**
 * The progress and the results of rewrites of the append only file, for INFO and for the decision
 * whether to try again. Guarded by the keyspace lock.
 */
public final class RewriteStatus {

  /** The delay before a failed rewrite is retried. */
  private static final long RETRY_MILLIS = 60_000;

  private final Clock clock;
  private boolean isRunning;
  private boolean isScheduled;
  private boolean hasFailed;
  private long failedMillis;
  private long startedMillis;
  private long lastDurationMillis = -1;
  private long count;

  RewriteStatus(Clock clock) {
    this.clock = clock;
  }

  public boolean isRunning() {
    return isRunning;
  }

  public boolean isScheduled() {
    return isScheduled;
  }

  /** Whether the last rewrite failed. */
  public boolean hasFailed() {
    return hasFailed;
  }

  public long lastDurationMillis() {
    return lastDurationMillis;
  }

  /** The duration of the running rewrite so far; -1 if there is none. */
  public long durationMillis() {
    return isRunning ? clock.millis() - startedMillis : -1;
  }

  /** Rewrites that succeeded. */
  public long count() {
    return count;
  }

  /** Whether to wait before another attempt, after a failure. */
  boolean isRetryDelayed() {
    return hasFailed && clock.millis() - failedMillis < RETRY_MILLIS;
  }

  void scheduled(boolean isWanted) {
    isScheduled = isWanted;
  }

  void begins() {
    isRunning = true;
    startedMillis = clock.millis();
  }

  void ends() {
    isRunning = false;
    lastDurationMillis = clock.millis() - startedMillis;
  }

  void succeeded() {
    hasFailed = false;
    count++;
  }

  void failed() {
    hasFailed = true;
    failedMillis = clock.millis();
  }

  /** Forgets a failure, since the file starts over. */
  void clearFailure() {
    hasFailed = false;
  }
}
