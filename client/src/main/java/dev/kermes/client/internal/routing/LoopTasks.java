package dev.kermes.client.internal.routing;

import dev.kermes.client.RedisException;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import io.netty.channel.EventLoop;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tasks of the event loop, each of which serves one command: if the task cannot run, because the
 * client is closed, its command fails. Any thread.
 */
final class LoopTasks {
  private final EventLoop loop;
  private final Supplier<CallbackBatch> callbacks;
  private final Supplier<RedisException> closed;

  /** The commands whose delayed task has not run yet. */
  private final Set<PendingCommand> delayed = ConcurrentHashMap.newKeySet();

  private volatile boolean isClosed;

  /** Creates it; {@code closed} makes the failure of commands whose task cannot run. */
  LoopTasks(EventLoop loop, Supplier<CallbackBatch> callbacks, Supplier<RedisException> closed) {
    this.loop = loop;
    this.callbacks = callbacks;
    this.closed = closed;
  }

  /** Runs {@code task}; fails {@code pending} if the loop has ended. */
  void run(Runnable task, PendingCommand pending) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      fail(pending);
    }
  }

  /** Runs {@code task} after a delay; fails {@code pending} if the loop ends before that. */
  void runIn(long delayNanos, Runnable task, PendingCommand pending) {
    delayed.add(pending);
    try {
      if (isClosed) throw new RejectedExecutionException();
      loop.schedule(() -> runDelayed(task, pending), delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      delayed.remove(pending);
      fail(pending);
    }
  }

  private void runDelayed(Runnable task, PendingCommand pending) {
    if (delayed.remove(pending)) task.run();
  }

  private void fail(PendingCommand pending) {
    CallbackBatch own = callbacks.get();
    pending.fail(closed.get(), own);
    own.dispatch();
  }

  /** Accepts no further delayed tasks. */
  void stop() {
    isClosed = true;
  }

  /** Fails the commands whose delayed task has not run. On the loop. */
  void close() {
    for (PendingCommand pending : delayed) fail(pending);
    delayed.clear();
  }
}
