package dev.kermes.server.keyspace;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of the keyspace. Only its holder may touch data; other event loops parse, encode and
 * write in the meantime. Taken once per turn, which is a batch of commands. Not reentrant.
 *
 * <p>Without contention it costs one atomic operation each way. Threads that find it held wait in a
 * queue; the first of the queue spins and parks until the holder wakes it. It is not fair: a thread
 * that comes at the right time may be faster than the first of the queue.
 *
 * <p>The code for contention is behind a {@link RareBranch}, which a lock of the JDK cannot offer:
 * the first contention of a server's life otherwise costs it the compiled code of its turns.
 *
 * <p>Its hold time is measured, because one second divided by the hold time per command is the most
 * that a server with many loops can execute.
 */
public final class KeyspaceLock {

  /** 200 spins last about as long as a short turn; parking costs two context switches. */
  private static final int SPINS = 200;

  private final boolean spins = Runtime.getRuntime().availableProcessors() > 1;

  /** 1 while a thread holds the lock. */
  private final AtomicInteger held = new AtomicInteger();

  /** The threads that wait; the holder of this lock is the first of them. */
  private final ReentrantLock queue = new ReentrantLock();

  /** 1 while the first of the queue wants to be woken. */
  private final AtomicInteger waiting = new AtomicInteger();

  private volatile @Nullable Thread first;

  /** The holder. A thread compares it only with itself, so its own writes are all it must see. */
  private @Nullable Thread owner;

  /** Attempts to take the lock. Threads may overwrite each other's count: it need not be exact. */
  private int attempts;

  private long turns;
  private long heldNanos;
  private long heldNanosMax;

  /** Waits for the keyspace lock: briefly on the processor, then parked. */
  public void lock() {
    int isHeld = held.compareAndExchange(0, 1);
    if ((isHeld | isRare(++attempts)) != 0) await(isHeld);
    owner = Thread.currentThread();
  }

  /** 1 for one of many counts, 0 for the others, computed without a branch. */
  private static int isRare(int count) {
    return (count & RareBranch.MASK) - 1 >>> 31;
  }

  private void await(int isHeld) {
    if (isHeld == 0) return; // this thread has it: a call without need
    if (isMine()) {
      throw new IllegalMonitorStateException("this thread holds the keyspace lock already");
    }
    if (spin()) return;
    queue.lock();
    try {
      awaitAsFirst();
    } finally {
      queue.unlock();
    }
  }

  private void awaitAsFirst() {
    boolean isInterrupted = false;
    first = Thread.currentThread();
    waiting.set(1);
    while (!spin()) {
      LockSupport.park(this);
      if (Thread.interrupted()) isInterrupted = true;
    }
    waiting.set(0);
    first = null;
    if (isInterrupted) Thread.currentThread().interrupt();
  }

  private boolean spin() {
    for (int i = spins ? SPINS : 1; i > 0; i--) {
      if (held.get() == 0 && held.compareAndSet(0, 1)) return true;
      Thread.onSpinWait();
    }
    return false;
  }

  /** Releases the lock; the holder says how long it held it. */
  public void unlock(long nanos) {
    int isRare = isRare((int) ++turns);
    heldNanos += nanos;
    if (nanos > heldNanosMax) heldNanosMax = nanos;
    owner = null;
    held.set(0);
    // Read after the release, as the first sets it before it tries: one of the two sees the other.
    if ((waiting.get() | isRare) != 0) wakeFirst();
  }

  private void wakeFirst() {
    Thread waiter = first;
    if (waiter != null) LockSupport.unpark(waiter);
  }

  /** Whether the calling thread holds it. */
  boolean isMine() {
    return owner == Thread.currentThread();
  }

  /** Whether a thread waits for it. */
  public boolean hasWaiters() {
    return waiting.get() != 0 || queue.hasQueuedThreads();
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
