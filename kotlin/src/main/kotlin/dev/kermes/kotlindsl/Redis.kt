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
 * A client of one server, or of a cluster, shared by any number of coroutines: all of them write
 * through one connection, whose event loop sends what has gathered with one write. Keys and values
 * are Strings; [of] makes views with other types.
 *
 * ```
 * Redis.open("redis://localhost").use { redis ->
 *   redis.set("k", "v")
 *   println(redis.get("k"))
 * }
 * ```
 *
 * Opening does not wait: commands queue until the connection stands, each up to its deadline.
 */
public class Redis(client: RedisClient) :
  RedisView<String, String>(client, Codec.utf8(), Codec.utf8()), AutoCloseable {

  /** Suspends until the first connection stands. */
  public suspend fun connected(): Redis = apply { underlying.connected().awaitOrCancel() }

  /** The same client with keys and values of other types. */
  public fun <K : Any, V : Any> of(keys: Codec<K>, values: Codec<V>): RedisView<K, V> =
    RedisView(underlying, keys, values)

  /**
   * A view that remembers replies until the server says that a key has changed.
   *
   * @param ttl how long at most
   * @param bytesMax how much is remembered, requests and replies; the oldest unread goes
   */
  public fun cache(ttl: Duration, bytesMax: Long): CachedCommands =
    CachedCommands(underlying.cache(ttl.toJavaDuration(), bytesMax))

  /** Listens to [channels] while the flow is collected. */
  public fun subscribe(
    vararg channels: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.subscribe(channels.asList(), how) }

  /** Listens to all channels that match one of [patterns] while the flow is collected. */
  public fun psubscribe(
    vararg patterns: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.psubscribe(patterns.asList(), how) }

  /** Listens to shard [channels], which live where their slot is, while the flow is collected. */
  public fun ssubscribe(
    vararg channels: String,
    how: SubscriptionOptions = SubscriptionOptions(),
  ): Flow<SubscriptionEvent> = listening { underlying.ssubscribe(channels.asList(), how) }

  /**
   * Listens to all commands that the server executes while the flow is collected, each a message as
   * MONITOR words it; in a cluster to those of one server.
   */
  public fun monitor(how: SubscriptionOptions = SubscriptionOptions()): Flow<SubscriptionEvent> =
    listening { underlying.monitor(how) }

  private fun listening(listen: () -> Subscription): Flow<SubscriptionEvent> = flow {
    listen().use { subscription -> emitPages { subscription.next() } }
  }

  /** Logs in again with what the credentials provider says now. */
  public suspend fun reauthenticate() {
    underlying.reauthenticate().awaitOrCancel()
  }

  /** Closes the connections; what is under way fails. */
  override fun close() {
    underlying.close()
  }

  public companion object {
    /** A client for [url], such as `redis://user:password@host:6379/0`. */
    public fun open(url: String, options: RedisOptions.Builder.() -> Unit = {}): Redis =
      Redis(RedisClient.open(RedisOptions.url(url).apply(options).build()))
  }
}
