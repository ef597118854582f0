package dev.kermes.server.keyspace;

import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.time.Clock;
import java.util.function.BooleanSupplier;

/**
 * Deletes expired keys and fields that no client asks for, in slices of a fraction of a
 * millisecond. After a slice that found much, the next one waits until the share of a processor
 * that expiry may use allows it. While the event loop has time, the cron takes the slices. A busy
 * loop runs its tasks only every 10 to 40 ms, so then slices are taken at the end of clients'
 * turns:
 *
 * <pre>
 *   idle loop:  slice ..... slice .. turn . slice ..... slice
 *   busy loop:  turn | slice | turn | turn | slice | turn ...
 * </pre>
 *
 * <p>After a pause of the whole process, by the garbage collector or a slow command, expiry first
 * takes the time that it missed, before any client can see the keys that became due.
 *
 * <p>Guarded by the keyspace lock.
 */
public final class ActiveExpiry {

  /** A slice's weight in the average: each sees some thousand keys, or finds 64 that are due. */
  private static final double STALE_SHARE_WEIGHT = 0.5;

  /**
   * 40 microseconds, the slice of an idle loop. With a million keys due at once, the 99th
   * percentile of a client that sends a command each millisecond is 1.5 times the undisturbed one,
   * and the keys are gone in 1.8 seconds; with 60 microseconds and a gap of 150 it is 4.8 times,
   * and 1.0 second (bench expiry).
   */
  public static final long SLICE_NANOS = 40_000;

  /** The longest slice at the end of a turn, which limits how much long turns let it catch up. */
  private static final long TURN_SLICE_NANOS_MAX = 100_000;

  /** The cron leaves at least this much time to clients between two slices. */
  private static final long CRON_GAP_NANOS = 250_000;

  /** 1 ms without the cron: the loop is too busy to run its tasks. */
  private static final long CRON_LATE_NANOS = 1_000_000;

  /** 10 ms: while keys keep expiring they are looked for this often, whatever hz says. */
  private static final long AGAIN_NANOS = 10_000_000;

  /**
   * 1 ms: a slice that exceeded its time by more was interrupted, mostly by the garbage collector.
   * With waits for the whole of such a slice, expiry rested for 60 to 110 ms after pauses of 20 to
   * 40 ms.
   */
  private static final long PAID_NANOS_MAX = 1_000_000;

  /** 5 ms: a slice that is later than this was held up by a pause. */
  private static final long PAUSE_NANOS_MIN = 5_000_000;

  /** 25 ms, a slow cycle of Redis; what remains after a longer pause waits for later slices. */
  private static final long CATCH_UP_NANOS_MAX = 25_000_000;

  /** 16,384 keys: a sweep passes as many in some 10 to 20 microseconds if none is due. */
  private static final int SEEN_MAX = 16_384;

  /** 64 keys: they are deleted in about 25 microseconds. */
  private static final int DUE_MAX = 64;

  /** Slices are measured in processor time, whatever clock the data follow. */
  private static final Clock CLOCK = Clock.system();

  private final Keyspace keyspace;

  /** Whether expiry must leave the data alone at present. */
  private final BooleanSupplier rests;

  private boolean isOn = true;
  private boolean hasMore;
  private boolean goesOn;
  private long endedNanos = CLOCK.nanos();
  private long nextNanos;
  private long cronNanos = endedNanos;
  private int database;
  private double staleShare;

  /**
   * Begins with the first database.
   *
   * @param rests whether the cron must leave the data alone at present
   */
  public ActiveExpiry(Keyspace keyspace, BooleanSupplier rests) {
    this.keyspace = keyspace;
    this.rests = rests;
  }

  /** Whether it deletes anything, for tests. */
  public void on(boolean isOn) {
    this.isOn = isOn;
  }

  /**
   * The share of expired keys and fields among those visited lately, 0 to 1. All are visited in
   * turn, so the ones visited next have waited longest; the share among all of them is about half.
   */
  public double staleShare() {
    return staleShare;
  }

  /** Catches up at the beginning of a turn if there was a pause since the last slice. */
  public void beginTurn() {
    if (goesOn) catchUp(CLOCK.nanos());
  }

  /**
   * Takes a slice at the end of a turn if one is due and the cron is late, or catches up if there
   * was a pause during the turn; returns the time afterwards.
   */
  public long endTurn(long nowNanos) {
    if (!goesOn) return nowNanos;
    long now = CLOCK.nanos();
    if (!catchUp(now)) {
      if (now - nextNanos < 0 || now - cronNanos < CRON_LATE_NANOS) return nowNanos;
      slice(hasMore ? earnedNanos(now, TURN_SLICE_NANOS_MAX) : SLICE_NANOS);
    }
    return keyspace.clock().nanos();
  }

  private boolean catchUp(long now) {
    if (now - nextNanos < PAUSE_NANOS_MIN) return false;
    keyspace.readClock(); // the pause may have been after the turn read it
    slice(earnedNanos(now, CATCH_UP_NANOS_MAX));
    return true;
  }

  /**
   * Takes a slice if one is due, or checks whether there is anything to do; returns the nanoseconds
   * until the next call, -1 for the next run of the cron.
   */
  public long cron() {
    cronNanos = CLOCK.nanos();
    if (!goesOn || cronNanos - nextNanos >= 0) slice(SLICE_NANOS);
    return goesOn ? Math.max(nextNanos - CLOCK.nanos(), CRON_GAP_NANOS) : -1;
  }

  /** The time that expiry may take after its rest since the last slice. */
  private long earnedNanos(long now, long nanosMax) {
    int percent = percent();
    return Math.clamp((now - endedNanos) * percent / (100 - percent), SLICE_NANOS, nanosMax);
  }

  private int percent() {
    return keyspace.settings().memoryOptions().expiryPercent(staleShare);
  }

  private void slice(long budgetNanos) {
    goesOn = false;
    if (rests.getAsBoolean()) return;
    keyspace.listener().expiryBegins();
    int percent = percent();
    long began = CLOCK.nanos();
    long expiredBefore = keyspace.statistics().expired();
    hasMore = look(budgetNanos);
    long spent = CLOCK.nanos() - began;
    goesOn = hasMore || keyspace.statistics().expired() != expiredBefore;
    long paid = Math.min(spent, PAID_NANOS_MAX);
    boolean wasInterrupted = spent > budgetNanos + PAID_NANOS_MAX;
    endedNanos = began + (wasInterrupted ? paid : spent);
    nextNanos = endedNanos + (hasMore ? paid * (100 - percent) / percent : AGAIN_NANOS);
    keyspace.noteLatency("expire-cycle", spent);
    keyspace.listener().expiryEnded();
  }

  /** Deletes expired keys for at most {@code budgetNanos}; returns whether more are likely. */
  public boolean look(long budgetNanos) {
    if (!isOn || keyspace.loading().isOn()) return false;
    if (keyspace.isReplica()) return lookAtOwn();
    if (keyspace.keepsDue()) return false;
    long start = CLOCK.nanos();
    MemoryOptions limits = keyspace.settings().memoryOptions();
    double most = 0;
    boolean isCut = false;
    for (int idle = 0; idle < keyspace.databases().size() && !isCut; ) {
      DatabaseExpiry current = keyspace.databases().get(database).expiry();
      double share = current.size() > 0 ? current.expireSome(SEEN_MAX, DUE_MAX) : 0;
      if (current.hashesSize() > 0) {
        double ofFields = current.expireSomeFields(limits.hashesSeen(), SEEN_MAX, DUE_MAX);
        share = Math.max(share, ofFields);
      }
      most = Math.max(most, share);
      if (share <= limits.staleTolerated()) {
        database = (database + 1) % keyspace.databases().size();
        idle++;
      }
      isCut = CLOCK.nanos() - start > budgetNanos; // some have not been checked
    }
    staleShare += (most - staleShare) * STALE_SHARE_WEIGHT;
    keyspace.statistics().expiryNanos += CLOCK.nanos() - start;
    if (isCut) keyspace.statistics().expiryCyclesCut++;
    return isCut;
  }

  /** Deletes expired keys of a replica whose expiry its master does not know. */
  private boolean lookAtOwn() {
    if (keyspace.isPaused() || keyspace.settings().keyspaceOptions().importMode.isOn())
      return false;
    boolean isMore = false;
    for (Database each : keyspace.databases()) {
      if (each.expiry().ownSize() > 0) isMore |= each.expiry().expireSomeOwn(100) > 0.1;
    }
    return isMore;
  }
}
