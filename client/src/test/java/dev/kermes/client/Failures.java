package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The failures of futures. */
final class Failures {
  private Failures() {}

  /** Sends {@code command} and waits for its failure. */
  static <T extends @Nullable Object> RedisException of(RedisClient redis, Command<T> command) {
    RedisFuture<T> future = redis.send(command);
    return of(future);
  }

  /** Waits for the failure of {@code future}. */
  static RedisException of(RedisFuture<?> future) {
    assertThatThrownBy(future::join).isInstanceOf(CompletionException.class);
    return Objects.requireNonNull(future.failure());
  }
}
