package dev.kermes.scaladsl

import dev.kermes.client.{
  Command,
  DedicatedConnection,
  HscanOptions,
  RedisClient,
  RedisException,
  RedisOptions,
  ScanOptions,
  Script,
  SscanOptions,
  StreamRead,
  SubscriptionOptions,
  TransactionResult,
  ZscanOptions
}
import dev.kermes.client.reply.ScanPage as JavaScanPage
import scala.concurrent.duration.{Duration, DurationInt, FiniteDuration}
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.jdk.CollectionConverters.*
import scala.jdk.DurationConverters.*
import scala.jdk.FutureConverters.*
import scala.util.{Failure, Success, Try}

/** A client of one server or of a cluster, which any number of threads may share. All of them write through one
  * connection, whose event loop sends the queued commands with one write.
  *
  * {{{
  * Using.resource(Redis.open("redis://localhost")) { redis =>
  *   for
  *     _ <- redis.set("k", "v")
  *     v <- redis.get("k")
  *   yield println(v)
  * }
  * }}}
  *
  * Opening does not wait: commands queue until the connection is established, each up to its timeout. Futures do not
  * complete on the event loop, so their callbacks may block.
  *
  * @tparam K type of keys, and of the fields of hashes and streams
  * @tparam V type of values, elements and members
  * @param underlying the Java client
  */
final class Redis[K, V](val underlying: RedisClient)(using keys: RedisCodec[K], values: RedisCodec[V])
    extends RedisCommands[K, V, Future](keys.underlying, values.underlying),
      AutoCloseable:

  protected def perform[T](command: Command[T]): Future[T] = send(command)

  /** The commands as values, which are not sent. */
  val commands: CommandValues[K, V] = new CommandValues

  /** A view of this client with other types of keys and values. */
  def as[A: RedisCodec, B: RedisCodec]: Redis[A, B] = Redis[A, B](underlying)

  /** Completes when the first connection is established. */
  def connected: Future[Redis[K, V]] =
    Futures.of(underlying.connected()).map(_ => this)(using ExecutionContext.parasitic)

  /** Sends `command`; a command that may block in the server uses a separate connection. */
  def send[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Sends `commands`, a tuple, together. The result has one element per command: its result, or the RedisException with
    * which this command failed.
    */
  def batch[T <: Tuple: Tuple.IsMappedBy[Command]](commands: T): Future[Redis.Results[T]] =
    sendAll(Redis.listed(commands)).map(Redis.tupled[T])(using ExecutionContext.parasitic)

  /** Like [[batch]], for any number of commands. */
  def sendAll(commands: Seq[Command[?]]): Future[Seq[Try[Any]]] =
    Futures.of(underlying.sendAll(commands.asJava)).map(Redis.results)(using ExecutionContext.parasitic)

  /** Runs `commands`, a tuple, as one transaction on a separate connection. The whole transaction fails if one of them
    * cannot be encoded or is refused by the server before EXEC; None if it was aborted.
    */
  def transaction[T <: Tuple: Tuple.IsMappedBy[Command]](commands: T): Future[Option[Redis.Results[T]]] =
    transactAll(Redis.listed(commands)).map(_.map(Redis.tupled[T]))(using ExecutionContext.parasitic)

  /** Like [[transaction]], for any number of commands. */
  def transactAll(commands: Seq[Command[?]]): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(underlying.transaction(commands.asJava))

  /** Runs a transaction that depends on values it reads: watches `keys`, lets `body` read on the connection and return the
    * commands, and runs them. Repeats this if another client changed one of the keys in between; after 100 attempts the
    * result is None. In a cluster the keys must be in one slot.
    */
  def watch(keys: String*)(body: DedicatedCommands[K, V] => Future[Seq[Command[?]]])(using
      ExecutionContext
  ): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(
      underlying.watch(keys.asJava, connection => body(dedicatedTo(connection)).map(_.asJava).asJava)
    )

  /** Lends `body` a connection for exclusive use until its future completes, for commands that change the state of their
    * connection.
    */
  def dedicated[T](body: DedicatedCommands[K, V] => Future[T])(using ExecutionContext): Future[T] =
    Futures.of(underlying.dedicated()).flatMap { connection =>
      Future.delegate(body(dedicatedTo(connection))).andThen(_ => connection.close())
    }

  private def dedicatedTo(connection: DedicatedConnection) = DedicatedCommands[K, V](connection)

  /** Runs a script by EVALSHA, and by EVAL if the server does not have it yet. */
  def run[T](script: Script[T], keys: Seq[K] = Nil, args: Seq[V] = Nil): Future[T] =
    Futures.of(underlying.run(script, this.keys.underlying, keys.asJava, values.underlying, args.asJava))

  /** A view that caches replies until the server reports that a key has changed.
    *
    * @param ttl the longest time that a reply is cached
    * @param bytesMax the size of the cache, requests and replies; the least recently read entry is evicted
    */
  def cache(ttl: FiniteDuration, bytesMax: Long): CachedCommands[K, V] =
    CachedCommands(underlying.cache(ttl.toJava, bytesMax))

  // ---- scans and streams

  /** All keys, requested as fast as they are read; in a cluster, of all masters. */
  def scan(options: ScanOptions = ScanOptions()): Source[K] = scanning(table.scan(_, options))(identity)

  /** All fields of a hash with their values, requested as fast as they are read. */
  def hscan(key: K, options: HscanOptions): Source[(K, V)] =
    scanning(table.hscan(key, _, options))(Decoders.tuple)

  /** All fields of a hash with their values, requested as fast as they are read. */
  def hscan(key: K): Source[(K, V)] = hscan(key, HscanOptions())

  /** All members of a set, requested as fast as they are read. */
  def sscan(key: K, options: SscanOptions): Source[V] = scanning(table.sscan(key, _, options))(identity)

  /** All members of a set, requested as fast as they are read. */
  def sscan(key: K): Source[V] = sscan(key, SscanOptions())

  /** All members of a sorted set with their scores, requested as fast as they are read. */
  def zscan(key: K, options: ZscanOptions): Source[(V, Double)] =
    scanning(table.zscan(key, _, options))(each => (each.value, each.score))

  /** All members of a sorted set with their scores, requested as fast as they are read. */
  def zscan(key: K): Source[(V, Double)] = zscan(key, ZscanOptions())

  private def scanning[A, B](step: String => Command[JavaScanPage[A]])(f: A => B): Source[B] =
    Source(() => Mapped(underlying.scan(cursor => step(cursor)), f))

  /** The entries of the stream `key`, including future ones, requested as fast as they are read. The source ends when the
    * client is closed; after the loss of a connection it continues behind the last entry. `how` sets the start and the
    * group.
    */
  def entries(key: K, how: StreamRead[K, V] => StreamRead[K, V] = identity): Source[StreamEntry[K, V]] =
    val read = how(StreamRead.of(keys.underlying, values.underlying, key))
    Source(() => Mapped(underlying.entries(read), StreamEntry.of))

  /** Calls `handler` with the entries of the stream `key` as a `consumer` of a `group`, one at a time: the next entry
    * follows when the future has completed. Acknowledges entries whose future succeeds. Creates group and stream if they
    * do not exist. An entry is delivered again after `retryAfter` without acknowledgement, if its handler fails, which is
    * logged, or if its consumer is gone. `how` sets the start of a new group and the number of entries per page.
    */
  def consume(
      key: K,
      group: String,
      consumer: String,
      retryAfter: FiniteDuration = 1.minute,
      how: StreamRead[K, V] => StreamRead[K, V] = identity
  )(handler: StreamEntry[K, V] => Future[Any]): StreamWorker =
    val read = how(StreamRead.of(keys.underlying, values.underlying, key)).as(group, consumer)
    StreamWorker(
      underlying.consume(read, retryAfter.toJava, entry => Await.result(handler(StreamEntry.of(entry)), Duration.Inf))
    )

  // ---- subscriptions

  /** Subscribes to `channels`. */
  def subscribe(channels: String*): Subscription = subscribe(channels, SubscriptionOptions())

  /** Subscribes to `channels`. */
  def subscribe(channels: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.subscribe(channels.asJava, how))

  /** Subscribes to all channels that match one of `patterns`. */
  def psubscribe(patterns: String*): Subscription = psubscribe(patterns, SubscriptionOptions())

  /** Subscribes to all channels that match one of `patterns`. */
  def psubscribe(patterns: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.psubscribe(patterns.asJava, how))

  /** Subscribes to shard `channels` on the server that has their slot, and follows the slot when it moves. */
  def ssubscribe(channels: String*): Subscription = ssubscribe(channels, SubscriptionOptions())

  /** Subscribes to shard `channels` on the server that has their slot, and follows the slot when it moves. */
  def ssubscribe(channels: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.ssubscribe(channels.asJava, how))

  /** Receives all commands that the server executes, each as a message with the line of MONITOR; in a cluster, those of
    * one server. Uses a separate connection.
    */
  def monitor(how: SubscriptionOptions = SubscriptionOptions()): Subscription = Subscription(underlying.monitor(how))

  /** Logs in again with the current credentials of the provider. */
  def reauthenticate(): Future[Unit] =
    Futures.of(underlying.reauthenticate()).map(_ => ())(using ExecutionContext.parasitic)

  /** Closes the client and all its views; pending commands fail. */
  def close(): Unit = underlying.close()

/** Opens clients. */
object Redis:
  /** A tuple of results, one per command. */
  type Results[T <: Tuple] = Tuple.Map[Tuple.InverseMap[T, Command], Try]

  /** Opens a client for a URL, such as `redis://user:password@host:6379/0`; keys and values are Strings. */
  def open(url: String, options: RedisOptions.Builder => RedisOptions.Builder = identity): Redis[String, String] =
    Redis(RedisClient.open(options(RedisOptions.url(url)).build()))

  private[scaladsl] def executed(stage: java.util.concurrent.CompletionStage[TransactionResult]) =
    Futures
      .of(stage)
      .map(result => Option.unless(result.isAborted)(results(result.replies)))(using ExecutionContext.parasitic)

  private def results(replies: java.util.List[? <: Any]): Seq[Try[Any]] =
    replies.asScala.iterator.map {
      case failure: RedisException => Failure(failure)
      case result                  => Success(result)
    }.toVector

  private def listed(commands: Tuple): Seq[Command[?]] = commands.toList.asInstanceOf[List[Command[?]]]

  private def tupled[T <: Tuple](results: Seq[Try[Any]]): Results[T] =
    Tuple.fromArray(results.toArray).asInstanceOf[Results[T]]
