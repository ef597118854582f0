package dev.kermes.testkit;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets threads pass while it is open. Any thread. */
final class Gate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private boolean isShut;

  void shut(boolean shut) {
    lock.lock();
    try {
      isShut = shut;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void pass() throws InterruptedException {
    lock.lock();
    try {
      while (isShut) opened.await();
    } finally {
      lock.unlock();
    }
  }
}
