package dev.kermes.client.internal.pending;

import dev.kermes.client.CommandCancelledException;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.resp.ReplyReader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The future of one command with one reply. */
public final class CommandFuture<T extends @Nullable Object> extends PendingFuture<T> {
  private final EncodedCommand<T> command;

  public CommandFuture(EncodedCommand<T> command) {
    this.command = command;
  }

  /**
   * A future for {@code command} that completes like {@code stage}. Cancelling it cancels the
   * stage.
   */
  public static <T extends @Nullable Object> CommandFuture<T> following(
      EncodedCommand<T> command, CompletionStage<T> stage) {
    CommandFuture<T> future = new CommandFuture<>(command);
    future.setClaim(cancelled -> stage.toCompletableFuture().cancel(false));
    var unused =
        stage.handle((result, failure) -> {
          if (failure == null) future.succeed(result, null);
          else future.fail(known(failure, command), null);
          return true;
        });
    return future;
  }

  private static RedisException known(Throwable failure, EncodedCommand<?> command) {
    return switch (failure) {
      case RedisException known -> known;
      case CompletionException wrapped when wrapped.getCause() instanceof RedisException known ->
          known;
      case CancellationException cancelled ->
          new CommandCancelledException("cancelled: " + command, cancelled);
      default -> EncodedCommand.undecodable(command.name(), failure);
    };
  }

  @Override
  public EncodedCommand<T> command() {
    return command;
  }

  /** Completes with the outcome of {@code other}. */
  public void follow(PendingFuture<T> other) {
    cancelWith(other);
    other.then(this::end);
  }

  /** Makes a cancellation of this future cancel {@code other} too. */
  public void cancelWith(PendingFuture<?> other) {
    setClaim(cancelled -> other.cancel(false));
    if (isCancelled()) other.cancel(false); // the caller may have looked for the claim before
  }

  /** Completes with {@code failure} or, if that is null, with {@code result}. */
  @SuppressWarnings("NullAway") // the result is null only where T allows it
  public void end(@Nullable T result, @Nullable RedisException failure, CallbackBatch callbacks) {
    if (failure != null) fail(failure, callbacks);
    else succeed(result, callbacks);
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
    succeed((T) result, callbacks);
  }

  @Override
  public String toString() {
    return command.toString();
  }
}
