package dev.kermes.server.engine;

import dev.kermes.server.Clock;

/**
 * Deletes expired keys and fields that no client asks for, in slices of a fraction of a
 * millisecond. After a slice that found much it waits until its share of a processor allows the
 * next one, which is taken at the end of a client's turn or, if there is none, by the cron:
 *
 * <pre>
 *   turn | slice | turn | turn | slice | turn ...
 * </pre>
 *
 * <p>Waiting for the event loop to run a task instead would take 10 to 40 ms while clients keep it
 * busy, so that slices would have to be as long, and clients would wait for them. Owned by whoever
 * holds the floor.
 */
public final class ActiveExpiry {

  /** A slice's weight in the average: some 20 slices replace it. */
  private static final double STALE_SHARE_WEIGHT = 0.1;

  /**
   * 50 microseconds. With a million keys due at once the 99th percentile of another client was 0.4
   * to 0.7 ms, with slices of 100 to 250 microseconds and gaps of 100 it was 1.3 to 1.5 ms.
   */
  public static final long SLICE_NANOS = 50_000;

  /** So much may be caught up with at once after long turns. */
  private static final long SLICE_NANOS_MAX = 100_000;

  /** The cron leaves at least so much time to clients in between. */
  private static final long CRON_GAP_NANOS = 200_000;

  /** 10 ms: while keys keep expiring they are looked for this often, whatever hz says. */
  private static final long AGAIN_NANOS = 10_000_000;

  /** Slices are measured in processor time, whatever clock the data follow. */
  private static final Clock CLOCK = Clock.system();

  private final Engine engine;
  private boolean isOn = true;
  private boolean hasMore;
  private boolean goesOn;
  private long endedNanos = CLOCK.nanos();
  private long nextNanos;
  private int database;
  private double staleShare;

  ActiveExpiry(Engine engine) {
    this.engine = engine;
  }

  /** Whether it deletes anything, for tests. */
  public void on(boolean isOn) {
    this.isOn = isOn;
  }

  /**
   * The part of the keys and fields visited lately that were due, 0 to 1. All are visited in turn,
   * so those visited next have waited longest: of all of them about half as many are due.
   */
  public double staleShare() {
    return staleShare;
  }

  /** Takes a slice at the end of a turn if one is due; returns what time it is then. */
  public long endTurn(long nowNanos) {
    if (!goesOn || CLOCK.nanos() - nextNanos < 0) return nowNanos;
    slice();
    return engine.clock().nanos();
  }

  /**
   * Takes a slice if one is due, or looks whether there is anything to do; returns in how many
   * nanoseconds to come again, -1 for whenever the cron runs next.
   */
  public long cron() {
    if (!goesOn || CLOCK.nanos() - nextNanos >= 0) slice();
    return goesOn ? Math.max(nextNanos - CLOCK.nanos(), CRON_GAP_NANOS) : -1;
  }

  private void slice() {
    goesOn = false;
    if (engine.cronRests()) return;
    engine.current(null);
    int percent = engine.settings().memoryLimits().expiryPercent(staleShare);
    long began = CLOCK.nanos();
    long earned = (began - endedNanos) * percent / (100 - percent);
    long expiredBefore = engine.statistics().expired();
    hasMore = look(hasMore ? Math.clamp(earned, SLICE_NANOS, SLICE_NANOS_MAX) : SLICE_NANOS);
    endedNanos = CLOCK.nanos();
    long spent = endedNanos - began;
    goesOn = hasMore || engine.statistics().expired() != expiredBefore;
    nextNanos = endedNanos + (hasMore ? spent * (100 - percent) / percent : AGAIN_NANOS);
    engine.noteLatency("expire-cycle", spent);
    if (engine.tracking().isActive()) engine.tracking().endTurn();
  }

  /**
   * Deletes what is due for at most {@code budgetNanos}; returns whether there is likely more to
   * do.
   */
  public boolean look(long budgetNanos) {
    if (!isOn || engine.loading().isOn()) return false;
    if (engine.replication().isReplica()) return lookAtOwn();
    if (engine.keepsDue()) return false;
    long start = CLOCK.nanos();
    MemoryLimits limits = engine.settings().memoryLimits();
    int count = limits.expiryLook();
    int keyCount = limits.expiryLookKeys();
    double most = 0;
    boolean isCut = false;
    for (int idle = 0; idle < engine.databases().size() && !isCut; ) {
      Database current = engine.databases().get(database);
      double share = current.expiringSize() > 0 ? current.expireSome(keyCount) : 0;
      if (current.expiringHashesSize() > 0) {
        share = Math.max(share, current.expireSomeFields(count, keyCount));
      }
      most = Math.max(most, share);
      if (share <= limits.staleTolerated()) {
        database = (database + 1) % engine.databases().size();
        idle++;
      }
      isCut = CLOCK.nanos() - start > budgetNanos; // not all have been looked at
    }
    staleShare += (most - staleShare) * STALE_SHARE_WEIGHT;
    engine.statistics().expiryNanos += CLOCK.nanos() - start;
    if (isCut) engine.statistics().expiryCyclesCut++;
    return isCut;
  }

  /** Deletes a replica's keys that end without the master's doing. */
  private boolean lookAtOwn() {
    if (engine.pause().isOn() || engine.settings().importMode()) return false;
    boolean isMore = false;
    for (Database each : engine.databases()) {
      if (each.ownExpiringSize() > 0) isMore |= each.expireSomeOwn(100) > 0.1;
    }
    return isMore;
  }
}
