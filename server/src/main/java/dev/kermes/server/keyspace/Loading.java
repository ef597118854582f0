package dev.kermes.server.keyspace;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The data are being read, from the files at the start or from a master's copy, by a thread that
 * takes the keyspace lock for a slice at a time; in between clients hear that the server is
 * loading, unless what is read is made beside data that may still be served. Guarded by the
 * keyspace lock, but for {@link #isOn}, {@link #giveUp} and {@link #isGivenUp}, for any thread, and
 * what that thread calls.
 */
public final class Loading {

  /** The error of a command that cannot be run in the meantime. */
  public static final String ERROR = "LOADING Redis is loading the dataset in memory";

  /** 0.1 ms: what is left to others between two slices while there are any. */
  private static final long PAUSE_NANOS = 100_000;

  /** 10 ms: the longest sleep before it looks again whether it was given up. */
  private static final long NAP_NANOS = 10_000_000;

  private final Keyspace keyspace;
  private volatile boolean isOn;
  private volatile boolean isGivenUp;
  private @Nullable Dataset beside;
  private long startMillis;
  private long totalBytes;
  private long usedMemory;
  private long loadedBytes;
  private Runnable tookLong = () -> {};

  Loading(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  // Facts

  /** Whether the data are incomplete, and no client may see them. */
  public boolean isOn() {
    return isOn;
  }

  /** Whether the old data are served in the meantime. */
  public boolean isAsync() {
    return beside != null && !isOn;
  }

  /** Whether anything is being loaded. */
  public boolean isUnderWay() {
    return isOn || beside != null;
  }

  /** When it began; Unix time. */
  public long startMillis() {
    return startMillis;
  }

  /** Bytes of all that is to be read, as far as that is known. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Bytes that the data took where they were saved; 0 if that is not known. */
  public long usedMemory() {
    return usedMemory;
  }

  /**
   * Bytes of all that is to be read: if that is not known, as many as it took in memory, which is a
   * bad estimate; 0 if that is not known either.
   */
  public long likelyBytes() {
    return totalBytes > 0 ? totalBytes : usedMemory;
  }

  /** Bytes that have been read. */
  public long loadedBytes() {
    return loadedBytes;
  }

  // For the thread that loads

  /** Sets what is done when this much has been read that clients should not wait any longer. */
  public void onTookLong(Runnable action) {
    tookLong = action;
  }

  /** The data are incomplete from now on. */
  public void begins() {
    isOn = true;
    resetCounts();
  }

  /** The old data stay until others are there, and are served if that makes sense. */
  public void beginsBeside(Dataset fresh, boolean isServing) {
    beside = fresh;
    keyspace.memory().beside(fresh);
    isOn = !isServing;
    resetCounts();
  }

  private void resetCounts() {
    startMillis = keyspace.clock().millis();
    totalBytes = 0;
    loadedBytes = 0;
    usedMemory = 0;
    keyspace.restrictionsChanged();
  }

  /** The data are whole, or there are none, or the old ones. */
  public void ends() {
    isOn = false;
    beside = null;
    keyspace.memory().beside(null);
    keyspace.restrictionsChanged();
  }

  /** Adds to the bytes that are to be read. */
  public void expect(long bytes) {
    totalBytes += bytes;
  }

  /** Notes how much memory the data took where they were saved. */
  public void usedMemory(long bytes) {
    usedMemory = bytes;
  }

  /**
   * Does some of the work, with the keyspace lock.
   *
   * @throws IOException if that fails, the whole was given up, or there is no room for it beside
   *     the old data
   */
  public void slice(Keyspace.Work<IOException> work) throws IOException {
    check();
    keyspace.withLock(() -> {
      keyspace.readClock();
      work.run();
      checkRoom();
    });
    if (keyspace.lock().hasWaiters()) LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** Refuses to fill the heap with data beside the old ones; data that replace them may. */
  private void checkRoom() throws IOException {
    boolean lacksRoom = beside != null && keyspace.memory().isHeapFull();
    if (lacksRoom) throw new IOException("the heap has no room for the copy beside the old data");
  }

  /** Adds to the bytes that have been read. */
  public void advance(long bytes) {
    loadedBytes += bytes;
    if (loadedBytes >= keyspace.settings().fileOptions().loadSilentBytes) tookLong.run();
  }

  /** Takes as long as tests want a key to take. */
  public void delay() throws IOException {
    long left = keyspace.settings().fileOptions().loadDelayMicros * 1000;
    while (left > 0) {
      check();
      LockSupport.parkNanos(Math.min(left, NAP_NANOS));
      left -= NAP_NANOS;
    }
  }

  private void check() throws IOException {
    if (isGivenUp) throw new IOException("loading was given up");
  }

  /** Whether that is over, since the server ends. */
  public boolean isGivenUp() {
    return isGivenUp;
  }

  /** Makes this load and all later ones fail soon, as the server ends. */
  public void giveUp() {
    isGivenUp = true;
  }
}
