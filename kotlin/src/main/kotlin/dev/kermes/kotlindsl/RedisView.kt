package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Command
import dev.kermes.client.Commands
import dev.kermes.client.DedicatedConnection
import dev.kermes.client.HscanOptions
import dev.kermes.client.RedisClient
import dev.kermes.client.ScanOptions
import dev.kermes.client.ScanPage
import dev.kermes.client.ScoredValue
import dev.kermes.client.Script
import dev.kermes.client.SscanOptions
import dev.kermes.client.StreamEntry
import dev.kermes.client.StreamRead
import dev.kermes.client.TransactionResult
import dev.kermes.client.ZscanOptions
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.future
import kotlinx.coroutines.isActive
import kotlinx.coroutines.jdk9.asFlow
import kotlinx.coroutines.supervisorScope

/**
 * What a client does with keys and values of these types.
 *
 * @param K keys and the fields of hashes and streams
 * @param V values, elements and members
 * @property underlying the client of Java that does the work
 */
public open class RedisView<K : Any, V : Any> internal constructor(
  public val underlying: RedisClient,
  private val keys: Codec<K>,
  private val values: Codec<V>,
) : SuspendingCommands<K, V>(Commands(keys, values), underlying) {

  /** Sends [command]; one that may wait in the server goes on a connection of its own. */
  public suspend fun <T> send(command: Command<T>): T = underlying.await(command)

  /**
   * Sends what [commands] makes without a gap. The result has one element per command: its result,
   * or the [dev.kermes.client.RedisException] that it alone failed with.
   */
  public suspend fun batch(commands: Commands<K, V>.() -> List<Command<*>>): List<Any?> =
    underlying.sendAll(this.commands.commands()).awaitOrCancel()

  /**
   * Runs what [commands] makes as one transaction on a connection of its own. It fails as a whole
   * when one of them cannot be encoded or is refused by the server before EXEC.
   */
  public suspend fun transaction(commands: Commands<K, V>.() -> List<Command<*>>): TransactionResult =
    underlying.transaction(this.commands.commands()).awaitOrCancel()

  /**
   * Runs a transaction that depends on what it reads: watches [keys], lets [body] read on the
   * connection and say what to do, and begins again when somebody else changed one of them in
   * between. After 100 times the result is one that is aborted. In a cluster the keys must be in one
   * slot.
   */
  public suspend fun watch(
    vararg keys: String,
    body: suspend SuspendingCommands<K, V>.() -> List<Command<*>>,
  ): TransactionResult = coroutineScope {
    val reading = { connection: DedicatedConnection ->
      future { SuspendingCommands(commands, connection).body() }
    }
    underlying.watch(keys.asList(), reading).awaitOrCancel()
  }

  /** Lends [body] a connection to itself, for what changes the connection it is sent on. */
  public suspend fun <R> dedicated(body: suspend DedicatedCommands<K, V>.() -> R): R =
    underlying.dedicated().awaitOrGiveBack().use { DedicatedCommands(commands, it).body() }

  /** Runs a script: as EVALSHA, and as EVAL where it is not known yet. */
  public suspend fun <T> run(
    script: Script<T>,
    keys: List<K> = emptyList(),
    args: List<V> = emptyList(),
  ): T = underlying.run(script, this.keys, keys, values, args).awaitOrCancel()

  /** All keys, as fast as they are collected; over all masters of a cluster. */
  public fun scan(options: ScanOptions.() -> Unit = {}): Flow<K> =
    scanning { commands.scan(it, ScanOptions().apply(options)) }

  /** All fields of a hash with their values, as fast as they are collected. */
  public fun hscan(key: K, options: HscanOptions.() -> Unit = {}): Flow<Map.Entry<K, V>> =
    scanning { commands.hscan(key, it, HscanOptions().apply(options)) }

  /** All members of a set, as fast as they are collected. */
  public fun sscan(key: K, options: SscanOptions.() -> Unit = {}): Flow<V> =
    scanning { commands.sscan(key, it, SscanOptions().apply(options)) }

  /** All members of a sorted set with their scores, as fast as they are collected. */
  public fun zscan(key: K, options: ZscanOptions.() -> Unit = {}): Flow<ScoredValue<V>> =
    scanning { commands.zscan(key, it, ZscanOptions().apply(options)) }

  private fun <T : Any> scanning(step: (String) -> Command<ScanPage<T>>): Flow<T> = flow {
    val pages = underlying.scanPages(step)
    emitPages { pages.get() }
  }

  /**
   * The entries of the stream [key], those to come included, as fast as they are collected. The flow
   * does not end by itself; when a connection is lost it goes on from the last entry. [how] says
   * where it begins and in which group it reads.
   */
  public fun entries(
    key: K,
    how: StreamRead<K, V>.() -> StreamRead<K, V> = { this },
  ): Flow<StreamEntry<K, V>> = flow {
    emitAll(underlying.entries(StreamRead.of(keys, values, key).how()).asFlow())
  }

  /**
   * Calls [handler] with the entries of the stream [key] as a [consumer] of a [group], one after the
   * other, until the coroutine is cancelled, and acknowledges those that it returns from normally.
   * Creates group and stream where they are missing. An entry whose [handler] throws, which the log
   * tells, or whose consumer has gone, comes again when it has not been acknowledged for
   * [retryAfter]. [how] says where a new group begins and how many entries come at once.
   */
  public suspend fun consume(
    key: K,
    group: String,
    consumer: String,
    retryAfter: Duration = 1.minutes,
    how: StreamRead<K, V>.() -> StreamRead<K, V> = { this },
    handler: suspend (StreamEntry<K, V>) -> Unit,
  ): Unit = supervisorScope {
    val stopped = CompletableFuture<Unit>()
    val read = StreamRead.of(keys, values, key).how().group(group, consumer)
    val worker = underlying.consume(read, retryAfter.toJavaDuration()) { entry ->
      try {
        future { handler(entry) }.join()
      } catch (e: CompletionException) {
        throw e.cause ?: e
      } catch (e: CancellationException) {
        if (!isActive) stopped.join() // no failure of the handler's
        throw e
      }
    }
    try {
      worker.done().awaitOrCancel()
    } finally {
      worker.stop()
      stopped.complete(Unit)
    }
  }
}
