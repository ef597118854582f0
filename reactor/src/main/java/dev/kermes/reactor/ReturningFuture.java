package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A future that completes on an executor, which also is the one of its {@code Async} methods. */
final class ReturningFuture<T> extends CompletableFuture<T> {

  private final Executor executor;

  ReturningFuture(Executor executor) {
    this.executor = executor;
  }

  /** Completes as {@code other} did, on the executor. */
  void completeAs(CompletableFuture<T> other) {
    var unused =
        other.handleAsync(
            (value, error) -> error == null ? complete(value) : completeExceptionally(plain(error)),
            executor);
  }

  private static Throwable plain(Throwable error) {
    @Nullable Throwable cause = error instanceof CompletionException ? error.getCause() : null;
    return cause == null ? error : cause;
  }

  @Override
  public Executor defaultExecutor() {
    return executor;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new ReturningFuture<>(executor);
  }
}
