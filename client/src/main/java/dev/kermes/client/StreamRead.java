package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * Which stream to read, from which entry, and as which consumer; for {@link RedisClient#entries}
 * and {@link RedisClient#consume}. Immutable.
 *
 * @param keys the codec of the key and of the fields' names
 * @param values the codec of the fields' values
 * @param key the stream
 * @param after the id after which to begin; {@code $} for entries that are added later. For a
 *     group, the id after which to begin with the entries that this consumer was given earlier and
 *     has not acknowledged
 * @param group the group, or null for all entries
 * @param consumer the consumer in that group, or null
 * @param pageMax the maximum number of entries requested, and held, at once
 */
public record StreamRead<K, V>(
    Codec<K> keys,
    Codec<V> values,
    K key,
    String after,
    @Nullable String group,
    @Nullable String consumer,
    int pageMax) {

  /** Rejects an empty page size, and a group without a consumer. */
  public StreamRead {
    if (pageMax < 1) throw new IllegalArgumentException("out of range: pageMax=" + pageMax);
    if ((group == null) != (consumer == null)) {
      throw new IllegalArgumentException("a group needs a consumer: group=" + group);
    }
  }

  /** All entries of {@code key} from the beginning, 100 at a time; Strings. */
  public static StreamRead<String, String> of(String key) {
    return of(Codec.utf8(), Codec.utf8(), key);
  }

  /** All entries of {@code key} from the beginning, 100 at a time. */
  public static <K, V> StreamRead<K, V> of(Codec<K> keys, Codec<V> values, K key) {
    return new StreamRead<>(keys, values, key, "0-0", null, null, 100);
  }

  /** The same, beginning after {@code id}. */
  public StreamRead<K, V> after(String id) {
    return new StreamRead<>(keys, values, key, id, group, consumer, pageMax);
  }

  /** The same as a consumer of a group, which must exist unless the entries are consumed. */
  public StreamRead<K, V> as(String group, String consumer) {
    return new StreamRead<>(keys, values, key, after, group, consumer, pageMax);
  }

  /** The same, with at most {@code pageMax} entries at a time. */
  public StreamRead<K, V> pageMax(int pageMax) {
    return new StreamRead<>(keys, values, key, after, group, consumer, pageMax);
  }
}
