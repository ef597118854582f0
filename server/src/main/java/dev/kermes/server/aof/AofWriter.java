package dev.kermes.server.aof;

import dev.kermes.server.Clock;
import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.disk.DiskFile;
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
 * Appends the write log to a file. The holder of the keyspace lock fills a buffer; whoever has
 * replies to send calls {@link #commit} first, which writes what is there for all that wait, and
 * with ALWAYS brings it to the disk: one sync for many.
 *
 * <pre>
 *   appended   | - - synced - - | - - written - - | in flight | buffer |
 * </pre>
 *
 * What could not be written, or with ALWAYS not be synced, is cut off the file again and stays in
 * flight: the file ends with a whole unit, and what is in it was in the log.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // each is changed under one lock only
public final class AofWriter implements LogSink {

  private static final Logger LOG = LoggerFactory.getLogger(AofWriter.class);

  private static final int BUFFER = 64 * 1024;

  /** Buffers that grew beyond this are not kept. */
  private static final int BUFFER_KEPT = 4 << 20;

  /** What was done in so long at most is acknowledged without being on the disk. */
  private static final long UNSYNCED_NANOS_MAX = 2_000_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Clock clock;
  private final ReentrantLock io = new ReentrantLock();
  private final Condition syncEnded = io.newCondition();
  private final Object bufferLock = new Object();

  // Under bufferLock
  private byte[] buffer = new byte[BUFFER];
  private int size;
  private long stampedSecond;
  private volatile long appended;

  // Under io
  private DiskFile file;
  private long length;
  private boolean hasTail;
  private byte[] inFlight = new byte[BUFFER];
  private int inFlightSize;

  /** When the first commit was of what is not on the disk; {@link #NEVER} if all is. */
  private long unsyncedSince = NEVER;

  /** The same of what will not be there either when the sync under way has ended. */
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

  /** What was appended by then could not be committed, and is tried again by {@link #retry}. */
  private volatile long refused;

  /** Appends to a file, of which all is sound. */
  public AofWriter(DiskFile file, SyncPolicy policy, Clock clock) throws IOException {
    this.file = file;
    this.policy = policy;
    this.clock = clock;
    length = file.size();
  }

  public void policy(SyncPolicy newPolicy) {
    policy = newPolicy;
  }

  /** Whether to write the time each second in which there is anything to write. */
  public void writesTimes(boolean on) {
    writesTimes = on;
  }

  /** For tests: has each write take so much longer. */
  public void writeDelay(long nanos) {
    writeDelayNanos = nanos;
  }

  /** Has the disk left alone while somebody else writes much. */
  public void syncRests(boolean rests) {
    syncRests = rests;
  }

  // Facts

  /** What is wrong at present, or null. */
  public @Nullable String error() {
    return writeError == null ? syncError : writeError;
  }

  /** Bytes of the present file. */
  public long length() {
    return length;
  }

  /** Bytes that are in no file yet. */
  public long pending() {
    return appended - written;
  }

  /** All bytes ever appended; what was appended by then is on disk when {@link #synced} is that. */
  public long appended() {
    return appended;
  }

  public long synced() {
    return synced;
  }

  public boolean isSyncing() {
    return isSyncing;
  }

  /** How often a write had to go ahead beside a sync that took too long. */
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

  /** The line that says when what follows was done; Unix time. */
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
   * Brings to the file what has been appended so far, and with ALWAYS to the disk, unless that has
   * failed before. Then, or if it fails now, {@link #mayBeTold} is false.
   */
  public void commit() {
    long target = appended;
    if (target > refused) commit(target);
  }

  /** The same also for what has failed before. */
  public void retry() {
    commit(appended);
  }

  /** Whether what was appended by then may be acknowledged, after a {@link #commit}. */
  public boolean mayBeTold(long place) {
    return policy != SyncPolicy.ALWAYS || isCommitted(place);
  }

  private void commit(long target) {
    io.lock();
    try {
      if (isCommitted(target)) return; // by who had the lock
      if (policy == SyncPolicy.EVERYSEC && isPostponed()) return;
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
   * Whether a write is to wait, which would be held up by the sync that is under way. That must not
   * put off too much: then it is the caller who waits for the sync.
   */
  private boolean isPostponed() {
    if (isTooMuchUnsynced()) {
      delayedSyncs++;
      while (isTooMuchUnsynced()) syncEnded.awaitUninterruptibly();
    }
    long now = clock.nanos();
    if (unsyncedSince == NEVER) unsyncedSince = now;
    if (isSyncing && unsyncedNext == NEVER) unsyncedNext = now;
    return isSyncing;
  }

  /** What a disk that fails does not take is not waited for: writes are refused then. */
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

  /** Has what waits in flight; false if there is nothing. */
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

  /** Brings to the disk what has been written. */
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
      file.sync(); // nobody changes the file meanwhile
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

  // Another file

  /**
   * Goes on with another, empty file; the caller holds the keyspace lock. The one before is whole
   * then.
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
