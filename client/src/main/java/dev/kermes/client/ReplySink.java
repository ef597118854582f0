package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * Receives the result of one command directly on the event loop; for adapters to other kinds of
 * futures and channels. Exactly one of the methods is called, once, unless the command is cancelled
 * first. Neither may block or run user code. The Runnable that they return runs on the client's
 * executor, together with the other callbacks that the same read of the socket made ready.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public interface ReplySink<T extends @Nullable Object> {
  /** Receives the command's result; returns user code to run, or null. */
  @Nullable Runnable onResult(T result);

  /** Receives the command's failure; returns user code to run, or null. */
  @Nullable Runnable onFailure(RedisException failure);
}
