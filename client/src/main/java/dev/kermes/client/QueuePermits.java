package dev.kermes.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the places of a bounded queue. Taking places and giving them back are one atomic operation
 * each; only who finds it full, and waits, meets the lock. Who finds one free place may take any
 * number, so that nothing is too large to be sent. Any thread.
 */
final class QueuePermits {
  private final AtomicInteger free;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasPermits = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  QueuePermits(int permitCount) {
    free = new AtomicInteger(permitCount);
  }

  /** Takes that many places if one is free. */
  boolean tryAcquire(int permitCount) {
    if (free.getAndAdd(-permitCount) > 0) return true;
    free.getAndAdd(permitCount);
    return false;
  }

  /**
   * Waits for a free place, at most {@code timeoutNanos}; false when that is over. After {@link
   * #close} there is always room.
   */
  boolean take(int permitCount, long timeoutNanos) throws InterruptedException {
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
  void give(int permitCount) {
    if (permitCount > 0) free.getAndAdd(permitCount);
    if (waiting.get() == 0) return;
    lock.lock();
    try {
      hasPermits.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    isClosed = true;
    give(0);
  }
}
