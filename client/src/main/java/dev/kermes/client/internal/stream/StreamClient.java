package dev.kermes.client.internal.stream;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.client.internal.connection.Backoff;
import dev.kermes.client.internal.pending.PendingFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The view of a client that readers of streams use. Any thread. */
public interface StreamClient {
  /** Sends {@code command}; see {@link RedisClient#send(Command)}. */
  <T extends @Nullable Object> PendingFuture<T> send(Command<T> command);

  /** Whether the client has been closed. */
  boolean isClosed();

  /** A new sequence of delays between attempts. */
  Backoff backoff();

  /** Runs user code. */
  Executor executor();
}
