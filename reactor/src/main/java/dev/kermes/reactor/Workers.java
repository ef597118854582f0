package dev.kermes.reactor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that run what is ready, as few as it takes: each works through the queue, and
 * before it enters a piece of work sees to it that one successor waits for a processor. Does the
 * work block, the successor has its processor; does it not, the successor finds little to do. So
 * quick work costs no thread each, and slow work gets as many threads as it needs.
 */
final class Workers {

  /** 1,000 looks, a few microseconds: how long a worker waits for more before it ends. */
  private static final int SPINS = 1000;

  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

  /** A worker has been started and has not looked at the queue yet. */
  private final AtomicBoolean isStarting = new AtomicBoolean();

  /** A worker looks whether more comes. */
  private final AtomicBoolean isSpinning = new AtomicBoolean();

  /** Any thread. */
  void submit(Runnable work) {
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

  /** One worker at a time stays a little; what comes after its last look calls another one. */
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
