package dev.kermes.client.internal.pending;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The semaphore that bounds a queue. Acquiring and releasing permits are one atomic operation each;
 * only a thread that finds the queue full and waits takes the lock. A caller that finds one free
 * permit may take any number, so that no command is too large to be sent. Any thread.
 */
public final class QueuePermits {
  private final AtomicInteger free;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasPermits = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  public QueuePermits(int permitCount) {
    free = new AtomicInteger(permitCount);
  }

  /** Acquires {@code permitCount} permits if at least one is free. */
  public boolean tryAcquire(int permitCount) {
    if (free.getAndAdd(-permitCount) > 0) return true;
    free.getAndAdd(permitCount);
    return false;
  }

  /**
   * Acquires {@code permitCount} permits, waiting at most {@code timeoutNanos} for a free one;
   * returns false on timeout. After {@link #close} acquiring always succeeds.
   */
  public boolean acquire(int permitCount, long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.getAndIncrement();
      long left = timeoutNanos;
      while (!isClosed && !tryAcquire(permitCount)) {
        if (left <= 0) return false;
        left = hasPermits.awaitNanos(left);
      }
      return true;
    } finally {
      waiting.getAndDecrement();
      lock.unlock();
    }
  }

  /** Gives {@code permitCount} back. */
  public void release(int permitCount) {
    if (permitCount > 0) free.getAndAdd(permitCount);
    if (waiting.get() == 0) return;
    lock.lock();
    try {
      hasPermits.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void close() {
    isClosed = true;
    release(0);
  }
}
