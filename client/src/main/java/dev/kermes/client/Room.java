package dev.kermes.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the places of a bounded queue. Taking places and giving them back are one atomic operation
 * each; only who finds it full, and waits, meets the lock. Who finds one free place may take any
 * number, so that nothing is too large to be sent. Any thread.
 */
final class Room {
  private final AtomicInteger free;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasRoom = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  Room(int places) {
    free = new AtomicInteger(places);
  }

  /** Takes that many places if one is free. */
  boolean tryTake(int places) {
    if (free.getAndAdd(-places) > 0) return true;
    free.getAndAdd(places);
    return false;
  }

  /**
   * Waits for a free place, at most {@code timeoutNanos}; false when that is over. After {@link
   * #close} there is always room.
   */
  boolean take(int places, long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.getAndIncrement();
      long left = timeoutNanos;
      while (!isClosed && !tryTake(places)) {
        if (left <= 0) return false;
        left = hasRoom.awaitNanos(left);
      }
      return true;
    } finally {
      waiting.getAndDecrement();
      lock.unlock();
    }
  }

  /** Gives {@code places} back. */
  void give(int places) {
    if (places > 0) free.getAndAdd(places);
    if (waiting.get() == 0) return;
    lock.lock();
    try {
      hasRoom.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    isClosed = true;
    give(0);
  }
}
