package dev.kermes.reactor;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the inbox and the mailboxes of a handler on an executor of the user's. Events must not be
 * stuck when the executor refuses work, because it was shut down: then the reactor's own threads
 * run them.
 */
final class HandlerExecutor implements Executor {

  private final Executor executor;
  private final Workers workers;

  HandlerExecutor(Executor executor, Workers workers) {
    this.executor = executor;
    this.workers = workers;
  }

  @Override
  public void execute(Runnable work) {
    try {
      executor.execute(() -> HandlerRegistration.runAsHandler(work));
    } catch (RejectedExecutionException e) {
      workers.execute(work);
    }
  }
}
