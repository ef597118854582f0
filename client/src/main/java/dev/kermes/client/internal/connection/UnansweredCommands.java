package dev.kermes.client.internal.connection;

import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisProtocolException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.Lease;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingQueue;
import dev.kermes.resp.ProtocolException;

/**
 * Ends the commands of a connection that get no result: an error came instead, or the connection is
 * lost. Owned by the event loop.
 */
final class UnansweredCommands {
  private final PendingQueue queue;
  private final PipelinedConnection.Listener listener;
  private final CallbackBatch callbacks;
  private final ConnectionErrors errors;

  UnansweredCommands(
      PendingQueue queue,
      PipelinedConnection.Listener listener,
      CallbackBatch callbacks,
      ConnectionErrors errors) {
    this.queue = queue;
    this.listener = listener;
    this.callbacks = callbacks;
    this.errors = errors;
  }

  /** Fails {@code pending}, unless the owner sends it again. */
  void fail(PendingCommand pending, RedisException failure) {
    if (isIntended(pending, failure)) {
      pending.answer("OK", callbacks);
      return;
    }
    if (pending.isDone() || !listener.tryTakeOver(pending, failure)) {
      pending.fail(failure, callbacks);
      return;
    }
    queue.retirePermitsOfMoved(pending);
    Lease lease = pending.lease();
    if (lease == null) return;
    pending.setClaim(null);
    lease.discard(); // a concurrent cancellation may still mean this connection
  }

  /** Whether the loss is the answer: a server that shuts down closes the connection silently. */
  private static boolean isIntended(PendingCommand pending, RedisException failure) {
    EncodedCommand<?> command = pending.command();
    return command != null
        && failure instanceof ConnectionLostException lost
        && lost.mayHaveExecuted()
        && lost.getCause() == null
        && command.name().equals("SHUTDOWN");
  }

  void failInFlight(RedisException cause) {
    RedisException failure =
        errors.lossCause() instanceof ProtocolException broken
            ? new RedisProtocolException("not RESP: " + broken.getMessage(), broken)
            : cause;
    for (PendingCommand pending = queue.firstInFlight();
        pending != null;
        pending = queue.firstInFlight()) {
      fail(pending, failure);
      queue.retire(pending);
    }
    queue.releaseRetired();
  }

  void failUnsent(RedisException cause) {
    PendingCommand last = queue.last(); // the senders of later commands see to them
    for (PendingCommand pending = queue.takeUnsent(last);
        pending != null;
        pending = queue.takeUnsent(last)) {
      fail(pending, cause);
    }
    queue.retireUnwritten();
    queue.releaseRetired();
  }
}
