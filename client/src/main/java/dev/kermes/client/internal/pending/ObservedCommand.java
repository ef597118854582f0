package dev.kermes.client.internal.pending;

import dev.kermes.client.CommandCancelledException;
import dev.kermes.client.CommandObserver;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.net.LendableLoop;
import dev.kermes.resp.ReplyReader;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pending command with an observer: it is queued instead of the inner one and reports its end.
 * Owned by the event loop.
 */
final class ObservedCommand extends PendingCommand {
  private final EncodedCommand<?> command;
  private final PendingCommand inner;
  private final CommandObserver.Observation observation;
  private @Nullable SocketAddress node;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  ObservedCommand(
      EncodedCommand<?> command,
      PendingCommand inner,
      CommandObserver.Observation observation,
      @Nullable LendableLoop lendable) {
    this.command = command;
    this.inner = inner;
    this.observation = observation;
    inner.loop = lendable; // callers wait for the inner one
  }

  @Override
  public EncodedCommand<?> command() {
    return command;
  }

  @Override
  public void setClaim(@Nullable Claim claim) {
    super.setClaim(claim);
    inner.setClaim(claim);
  }

  @Override
  public int permitCount() {
    return inner.permitCount();
  }

  @Override
  public boolean mayWait() {
    return inner.mayWait();
  }

  @Override
  public boolean isDone() {
    return inner.isDone();
  }

  @Override
  public void writeTo(RequestOutput out) {
    node = out.peer();
    inner.writeTo(out);
  }

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    if (inner.isDone()) end(new CommandCancelledException("cancelled: " + this, null));
    else take(command, in, callbacks);
    return true;
  }

  @Override
  public int dropReplies() {
    end(new CommandCancelledException("cancelled: " + this, null));
    return inner.dropReplies();
  }

  @Override
  public void answer(@Nullable Object result, CallbackBatch callbacks) {
    end(null);
    inner.answer(result, callbacks);
  }

  @Override
  public void fail(RedisException failure, CallbackBatch callbacks) {
    end(failure);
    inner.fail(failure, callbacks);
  }

  private void end(@Nullable RedisException failure) {
    if (!hasEnded.getAndSet(true)) observation.onEnd(node, failure);
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
