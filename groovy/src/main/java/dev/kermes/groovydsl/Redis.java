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
 * A client of one server or of a cluster, which any number of threads may share. All of them write
 * through one connection, whose event loop sends the queued commands with one write. The commands
 * block for their replies; those of {@link #getAsync} do not. Keys and values in replies are
 * Strings.
 *
 * <pre>
 * withRedis('redis://localhost') {
 *   set('k', 'v', ex: 60)
 *   println get('k')
 * }
 * </pre>
 *
 * <p>Opening does not wait: commands queue until the connection is established, each up to its
 * timeout.
 */
public final class Redis extends RedisView<String, String> implements AutoCloseable {
  /** Wraps a Java client. */
  public Redis(RedisClient client) {
    super(client, Codec.utf8(), Codec.utf8());
  }

  /** Opens a client for a URL, such as {@code redis://user:password@host:6379/0}. */
  public static Redis open(CharSequence url) {
    return new Redis(RedisClient.open(url.toString()));
  }

  /** Opens a client for a URL; the closure sets the options. */
  public static Redis open(
      CharSequence url,
      @DelegatesTo(value = RedisOptions.Builder.class, strategy = Closure.DELEGATE_FIRST)
          Closure<?> options) {
    RedisOptions.Builder builder = RedisOptions.url(url.toString());
    Closures.on(builder, options);
    return new Redis(RedisClient.open(builder.build()));
  }

  /** Opens a client, calls the closure with it as argument and delegate, and closes the client. */
  public static <T extends @Nullable Object> T withRedis(
      CharSequence url,
      @DelegatesTo(value = Redis.class, strategy = Closure.DELEGATE_FIRST)
          @ClosureParams(value = SimpleType.class, options = "dev.kermes.groovydsl.Redis")
          Closure<T> body) {
    try (Redis redis = open(url)) {
      return Closures.on(redis, body);
    }
  }

  /** A view of this client with keys and values as bytes in replies. */
  public RedisView<byte[], byte[]> getBytes() {
    return of(Codec.bytes(), Codec.bytes());
  }

  /** A view of this client with other types in replies; arguments may still be text and numbers. */
  public <K, V> RedisView<K, V> of(Codec<K> keys, Codec<V> values) {
    return new RedisView<>(underlying(), keys, values);
  }

  /** Blocks until the first connection is established. */
  public Redis connected() {
    Await.result(underlying().connected());
    return this;
  }

  /** Logs in again with the current credentials of the provider. */
  public void reauthenticate() {
    Await.result(underlying().reauthenticate());
  }

  /** Closes the client; pending commands fail. */
  @Override
  public void close() {
    underlying().close();
  }
}
