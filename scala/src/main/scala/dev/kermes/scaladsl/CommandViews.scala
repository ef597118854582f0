package dev.kermes.scaladsl

import dev.kermes.client.{Command, DedicatedConnection, ReadCache}
import scala.concurrent.Future
import scala.jdk.CollectionConverters.*
import scala.util.Try

/** The commands as values: each method creates a command and sends nothing. */
final class CommandValues[K, V](using keys: RedisCodec[K], values: RedisCodec[V])
    extends RedisCommands[K, V, Command](keys.underlying, values.underlying):
  protected def perform[T](command: Command[T]): Command[T] = command

/** The commands on a connection for exclusive use by one borrower.
  *
  * @param underlying the connection
  */
final class DedicatedCommands[K, V] private[scaladsl] (val underlying: DedicatedConnection)(using
    keys: RedisCodec[K],
    values: RedisCodec[V]
) extends RedisCommands[K, V, Future](keys.underlying, values.underlying):
  protected def perform[T](command: Command[T]): Future[T] = send(command)

  /** Sends `command`, which may change the state of the connection, such as WATCH. */
  def send[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Sends `commands` between MULTI and EXEC; None if a watched key has changed. */
  def transactAll(commands: Seq[Command[?]]): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(underlying.transaction(commands.asJava))

/** The commands, whose replies are cached until the server reports that a key has changed.
  *
  * @param underlying the cache, which counts its hits and misses
  */
final class CachedCommands[K, V] private[scaladsl] (val underlying: ReadCache)(using
    keys: RedisCodec[K],
    values: RedisCodec[V]
) extends RedisCommands[K, V, Future](keys.underlying, values.underlying),
      AutoCloseable:
  protected def perform[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Clears the cache and closes its connections; the client remains open. */
  def close(): Unit = underlying.close()
