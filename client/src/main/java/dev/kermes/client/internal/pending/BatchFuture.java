package dev.kermes.client.internal.pending;

import dev.kermes.client.EncodeException;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.command.ServerWait;
import dev.kermes.resp.ReplyReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several commands written without other commands in between. Completes once, with a result or a
 * {@link RedisException} for each command. A command that cannot be encoded is not sent; its result
 * is the EncodeException.
 */
public final class BatchFuture extends PendingFuture<List<@Nullable Object>> {
  private final List<EncodedCommand<?>> commands;
  private final List<@Nullable Object> results;
  private final int permitCount;

  public BatchFuture(List<EncodedCommand<?>> commands) {
    this.commands = commands;
    this.results = new ArrayList<>(commands.size());
    this.permitCount = Requests.permitCount(commands);
    takeUnsendable();
  }

  /** Whether every command has its result. True before sending if none could be encoded. */
  public boolean isComplete() {
    return results.size() == commands.size();
  }

  public List<@Nullable Object> results() {
    return Collections.unmodifiableList(results);
  }

  @Override
  public int permitCount() {
    return permitCount;
  }

  @Override
  public long ownTimeoutNanos() {
    return Requests.timeoutNanos(commands);
  }

  @Override
  public long serverWaitNanos() {
    return ServerWait.nanos(commands);
  }

  @Override
  public boolean mayWait() {
    return Requests.hasBlocking(commands);
  }

  @Override
  public void writeTo(RequestOutput out) {
    for (EncodedCommand<?> command : commands) {
      if (command.failure() == null) out.append(command);
    }
  }

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    // Replies are counted even when the caller has given up, to keep later replies in step.
    results.add(isDone() ? null : commands.get(results.size()).element(in));
    takeUnsendable();
    if (!isComplete()) return false;
    succeed(results(), callbacks);
    return true;
  }

  @Override
  public int dropReplies() {
    List<EncodedCommand<?>> left = commands.subList(results.size(), commands.size());
    return (int) left.stream().filter(each -> each.failure() == null).count();
  }

  private void takeUnsendable() {
    while (!isComplete()) {
      EncodeException failure = commands.get(results.size()).failure();
      if (failure == null) return;
      results.add(failure);
    }
  }

  @Override
  public String toString() {
    return "Batch[" + commands.size() + " commands]";
  }
}
