package dev.kermes.server.persistence;

import dev.kermes.server.Clock;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.keyspace.KeyspaceLock;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.LockSupport;

/**
 * One walk through a snapshot, written by a thread of its own. While loops are busy they continue
 * it in their turns, as they have the keyspace lock and are on a processor: a thread that took the
 * keyspace lock from them could lose its processor with it. Otherwise the thread takes the keyspace
 * lock itself, slice by slice.
 *
 * <pre>
 *   turn of a loop ---slice--> form --64 KB--> thread ---> file
 *   thread, if no loop came ---^
 * </pre>
 */
public final class SnapshotIterator {

  /** 0.1 ms: it holds up others no longer at a time, but for a long string. */
  private static final long SLICE_NANOS = 100_000;

  /**
   * 0.4 ms: what it leaves to others between two slices while there are any. With 0.1 ms, 200 busy
   * connections got 70,000 operations done per second instead of 93,000.
   */
  private static final long PAUSE_NANOS = 400_000;

  /** 64 KB: what is written at once. */
  static final int CHUNK = 1 << 16;

  /** 10 ms: the longest sleep before its owner may look whether it was given up. */
  private static final long NAP_NANOS = 10_000_000;

  private final Snapshots snapshots;
  private final KeyspaceLock lock;
  private final Clock clock;
  private final FileOptions options;
  private final SnapshotWriter form;
  private final Snapshot snapshot;
  private boolean hasMore = true;

  /** When the next slice may begin, while others want the keyspace lock. */
  private long dueNanos;

  /** Whether the form has something to be written; no more is taken out of it until then. */
  private volatile boolean isFilled;

  /** Whether a loop has continued it since the thread last looked. */
  private volatile boolean wasHelped;

  private long turns;
  private boolean hasCompany;

  /** The delay for keys that a test configures: those of the last slice, and those shown since. */
  private long delayNanos;

  private long owedNanos;

  /** Begins the snapshot; the caller holds the keyspace lock. */
  public SnapshotIterator(Snapshots snapshots, SnapshotWriter form) {
    this.snapshots = snapshots;
    this.form = form;
    lock = snapshots.keyspace().lock();
    clock = snapshots.keyspace().clock();
    options = snapshots.keyspace().settings().fileOptions();
    snapshot = Snapshot.begin(snapshots, new Adding());
    snapshots.add(this);
  }

  private final class Adding implements Snapshot.Visitor {

    @Override
    public boolean visit(int database, Object slot) {
      owedNanos += options.saveDelayMicros * 1000;
      return form.slot(database, slot);
    }

    @Override
    public boolean more() {
      return form.more();
    }
  }

  /** Writes some more, and the end of the file; false when that has been written. */
  public boolean next(OutputStream out) throws IOException {
    if (delayNanos > 0) {
      delay();
      return true;
    }
    if (!isFilled && wasHelped) {
      wasHelped = false;
      LockSupport.parkNanos(PAUSE_NANOS);
      return true;
    }
    boolean isLast = !isFilled && takeSlice();
    form.write(out);
    isFilled = false;
    if (isLast) form.end(out);
    else if (hasCompany) LockSupport.parkNanos(PAUSE_NANOS);
    return !isLast;
  }

  private void delay() {
    LockSupport.parkNanos(Math.min(delayNanos, NAP_NANOS));
    delayNanos -= NAP_NANOS;
  }

  /** Takes a slice of its own; whether it was the last one. */
  private boolean takeSlice() {
    lock.lock();
    long start = clock.nanos();
    long end = start;
    hasCompany = lock.turns() > turns + 1;
    turns = lock.turns();
    try {
      if (isFilled) return false; // a loop was faster
      end = slice(start);
      delayNanos = owedNanos;
      owedNanos = 0;
      fill();
      return !hasMore;
    } finally {
      lock.unlock(end - start);
    }
  }

  /** Continues the walk in the turn of a loop, if it is due; returns the time afterwards. */
  long help(long now) {
    if (now < dueNanos || !hasMore || owedNanos > 0) return now;
    wasHelped = true;
    long end = slice(now);
    if (!isFilled && form.pending() >= CHUNK) fill();
    return end;
  }

  private long slice(long start) {
    long now = start;
    while (hasMore && now - start < SLICE_NANOS && form.pending() < CHUNK && owedNanos == 0) {
      hasMore = snapshot.next();
      now = clock.nanos();
    }
    dueNanos = now + PAUSE_NANOS;
    return now;
  }

  private void fill() {
    form.take();
    isFilled = true;
  }

  /** Nothing more is to be written; the caller holds the keyspace lock. */
  public void end() {
    snapshot.end();
    snapshots.remove(this);
  }
}
