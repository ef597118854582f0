package dev.kermes.client.internal.pending;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks of user code that became ready during one turn of the event loop. At the end of the
 * turn they go to the executor as a single task; a turn without callbacks costs nothing. Owned by
 * one thread.
 */
public final class CallbackBatch {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackBatch.class);

  private final Executor executor;
  private List<Runnable> ready = new ArrayList<>();

  public CallbackBatch(Executor executor) {
    this.executor = executor;
  }

  public void add(Runnable task) {
    ready.add(task);
  }

  /** Passes the collected callbacks to the executor, in order. */
  public void dispatch() {
    if (ready.isEmpty()) return;
    List<Runnable> tasks = ready;
    ready = new ArrayList<>();
    executor.execute(() -> runAll(tasks));
  }

  private static void runAll(List<Runnable> tasks) {
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (Throwable e) { // the other callbacks must still run
        LOG.warn("callback failed", e);
      }
    }
  }
}
