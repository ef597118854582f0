package dev.kermes.scaladsl

import dev.kermes.client.{Command, DedicatedConnection, ReadCache}
import scala.concurrent.Future
import scala.jdk.CollectionConverters.*
import scala.util.Try

/** The commands as values: a method makes one, nothing is sent. */
final class CommandValues[K, V](using keys: RedisCodec[K], values: RedisCodec[V])
    extends RedisCommands[K, V, Command](keys.underlying, values.underlying):
  protected def perform[T](command: Command[T]): Command[T] = command

/** The commands on a connection that one borrower has to himself.
  *
  * @param underlying the connection
  */
final class DedicatedCommands[K, V] private[scaladsl] (val underlying: DedicatedConnection)(using
    keys: RedisCodec[K],
    values: RedisCodec[V]
) extends RedisCommands[K, V, Future](keys.underlying, values.underlying):
  protected def perform[T](command: Command[T]): Future[T] = send(command)

  /** Sends `command`, which may be one that changes the connection, such as WATCH. */
  def send[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Sends `commands` as MULTI, the commands, EXEC; None when a watched key had changed. */
  def transactAll(commands: Seq[Command[?]]): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(underlying.transaction(commands.asJava))

/** The commands, whose replies are remembered until the server says that a key has changed.
  *
  * @param underlying the cache, which knows how often it was hit
  */
final class CachedCommands[K, V] private[scaladsl] (val underlying: ReadCache)(using
    keys: RedisCodec[K],
    values: RedisCodec[V]
) extends RedisCommands[K, V, Future](keys.underlying, values.underlying),
      AutoCloseable:
  protected def perform[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Forgets everything and closes its connections; the client stays open. */
  def close(): Unit = underlying.close()
