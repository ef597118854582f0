package dev.kermes.server.keyspace;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The state of loading data, from the files at the start or from a master's copy. The loading
 * thread takes the keyspace lock for a slice at a time. Between slices clients get the error that
 * the server is loading, unless the data are loaded next to old ones that may still be served.
 * Guarded by the keyspace lock, except for {@link #isOn}, {@link #giveUp} and {@link #isGivenUp},
 * which any thread may call, and the methods for the loading thread.
 */
public final class Loading {

  /** The error of a command that cannot run during loading. */
  public static final String ERROR = "LOADING Redis is loading the dataset in memory";

  /** 0.1 ms: the pause between two slices while other threads want the lock. */
  private static final long PAUSE_NANOS = 100_000;

  /** 10 ms: the longest sleep between two checks whether loading was given up. */
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

  /** Whether the data are incomplete and hidden from clients. */
  public boolean isOn() {
    return isOn;
  }

  /** Whether the old data are served during loading. */
  public boolean isAsync() {
    return beside != null && !isOn;
  }

  /** Whether anything is being loaded. */
  public boolean isUnderWay() {
    return isOn || beside != null;
  }

  /** The start of loading; Unix time. */
  public long startMillis() {
    return startMillis;
  }

  /** The total number of bytes to read, as far as it is known. */
  public long totalBytes() {
    return totalBytes;
  }

  /** The memory that the data took on the server that saved them; 0 if unknown. */
  public long usedMemory() {
    return usedMemory;
  }

  /**
   * The estimated number of bytes to read: if it is unknown, the memory that the data took, which
   * is a bad estimate; 0 if that is unknown, too.
   */
  public long likelyBytes() {
    return totalBytes > 0 ? totalBytes : usedMemory;
  }

  /** Bytes that have been read. */
  public long loadedBytes() {
    return loadedBytes;
  }

  // For the thread that loads

  /** Sets the action to run once loading takes too long for clients to wait for its end. */
  public void onTookLong(Runnable action) {
    tookLong = action;
  }

  /** Notes that the data are incomplete from now on. */
  public void begins() {
    isOn = true;
    resetCounts();
  }

  /** Keeps the old data until the new ones are complete, and serves them if that makes sense. */
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
    keyspace.restrictions().set(Restriction.LOADING, isUnderWay());
  }

  /** Notes the end of loading: the data are complete, absent, or the old ones. */
  public void ends() {
    isOn = false;
    beside = null;
    keyspace.memory().beside(null);
    keyspace.restrictions().set(Restriction.LOADING, isUnderWay());
  }

  /** Adds to the bytes that are to be read. */
  public void expect(long bytes) {
    totalBytes += bytes;
  }

  /** Notes the memory that the data took on the server that saved them. */
  public void usedMemory(long bytes) {
    usedMemory = bytes;
  }

  /**
   * Does a part of the work under the keyspace lock.
   *
   * @throws IOException if the work fails, loading was given up, or the new data do not fit into
   *     memory next to the old ones
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

  /** Keeps new data from filling the heap next to old ones; without old data they may. */
  private void checkRoom() throws IOException {
    boolean lacksRoom = beside != null && keyspace.memory().isHeapFull();
    if (lacksRoom) throw new IOException("the heap has no room for the copy beside the old data");
  }

  /** Adds to the bytes that have been read. */
  public void advance(long bytes) {
    loadedBytes += bytes;
    if (loadedBytes >= keyspace.settings().fileOptions().loadSilentBytes.value()) tookLong.run();
  }

  /** Waits for the time that tests want the loading of a key to take. */
  public void delay() throws IOException {
    long left = keyspace.settings().fileOptions().loadDelayMicros.value() * 1000;
    while (left > 0) {
      check();
      LockSupport.parkNanos(Math.min(left, NAP_NANOS));
      left -= NAP_NANOS;
    }
  }

  private void check() throws IOException {
    if (isGivenUp) throw new IOException("loading was given up");
  }

  /** Whether loading was given up because the server ends. */
  public boolean isGivenUp() {
    return isGivenUp;
  }

  /** Makes this load and all later ones fail soon, as the server ends. */
  public void giveUp() {
    isGivenUp = true;
  }
}
