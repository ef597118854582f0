package dev.kermes.client.internal.pending;

import dev.kermes.client.RedisException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a command, or a stage that depends on one. A caller that completes it by hand, for
 * example by cancelling it or by a timeout, no longer waits for the command and thereby cancels it.
 */
@SuppressWarnings("NullAway") // the JDK's own signatures, passed through
final class CommandStage<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Future<?> command;

  CommandStage(Future<?> command) {
    this.command = command;
  }

  /** Completes with the command's result. */
  void end(T value) {
    super.complete(value);
  }

  /** Completes with the command's failure. */
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
