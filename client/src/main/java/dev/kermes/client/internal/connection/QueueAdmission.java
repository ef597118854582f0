package dev.kermes.client.internal.connection;

import dev.kermes.client.CommandCancelledException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.QueuePermits;
import dev.kermes.net.LendableLoop;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** The treatment of commands for which the queue has no permits left. Any thread. */
final class QueueAdmission {
  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final @Nullable LendableLoop lendable;
  private final QueuePermits permits;
  private final ConnectionErrors errors;

  QueueAdmission(
      RedisOptions options, Connector connector, QueuePermits permits, ConnectionErrors errors) {
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.lendable = connector.lendable();
    this.permits = permits;
    this.errors = errors;
  }

  /** Waits for permits as long as {@code pending} may take; returns false if it failed instead. */
  boolean await(PendingCommand pending, int permitCount, boolean isClosed) {
    if (options.overflow() == RedisOptions.Overflow.FAIL || loop.inEventLoop()) {
      failNow(pending, isClosed ? errors.closed() : errors.queueFull());
      return false;
    }
    if (lendable != null) lendable.ensureRunner();
    long start = options.clock().getAsLong();
    try {
      if (!permits.acquire(permitCount, pending.timeoutNanos())) {
        failNow(pending, errors.noPermitsInTime(pending));
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failNow(pending, new CommandCancelledException("interrupted: " + pending, e));
      return false;
    }
    if (pending.timeoutNanos() != Long.MAX_VALUE) {
      pending.setDeadlineNanos(start + pending.timeoutNanos()); // the wait counts
    }
    return true;
  }

  private void failNow(PendingCommand pending, RedisException failure) {
    CallbackBatch own = connector.callbacks();
    pending.fail(failure, own);
    own.dispatch();
  }
}
