package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * Takes the result of one command straight from the event loop; for adapters to other kinds of
 * futures and channels. Exactly one of the methods is called, once, unless the command is cancelled
 * before. Neither may block or run user code: what they return is run on the client's executor,
 * together with everything else that the same read of the socket made ready.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public interface ReplySink<T extends @Nullable Object> {
  /** The command's result. */
  @Nullable Runnable onResult(T result);

  /** The command failed. */
  @Nullable Runnable onFailure(RedisException failure);
}
