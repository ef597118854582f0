package dev.kermes.client.internal.connection;

import dev.kermes.net.LendableLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's executor, with virtual threads for tasks that it rejects: a stage that never completes
 * would be worse than an extra thread.
 */
record FallbackExecutor(Executor chosen) implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackExecutor.class);

  @Override
  public void execute(Runnable task) {
    try {
      chosen.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.warn("executor for callbacks rejected a task; running it on a new thread");
      LendableLoop.onVirtualThread(task);
    }
  }
}
