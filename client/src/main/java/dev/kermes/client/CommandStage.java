package dev.kermes.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a command, or one that depends on such a stage: whoever ends it by hand, by cancelling
 * or by a timeout, does not wait any more, and so cancels the command.
 */
@SuppressWarnings("NullAway") // the JDK's own signatures, passed through
final class CommandStage<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Future<?> command;

  CommandStage(Future<?> command) {
    this.command = command;
  }

  /** The command has ended with {@code value}. */
  void end(T value) {
    super.complete(value);
  }

  /** The command has ended with {@code failure}. */
  void endWith(RedisException failure) {
    super.completeExceptionally(failure);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CommandStage<>(command);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return cancelCommand(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(T value) {
    return cancelCommand(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return cancelCommand(super.completeExceptionally(failure));
  }

  private boolean cancelCommand(boolean isEndedByHand) {
    if (isEndedByHand) command.cancel(false);
    return isEndedByHand;
  }
}
