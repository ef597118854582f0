package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Command
import dev.kermes.client.Commands
import dev.kermes.client.DedicatedConnection
import dev.kermes.client.HscanOptions
import dev.kermes.client.RedisClient
import dev.kermes.client.ScanOptions
import dev.kermes.client.Script
import dev.kermes.client.SscanOptions
import dev.kermes.client.StreamRead
import dev.kermes.client.TransactionResult
import dev.kermes.client.ZscanOptions
import dev.kermes.client.reply.ScanPage
import dev.kermes.client.reply.ScoredValue
import dev.kermes.client.reply.StreamEntry
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
 * A view of a client with keys and values of these types.
 *
 * @param K type of keys, and of the fields of hashes and streams
 * @param V type of values, elements and members
 * @property underlying the Java client
 */
public open class RedisView<K : Any, V : Any>
internal constructor(
  public val underlying: RedisClient,
  private val keys: Codec<K>,
  private val values: Codec<V>,
) : SuspendingCommands<K, V>(Commands(keys, values), underlying) {

  /** Sends [command]; a command that may block in the server uses a separate connection. */
  public suspend fun <T> send(command: Command<T>): T = underlying.await(command)

  /**
   * Sends the commands that [commands] returns together. The result has one element per command:
   * its result, or the [dev.kermes.client.RedisException] with which this command failed.
   */
  public suspend fun batch(commands: Commands<K, V>.() -> List<Command<*>>): List<Any?> =
    underlying.sendAll(this.commands.commands()).awaitOrCancel()

  /**
   * Runs the commands that [commands] returns as one transaction on a separate connection. The
   * whole transaction fails if one of them cannot be encoded or is refused by the server before
   * EXEC.
   */
  public suspend fun transaction(
    commands: Commands<K, V>.() -> List<Command<*>>
  ): TransactionResult = underlying.transaction(this.commands.commands()).awaitOrCancel()

  /**
   * Runs a transaction that depends on values it reads: watches [keys], lets [body] read on the
   * connection and return the commands, and runs them. Repeats this if another client changed one
   * of the keys in between; after 100 attempts the result is an aborted one. In a cluster the keys
   * must be in one slot.
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

  /**
   * Lends [body] a connection for exclusive use, for commands that change the state of their
   * connection.
   */
  public suspend fun <R> dedicated(body: suspend DedicatedCommands<K, V>.() -> R): R =
    underlying.dedicated().awaitOrGiveBack().use { DedicatedCommands(commands, it).body() }

  /** Runs a script by EVALSHA, and by EVAL if the server does not have it yet. */
  public suspend fun <T> run(
    script: Script<T>,
    keys: List<K> = emptyList(),
    args: List<V> = emptyList(),
  ): T = underlying.run(script, this.keys, keys, values, args).awaitOrCancel()

  /** All keys, requested as fast as they are collected; in a cluster, of all masters. */
  public fun scan(options: ScanOptions.() -> Unit = {}): Flow<K> = scanning {
    commands.scan(it, ScanOptions().apply(options))
  }

  /** All fields of a hash with their values, requested as fast as they are collected. */
  public fun hscan(key: K, options: HscanOptions.() -> Unit = {}): Flow<Map.Entry<K, V>> =
    scanning {
      commands.hscan(key, it, HscanOptions().apply(options))
    }

  /** All members of a set, requested as fast as they are collected. */
  public fun sscan(key: K, options: SscanOptions.() -> Unit = {}): Flow<V> = scanning {
    commands.sscan(key, it, SscanOptions().apply(options))
  }

  /** All members of a sorted set with their scores, requested as fast as they are collected. */
  public fun zscan(key: K, options: ZscanOptions.() -> Unit = {}): Flow<ScoredValue<V>> = scanning {
    commands.zscan(key, it, ZscanOptions().apply(options))
  }

  private fun <T : Any> scanning(step: (String) -> Command<ScanPage<T>>): Flow<T> = flow {
    val pages = underlying.scanPages(step)
    emitPages { pages.get() }
  }

  /**
   * The entries of the stream [key], including future ones, requested as fast as they are
   * collected. The flow does not end by itself; after the loss of a connection it continues behind
   * the last entry. [how] sets the start and the group.
   */
  public fun entries(
    key: K,
    how: StreamRead<K, V>.() -> StreamRead<K, V> = { this },
  ): Flow<StreamEntry<K, V>> = flow {
    emitAll(underlying.entries(StreamRead.of(keys, values, key).how()).asFlow())
  }

  /**
   * Calls [handler] with the entries of the stream [key] as a [consumer] of a [group], one at a
   * time, until the coroutine is cancelled. Acknowledges an entry when [handler] returns normally.
   * Creates group and stream if they do not exist. An entry is delivered again after [retryAfter]
   * without acknowledgement, if [handler] throws, which is logged, or if its consumer is gone.
   * [how] sets the start of a new group and the number of entries per page.
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
    val worker =
      underlying.consume(read, retryAfter.toJavaDuration()) { entry ->
        try {
          future { handler(entry) }.join()
        } catch (e: CompletionException) {
          throw e.cause ?: e
        } catch (e: CancellationException) {
          if (!isActive) stopped.join() // the coroutine was cancelled; the handler has not failed
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
