package dev.kermes.server.aof;

import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.time.Clock;
import dev.kermes.server.writelog.LogSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the write log to a file. The holder of the keyspace lock fills a buffer. A thread that
 * has replies to send calls {@link #commit} first. That call writes everything in the buffer on
 * behalf of all waiting threads, and with ALWAYS also syncs it: one sync for many.
 *
 * <pre>
 *   appended   | - - synced - - | - - written - - | in flight | buffer |
 * </pre>
 *
 * Bytes that could not be written, or with ALWAYS not be synced, are cut off the file again and
 * stay in flight. So the file always ends with a whole unit, and all its content was in the log.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // each is changed under one lock only
public final class AofWriter implements LogSink {

  private static final Logger LOG = LoggerFactory.getLogger(AofWriter.class);

  private static final int BUFFER = 64 * 1024;

  /** Buffers that grew beyond this size are not kept. */
  private static final int BUFFER_KEPT = 4 << 20;

  /** 2 s: the longest time for which acknowledged writes may not be on the disk yet. */
  private static final long UNSYNCED_NANOS_MAX = 2_000_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Clock clock;
  private final ReentrantLock io = new ReentrantLock();
  private final Condition syncEnded = io.newCondition();
  private final Object bufferLock = new Object();

  // Guarded by bufferLock
  private byte[] buffer = new byte[BUFFER];
  private int size;
  private long stampedSecond;
  private volatile long appended;

  // Guarded by io
  private DiskFile file;
  private long length;
  private boolean hasTail;
  private byte[] inFlight = new byte[BUFFER];
  private int inFlightSize;

  /** Time of the first commit whose bytes are not on the disk; {@link #NEVER} if all are. */
  private long unsyncedSince = NEVER;

  /** The same for bytes that the sync in progress does not include. */
  private long unsyncedNext = NEVER;

  private volatile long written;
  private volatile long synced;
  private volatile boolean isSyncing;
  private volatile SyncPolicy policy;
  private volatile boolean writesTimes;
  private volatile boolean syncRests;
  private volatile long writeDelayNanos;
  private volatile @Nullable String writeError;
  private volatile @Nullable String syncError;
  private volatile long delayedSyncs;

  /** The end of what could not be committed; {@link #retry} tries it again. */
  private volatile long refused;

  /** Appends to a file whose present content is all sound. */
  public AofWriter(DiskFile file, SyncPolicy policy, Clock clock) throws IOException {
    this.file = file;
    this.policy = policy;
    this.clock = clock;
    length = file.size();
  }

  public void policy(SyncPolicy newPolicy) {
    policy = newPolicy;
  }

  /** Whether to write a timestamp in each second in which there is anything to write. */
  public void writesTimes(boolean on) {
    writesTimes = on;
  }

  /** For tests: makes each write take this much longer. */
  public void writeDelay(long nanos) {
    writeDelayNanos = nanos;
  }

  /** Suspends syncs, for example while another task writes a lot to the disk. */
  public void syncRests(boolean rests) {
    syncRests = rests;
  }

  // Facts

  /** The present error, or null. */
  public @Nullable String error() {
    return writeError == null ? syncError : writeError;
  }

  /** Bytes of the current file. */
  public long length() {
    return length;
  }

  /** Bytes that have not been written to a file yet. */
  public long pending() {
    return appended - written;
  }

  /** All bytes ever appended. They are on the disk once {@link #synced} has reached this value. */
  public long appended() {
    return appended;
  }

  public long synced() {
    return synced;
  }

  public boolean isSyncing() {
    return isSyncing;
  }

  /** The number of writes that had to wait for a sync that took too long. */
  public long delayedSyncs() {
    return delayedSyncs;
  }

  // Appending, with the keyspace lock

  @Override
  public int audience() {
    return FILE;
  }

  @Override
  public void append(byte[] bytes, int offset, int count) {
    synchronized (bufferLock) {
      if (writesTimes) stamp();
      put(bytes, offset, count);
    }
  }

  private void stamp() {
    long second = clock.millis() / 1000;
    if (second == stampedSecond) return;
    stampedSecond = second;
    byte[] line = annotation(second);
    put(line, 0, line.length);
  }

  /** The line with the Unix time at which the commands after it were executed. */
  public static byte[] annotation(long second) {
    return ("#TS:" + second + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private void put(byte[] bytes, int offset, int count) {
    if (count > buffer.length - size) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, count), 2 * buffer.length));
    }
    System.arraycopy(bytes, offset, buffer, size, count);
    size += count;
    appended += count;
  }

  // Committing, by any thread

  /** Whether there is anything to commit. */
  public boolean needsCommit() {
    return !isCommitted(appended);
  }

  /**
   * Writes to the file everything appended so far, and with ALWAYS syncs it. Does nothing if that
   * has failed before. With ALWAYS, {@link #canAcknowledge} returns false after a failure.
   */
  public void commit() {
    long target = appended;
    if (target > refused) commit(target);
  }

  /** Like {@link #commit}, but also tries again what has failed before. */
  public void retry() {
    commit(appended);
  }

  /**
   * Whether commands appended up to {@code offset} may be acknowledged, after a {@link #commit}.
   */
  public boolean canAcknowledge(long offset) {
    return policy != SyncPolicy.ALWAYS || isCommitted(offset);
  }

  private void commit(long target) {
    io.lock();
    try {
      if (isCommitted(target)) return; // by the thread that had the lock before
      if (policy == SyncPolicy.EVERYSEC && awaitOrPostpone()) return;
      writeOut();
    } catch (IOException e) {
      failed(e);
      refused = target;
    } finally {
      io.unlock();
    }
  }

  private boolean isCommitted(long target) {
    return (syncsEachWrite() ? synced : written) >= target;
  }

  private boolean syncsEachWrite() {
    return policy == SyncPolicy.ALWAYS && !syncRests;
  }

  /**
   * Waits for the sync in progress if a write has been postponed for too long. Returns whether to
   * postpone the write, because a sync in progress would block it.
   */
  private boolean awaitOrPostpone() {
    if (isTooMuchUnsynced()) {
      delayedSyncs++;
      while (isTooMuchUnsynced()) syncEnded.awaitUninterruptibly();
    }
    long now = clock.nanos();
    if (unsyncedSince == NEVER) unsyncedSince = now;
    if (isSyncing && unsyncedNext == NEVER) unsyncedNext = now;
    return isSyncing;
  }

  /** If a sync has failed, callers do not wait for the disk: writes are refused then. */
  private boolean isTooMuchUnsynced() {
    return isSyncing
        && syncError == null
        && unsyncedSince != NEVER
        && clock.nanos() - unsyncedSince >= UNSYNCED_NANOS_MAX;
  }

  private void writeOut() throws IOException {
    if (hasTail) cut();
    while (inFlightSize > 0 || takeBuffer()) {
      hasTail = true;
      if (writeDelayNanos > 0) LockSupport.parkNanos(writeDelayNanos);
      file.write(inFlight, 0, inFlightSize);
      if (syncsEachWrite()) file.sync();
      hasTail = false;
      length += inFlightSize;
      written += inFlightSize;
      inFlightSize = 0;
      if (syncsEachWrite()) synced = written;
    }
    if (syncsEachWrite() && synced < written) {
      file.sync();
      synced = written;
    }
    writeError = null;
    if (policy == SyncPolicy.ALWAYS) syncError = null;
  }

  /** Moves the buffered bytes in flight; false if there are none. */
  private boolean takeBuffer() {
    synchronized (bufferLock) {
      if (size == 0) return false;
      byte[] free = inFlight.length <= BUFFER_KEPT ? inFlight : new byte[BUFFER];
      inFlight = buffer;
      inFlightSize = size;
      buffer = free;
      size = 0;
      return true;
    }
  }

  private void failed(IOException e) {
    String message = DiskFailure.reason(e);
    if (writeError == null) LOG.warn("append only file not written: {}", message);
    writeError = message;
    try {
      if (hasTail) cut();
    } catch (IOException again) {
      LOG.warn("append only file not cut: length={}, {}", length, again.toString());
    }
  }

  private void cut() throws IOException {
    file.truncate(length);
    hasTail = false;
  }

  // Syncing, by a thread of its own

  /** Syncs everything written so far. */
  public void sync() {
    io.lock();
    try {
      if (synced >= written && syncError == null || syncRests) return;
      isSyncing = true;
      unsyncedNext = NEVER;
    } finally {
      io.unlock();
    }
    long target = written;
    IOException failure = null;
    try {
      file.sync(); // no other thread switches or closes the file during the sync
    } catch (IOException e) {
      failure = e;
    }
    io.lock();
    try {
      syncEnded(target, failure);
    } finally {
      io.unlock();
    }
  }

  private void syncEnded(long target, @Nullable IOException failure) {
    if (failure == null) {
      synced = target;
      unsyncedSince = unsyncedNext;
      syncError = null;
    } else {
      syncFailed(failure);
    }
    isSyncing = false;
    syncEnded.signalAll();
  }

  private void syncFailed(IOException e) {
    String message = DiskFailure.reason(e);
    if (syncError == null) LOG.warn("append only file not synced: {}", message);
    syncError = message;
  }

  // Switching to another file

  /**
   * Writes and syncs the rest of the current file, and continues with another, empty one. The
   * caller holds the keyspace lock.
   */
  public void switchTo(DiskFile next) throws IOException {
    io.lock();
    try {
      finish();
      file.close();
      file = next;
      length = next.size();
    } finally {
      io.unlock();
    }
  }

  /** Writes and syncs what is left, and closes the file. */
  public void close() throws IOException {
    io.lock();
    try {
      finish();
    } finally {
      io.unlock();
      file.close();
    }
  }

  private void finish() throws IOException {
    while (isSyncing) syncEnded.awaitUninterruptibly();
    writeOut();
    file.sync();
    synced = written;
    unsyncedSince = NEVER;
  }
}
