package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.RedisClient
import dev.kermes.client.RedisOptions
import dev.kermes.client.Subscription
import dev.kermes.client.SubscriptionEvent
import dev.kermes.client.SubscriptionOptions
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A client of one server or of a cluster, which any number of coroutines may share. All of them
 * write through one connection, whose event loop sends the queued commands with one write. Keys and
 * values are Strings; [of] creates views with other types.
 *
 * ```
 * Redis.open("redis://localhost").use { redis ->
 *   redis.set("k", "v")
 *   println(redis.get("k"))
 * }
 * ```
 *
 * Opening does not wait: commands queue until the connection is established, each up to its
 * timeout.
 */
public class Redis(client: RedisClient) :
  RedisView<String, String>(client, Codec.utf8(), Codec.utf8()), AutoCloseable {

  /** Suspends until the first connection is established. */
  public suspend fun connected(): Redis = apply { underlying.connected().awaitOrCancel() }

  /** A view of this client with other types of keys and values. */
  public fun <K : Any, V : Any> of(keys: Codec<K>, values: Codec<V>): RedisView<K, V> =
    RedisView(underlying, keys, values)

  /**
   * A view that caches replies until the server reports that a key has changed.
   *
   * @param ttl the longest time that a reply is cached
   * @param bytesMax the size of the cache, requests and replies; the least recently read entry is
   *   evicted
   */
  public fun cache(ttl: Duration, bytesMax: Long): CachedCommands =
    CachedCommands(underlying.cache(ttl.toJavaDuration(), bytesMax))

  /** Subscribes to [channels] while the flow is collected. */
  public fun subscribe(
    vararg channels: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.subscribe(channels.asList(), how) }

  /** Subscribes to all channels that match one of [patterns] while the flow is collected. */
  public fun psubscribe(
    vararg patterns: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.psubscribe(patterns.asList(), how) }

  /**
   * Subscribes to shard [channels], on the server that has their slot, while the flow is collected.
   */
  public fun ssubscribe(
    vararg channels: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.ssubscribe(channels.asList(), how) }

  /**
   * Receives all commands that the server executes while the flow is collected, each as a message
   * with the line of MONITOR; in a cluster, those of one server.
   */
  public fun monitor(how: SubscriptionOptions = SubscriptionOptions()): Flow<SubscriptionEvent> =
    listening {
      underlying.monitor(how)
    }

  private fun listening(listen: () -> Subscription): Flow<SubscriptionEvent> = flow {
    listen().use { subscription -> emitPages { subscription.next() } }
  }

  /** Logs in again with the current credentials of the provider. */
  public suspend fun reauthenticate() {
    underlying.reauthenticate().awaitOrCancel()
  }

  /** Closes the client; pending commands fail. */
  override fun close() {
    underlying.close()
  }

  /** Opens clients. */
  public companion object {
    /** Opens a client for [url], such as `redis://user:password@host:6379/0`. */
    public fun open(url: String, options: RedisOptions.Builder.() -> Unit = {}): Redis =
      Redis(RedisClient.open(RedisOptions.url(url).apply(options).build()))
  }
}
