package dev.kermes.reactor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pool of virtual threads that runs as few threads as the work needs. Each worker takes tasks
 * from the queue; before it runs one while others wait, it makes sure that a successor is waiting
 * for a carrier thread. If the task blocks, the successor gets the carrier and continues with the
 * queue. If it does not, the successor finds little to do and ends. So quick tasks share one
 * thread, and slow tasks get as many threads as they need.
 */
final class Workers implements Executor {

  /** 1,000 spins, a few microseconds: how long a worker waits for more before it ends. */
  private static final int SPINS = 1000;

  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

  /** Whether a worker has been started and has not polled the queue yet. */
  private final AtomicBoolean isStarting = new AtomicBoolean();

  /** Whether a worker is spinning for more work. */
  private final AtomicBoolean isSpinning = new AtomicBoolean();

  /** Queues a task. Any thread. */
  @Override
  public void execute(Runnable work) {
    ready.add(work);
    startWorkerIfNeeded();
  }

  private void startWorkerIfNeeded() {
    if (isSpinning.get() || isStarting.get()) return;
    if (isStarting.compareAndSet(false, true)) {
      Thread.ofVirtual().name("kermes-reactor").start(this::runWorker);
    }
  }

  private void runWorker() {
    isStarting.set(false);
    HandlerRegistration.enterHandlers();
    while (true) {
      Runnable work = ready.poll();
      if (work == null) work = pollWithSpin();
      if (work == null) return;
      if (!ready.isEmpty()) startWorkerIfNeeded();
      work.run();
    }
  }

  /**
   * Spins for more work, one worker at a time. A task submitted after the last poll starts another
   * worker.
   */
  private @Nullable Runnable pollWithSpin() {
    if (!isSpinning.compareAndSet(false, true)) return null;
    Runnable work = null;
    for (int i = 0; i < SPINS && work == null; i++) {
      Thread.onSpinWait();
      work = ready.poll();
    }
    isSpinning.set(false);
    return work != null ? work : ready.poll();
  }
}
