package dev.kermes.events;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gate through which a thread hands events over. It is shut while a source is paused, and has
 * no effect after its end. Any thread.
 */
final class PauseGate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isOpen = lock.newCondition();
  private boolean isPaused;
  private boolean isClosed;

  /** Waits until the gate is open, and does the work; after {@link #close} it does nothing. */
  void pass(Runnable work) {
    lock.lock();
    try {
      while (isPaused && !isClosed) isOpen.awaitUninterruptibly();
      if (!isClosed) work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for work that is being done; when this returns, none begins until {@link #resume}. */
  void pause() {
    change(() -> isPaused = true);
  }

  void resume() {
    change(() -> isPaused = false);
  }

  /** Lets those that wait continue without their work. */
  void close() {
    change(() -> isClosed = true);
  }

  private void change(Runnable set) {
    lock.lock();
    try {
      set.run();
      isOpen.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
