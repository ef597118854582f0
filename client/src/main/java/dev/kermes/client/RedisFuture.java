package dev.kermes.client;

import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.PendingFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The future result of a sent command: a {@link CompletionStage} and a {@link Future}.
 *
 * <p>Stages attached to it run on the client's executor, never on the event loop. Stages that
 * become ready by the same read of the socket run one after the other in a single task, so a stage
 * should not wait for another one; use {@code thenCompose} or the {@code Async} methods.
 *
 * @param <T> the result; null where the reply may be nil
 */
public sealed interface RedisFuture<T extends @Nullable Object>
    extends CompletionStage<T>, Future<T> permits PendingFuture {
  /**
   * A future for {@code command} that completes like {@code stage}, for custom implementations of
   * {@link AsyncSender}. Cancelling it cancels the stage.
   */
  static <T extends @Nullable Object> RedisFuture<T> following(
      Command<T> command, CompletionStage<T> stage) {
    return CommandFuture.following(EncodedCommand.of(command), stage);
  }

  /**
   * Cancels the command. If it has not been written yet, it will not be sent. If it has been
   * written, it may execute, and its reply is dropped; a blocking command stops waiting in the
   * server. Other commands are not affected.
   */
  @Override
  boolean cancel(boolean mayInterruptIfRunning);

  /**
   * Waits for the result; safe on virtual threads. An interrupt is kept for later, as {@link
   * CompletableFuture#join} does; {@link #get()} can be interrupted.
   *
   * @throws CompletionException caused by the {@link RedisException} that the command failed with
   */
  T join();

  /** The failure, or null while waiting and after success. */
  @Nullable RedisException failure();

  /**
   * A future that completes like this one. Completing it by hand, for example by {@code cancel} or
   * {@code orTimeout}, cancels the command; the same holds for all stages that depend on it.
   */
  @Override
  CompletableFuture<T> toCompletableFuture();
}
