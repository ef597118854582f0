package dev.kermes.client.internal.pending;

import dev.kermes.client.RedisException;
import dev.kermes.client.ReplySink;
import dev.kermes.client.SentCommand;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.resp.ReplyReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A pending command whose reply goes into a sink. */
public final class SinkCommand<T extends @Nullable Object> extends PendingCommand
    implements SentCommand {
  private static final VarHandle STATE;
  private static final int OPEN = 0;
  private static final int ENDED = 1;
  private static final int CANCELLED = 2;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(SinkCommand.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EncodedCommand<T> command;
  private final ReplySink<T> sink;
  private volatile int state;

  public SinkCommand(EncodedCommand<T> command, ReplySink<T> sink) {
    this.command = command;
    this.sink = sink;
  }

  @Override
  public boolean cancel() {
    if (!finish(CANCELLED)) return false;
    releasePermitsEarly();
    abandon();
    return true;
  }

  private boolean finish(int how) {
    return state == OPEN && STATE.compareAndSet(this, OPEN, how);
  }

  @Override
  public boolean isDone() {
    return state != OPEN;
  }

  @Override
  boolean hasReleasedPermitsEarly() {
    return state == CANCELLED;
  }

  @Override
  public EncodedCommand<T> command() {
    return command;
  }

  @Override
  public int permitCount() {
    return command.permitCount();
  }

  @Override
  public void writeTo(RequestOutput out) {
    out.append(command);
  }

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    if (!isDone()) take(command, in, callbacks);
    return true;
  }

  @Override
  public int dropReplies() {
    return 1;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // of the command's own type
  public void answer(@Nullable Object result, CallbackBatch callbacks) {
    if (finish(ENDED)) defer(sink.onResult((T) result), callbacks);
  }

  @Override
  public void fail(RedisException failure, CallbackBatch callbacks) {
    if (finish(ENDED)) defer(sink.onFailure(failure), callbacks);
  }

  private static void defer(@Nullable Runnable userCode, CallbackBatch callbacks) {
    if (userCode != null) callbacks.add(userCode);
  }

  @Override
  public String toString() {
    return command.toString();
  }
}
