package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/** Sends commands without waiting; the basis of the asynchronous view of the commands. */
@FunctionalInterface
public interface AsyncSender {
  /**
   * Sends {@code command}; the future completes with its result or a {@link RedisException}.
   * Cancelling it, or any stage that depends on it, cancels the command.
   */
  <T extends @Nullable Object> RedisFuture<T> send(Command<T> command);
}
