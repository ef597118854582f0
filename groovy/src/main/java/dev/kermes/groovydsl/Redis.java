package dev.kermes.groovydsl;

import dev.kermes.client.Codec;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import groovy.lang.Closure;
import groovy.lang.DelegatesTo;
import groovy.transform.stc.ClosureParams;
import groovy.transform.stc.SimpleType;
import org.jspecify.annotations.Nullable;

/**
 * A client of one server, or of a cluster, shared by any number of threads: all of them write
 * through one connection, whose event loop sends what has gathered with one write. Its commands
 * wait for their replies; those of {@link #getAsync} do not. Keys and values in replies are
 * Strings.
 *
 * <pre>
 * withRedis('redis://localhost') {
 *   set('k', 'v', ex: 60)
 *   println get('k')
 * }
 * </pre>
 *
 * <p>Opening does not wait: commands queue until the connection stands, each up to its deadline.
 */
public final class Redis extends RedisView<String, String> implements AutoCloseable {
  /** A face of a client of Java. */
  public Redis(RedisClient client) {
    super(client, Codec.utf8(), Codec.utf8());
  }

  /** A client for a URL, such as {@code redis://user:password@host:6379/0}. */
  public static Redis open(CharSequence url) {
    return new Redis(RedisClient.open(url.toString()));
  }

  /** A client for a URL; the closure sets the options. */
  public static Redis open(
      CharSequence url,
      @DelegatesTo(value = RedisOptions.Builder.class, strategy = Closure.DELEGATE_FIRST)
          Closure<?> options) {
    RedisOptions.Builder builder = RedisOptions.url(url.toString());
    Closures.on(builder, options);
    return new Redis(RedisClient.open(builder.build()));
  }

  /** Calls the closure with a client, which is its delegate too, and closes that. */
  public static <T extends @Nullable Object> T withRedis(
      CharSequence url,
      @DelegatesTo(value = Redis.class, strategy = Closure.DELEGATE_FIRST)
          @ClosureParams(value = SimpleType.class, options = "dev.kermes.groovydsl.Redis")
          Closure<T> body) {
    try (Redis redis = open(url)) {
      return Closures.on(redis, body);
    }
  }

  /** The same client with keys and values as bytes in replies. */
  public RedisView<byte[], byte[]> getBytes() {
    return of(Codec.bytes(), Codec.bytes());
  }

  /** The same client with keys and values of other types; texts and numbers are taken as well. */
  public <K, V> RedisView<K, V> of(Codec<K> keys, Codec<V> values) {
    return new RedisView<>(underlying(), keys, values);
  }

  /** Waits until the first connection stands. */
  public Redis connected() {
    Waiting.on(underlying().connected());
    return this;
  }

  /** Logs in again with what the credentials provider says now. */
  public void reauthenticate() {
    Waiting.on(underlying().reauthenticate());
  }

  /** Closes the connections; what is under way fails. */
  @Override
  public void close() {
    underlying().close();
  }
}
