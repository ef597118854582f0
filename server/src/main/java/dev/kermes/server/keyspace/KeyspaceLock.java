package dev.kermes.server.keyspace;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The one lock of the keyspace. Only its holder may touch data; other event loops parse, encode and
 * write in the meantime. Taken once per turn, which is a batch of commands.
 *
 * <p>Its hold time is measured, because one second divided by the hold time per command is the most
 * that a server with many loops can execute.
 */
public final class KeyspaceLock {

  /** 200 spins last about as long as a short turn; parking costs two context switches. */
  private static final int SPINS = 200;

  private final ReentrantLock lock = new ReentrantLock();
  private final boolean spins = Runtime.getRuntime().availableProcessors() > 1;

  private long turns;
  private long heldNanos;
  private long heldNanosMax;

  /** Waits for the keyspace lock: briefly on the processor, then parked. */
  public void lock() {
    if (lock.tryLock()) return;
    if (spins) {
      for (int i = 0; i < SPINS; i++) {
        Thread.onSpinWait();
        if (!lock.isLocked() && lock.tryLock()) return;
      }
    }
    lock.lock();
  }

  /** Releases the lock; the holder says how long it held it. */
  public void unlock(long nanos) {
    turns++;
    heldNanos += nanos;
    if (nanos > heldNanosMax) heldNanosMax = nanos;
    lock.unlock();
  }

  /** Whether a thread waits for it. */
  public boolean hasWaiters() {
    return lock.hasQueuedThreads();
  }

  public long turns() {
    return turns;
  }

  public long heldNanos() {
    return heldNanos;
  }

  public long heldNanosMax() {
    return heldNanosMax;
  }

  public void resetStatistics() {
    turns = 0;
    heldNanos = 0;
    heldNanosMax = 0;
  }
}
