package dev.kermes.client.internal.pending;

import dev.kermes.client.RedisException;
import dev.kermes.client.ReplySink;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.resp.ReplyReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Commands sent separately, to one or several servers, and their results in the order of the
 * commands. It is not in any queue itself.
 */
public final class FanOutFuture extends PendingFuture<List<@Nullable Object>> {
  private final @Nullable Object[] results;
  private final AtomicInteger left;

  /** Creates a future for {@code count} commands. */
  public FanOutFuture(int count) {
    results = new Object[count];
    left = new AtomicInteger(count);
  }

  /** The sink for the result or the failure of the command with this index. */
  <T extends @Nullable Object> ReplySink<T> part(int index) {
    return new ReplySink<>() {
      @Override
      public @Nullable Runnable onResult(T result) {
        return onPart(index, result);
      }

      @Override
      public @Nullable Runnable onFailure(RedisException failure) {
        return onPart(index, failure);
      }
    };
  }

  /** The pending command for the command with this index. */
  public <T extends @Nullable Object> SinkCommand<T> pending(EncodedCommand<T> command, int index) {
    return new SinkCommand<>(command, part(index));
  }

  private @Nullable Runnable onPart(int index, @Nullable Object result) {
    results[index] = result; // published by the counter
    if (left.decrementAndGet() > 0) return null;
    CallbackBatch stages = new CallbackBatch(Runnable::run);
    succeed(all(), stages);
    return stages::dispatch;
  }

  private List<@Nullable Object> all() {
    List<@Nullable Object> all = new ArrayList<>(results.length);
    Collections.addAll(all, results);
    return Collections.unmodifiableList(all);
  }

  @Override
  public void writeTo(RequestOutput out) {}

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    return true;
  }

  @Override
  public String toString() {
    return "Batch[" + results.length + " commands]";
  }
}
