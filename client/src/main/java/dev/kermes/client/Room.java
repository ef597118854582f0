package dev.kermes.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the places of a bounded queue. Taking a free place and giving one back are one atomic
 * operation each; only who finds it full, and waits, meets the lock. Any thread.
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

  /** Takes a place if there is one. */
  boolean tryTake() {
    if (free.getAndDecrement() > 0) return true;
    free.getAndIncrement();
    return false;
  }

  /** Waits for a place; false when interrupted. After {@link #close} there is always room. */
  boolean take() {
    lock.lock();
    try {
      waiting.getAndIncrement();
      while (!isClosed && !tryTake()) hasRoom.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting.getAndDecrement();
      lock.unlock();
    }
  }

  /** Gives one place back; who waits for it sees it at the next {@link #wakeWaiters}. */
  void give() {
    free.getAndIncrement();
  }

  void wakeWaiters() {
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
    wakeWaiters();
  }
}
