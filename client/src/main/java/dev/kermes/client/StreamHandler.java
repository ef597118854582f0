package dev.kermes.client;

import dev.kermes.client.reply.StreamEntry;

/** Handles the entries of a stream for {@link RedisClient#consume}. */
@FunctionalInterface
public interface StreamHandler<K, V> {
  /**
   * Handles {@code entry}; may block. A normal return acknowledges it; an exception leaves it for
   * another attempt.
   */
  void handle(StreamEntry<K, V> entry) throws Exception;
}
