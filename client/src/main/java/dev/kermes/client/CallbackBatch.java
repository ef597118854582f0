package dev.kermes.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * User code that became ready during one turn of the event loop. It is handed to the executor as a
 * single task at the end of the turn; a turn that made none ready costs nothing. Owned by one
 * thread.
 */
final class CallbackBatch {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackBatch.class);

  private final Executor executor;
  private List<Runnable> ready = new ArrayList<>();

  CallbackBatch(Executor executor) {
    this.executor = executor;
  }

  void add(Runnable task) {
    ready.add(task);
  }

  /** Hands everything over, in order. */
  void dispatch() {
    if (ready.isEmpty()) return;
    List<Runnable> tasks = ready;
    ready = new ArrayList<>();
    executor.execute(() -> runAll(tasks));
  }

  private static void runAll(List<Runnable> tasks) {
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (Throwable e) { // the others must not wait for ever
        LOG.warn("callback failed", e);
      }
    }
  }
}
