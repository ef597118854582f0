package dev.kermes.client;

/** Handles the entries of a stream for {@link RedisClient#consume}. */
@FunctionalInterface
public interface StreamHandler<K, V> {
  /**
   * Handles {@code entry}; may wait. Returning acknowledges it, throwing leaves it for another try.
   */
  void handle(StreamEntry<K, V> entry) throws Exception;
}
