package dev.kermes.client;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Sends commands without waiting; what the asynchronous view of the commands stands on. */
@FunctionalInterface
public interface AsyncSender {
  /** Sends {@code command}; the stage completes with its result or a {@link RedisException}. */
  <T extends @Nullable Object> CompletionStage<T> send(Command<T> command);
}
