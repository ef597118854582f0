package dev.kermes.client;

/** What a consumer does with an entry; see {@link RedisClient#consume}. */
@FunctionalInterface
public interface StreamHandler<K, V> {
  /**
   * Handles {@code entry}; may wait. Returning acknowledges it, throwing leaves it for another try.
   */
  void handle(StreamEntry<K, V> entry) throws Exception;
}
