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
  ZscanOptions,
  ScanPage as JavaScanPage
}
import scala.concurrent.duration.{Duration, DurationInt, FiniteDuration}
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.jdk.CollectionConverters.*
import scala.jdk.DurationConverters.*
import scala.jdk.FutureConverters.*
import scala.util.{Failure, Success, Try}

/** A client of one server, or of a cluster, shared by any number of threads: all of them write through one connection,
  * whose event loop sends what has gathered with one write.
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
  * Opening does not wait: commands queue until the connection stands, each up to its deadline. Futures complete off the
  * event loop, so that what hangs on them may wait.
  *
  * @tparam K keys and the fields of hashes and streams
  * @tparam V values, elements and members
  * @param underlying the client of Java that does the work
  */
final class Redis[K, V](val underlying: RedisClient)(using keys: RedisCodec[K], values: RedisCodec[V])
    extends RedisCommands[K, V, Future](keys.underlying, values.underlying),
      AutoCloseable:

  protected def perform[T](command: Command[T]): Future[T] = send(command)

  /** The same commands as values: nothing is sent. */
  val commands: CommandValues[K, V] = new CommandValues

  /** The same client with keys and values of other types. */
  def as[A: RedisCodec, B: RedisCodec]: Redis[A, B] = Redis[A, B](underlying)

  /** Completes when the first connection stands. */
  def connected: Future[Redis[K, V]] = Futures.of(underlying.connected()).map(_ => this)(using ExecutionContext.parasitic)

  /** Sends `command`; one that may wait in the server goes on a connection of its own. */
  def send[T](command: Command[T]): Future[T] = Futures.of(underlying.send(command))

  /** Sends `commands`, a tuple, without a gap. The result has one element per command: its result, or the
    * RedisException that it alone failed with.
    */
  def batch[T <: Tuple: Tuple.IsMappedBy[Command]](commands: T): Future[Redis.Results[T]] =
    sendAll(Redis.listed(commands)).map(Redis.tupled[T])(using ExecutionContext.parasitic)

  /** As [[batch]], for any number of commands. */
  def sendAll(commands: Seq[Command[?]]): Future[Seq[Try[Any]]] =
    Futures.of(underlying.sendAll(commands.asJava)).map(Redis.results)(using ExecutionContext.parasitic)

  /** Runs `commands`, a tuple, as one transaction on a connection of its own. It fails as a whole when one of them cannot
    * be encoded or is refused by the server before EXEC; None when it was aborted.
    */
  def transaction[T <: Tuple: Tuple.IsMappedBy[Command]](commands: T): Future[Option[Redis.Results[T]]] =
    transactAll(Redis.listed(commands)).map(_.map(Redis.tupled[T]))(using ExecutionContext.parasitic)

  /** As [[transaction]], for any number of commands. */
  def transactAll(commands: Seq[Command[?]]): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(underlying.transaction(commands.asJava))

  /** Runs a transaction that depends on what it reads: watches `keys`, lets `body` read on the connection and say what to
    * do, and begins again when somebody else changed one of them in between. After 100 times the result is None. In a
    * cluster the keys must be in one slot.
    */
  def watch(keys: String*)(body: DedicatedCommands[K, V] => Future[Seq[Command[?]]])(using
      ExecutionContext
  ): Future[Option[Seq[Try[Any]]]] =
    Redis.executed(
      underlying.watch(keys.asJava, connection => body(dedicatedTo(connection)).map(_.asJava).asJava)
    )

  /** Lends `body` a connection to itself until its future completes, for what changes the connection it is sent on. */
  def dedicated[T](body: DedicatedCommands[K, V] => Future[T])(using ExecutionContext): Future[T] =
    Futures.of(underlying.dedicated()).flatMap { connection =>
      Future.delegate(body(dedicatedTo(connection))).andThen(_ => connection.close())
    }

  private def dedicatedTo(connection: DedicatedConnection) = DedicatedCommands[K, V](connection)

  /** Runs a script: as EVALSHA, and as EVAL where it is not known yet. */
  def run[T](script: Script[T], keys: Seq[K] = Nil, args: Seq[V] = Nil): Future[T] =
    Futures.of(underlying.run(script, this.keys.underlying, keys.asJava, values.underlying, args.asJava))

  /** A view that remembers replies until the server says that a key has changed.
    *
    * @param ttl how long at most
    * @param bytesMax how much is remembered, requests and replies; the oldest unread goes
    */
  def cache(ttl: FiniteDuration, bytesMax: Long): CachedCommands[K, V] =
    CachedCommands(underlying.cache(ttl.toJava, bytesMax))

  // ---- what comes bit by bit

  /** All keys, as fast as they are read; over all masters of a cluster. */
  def scan(options: ScanOptions = ScanOptions()): Source[K] = scanning(table.scan(_, options))(identity)

  /** All fields of a hash with their values, as fast as they are read. */
  def hscan(key: K, options: HscanOptions): Source[(K, V)] =
    scanning(table.hscan(key, _, options))(Decoders.tuple)

  /** All fields of a hash with their values, as fast as they are read. */
  def hscan(key: K): Source[(K, V)] = hscan(key, HscanOptions())

  /** All members of a set, as fast as they are read. */
  def sscan(key: K, options: SscanOptions): Source[V] = scanning(table.sscan(key, _, options))(identity)

  /** All members of a set, as fast as they are read. */
  def sscan(key: K): Source[V] = sscan(key, SscanOptions())

  /** All members of a sorted set with their scores, as fast as they are read. */
  def zscan(key: K, options: ZscanOptions): Source[(V, Double)] =
    scanning(table.zscan(key, _, options))(each => (each.value, each.score))

  /** All members of a sorted set with their scores, as fast as they are read. */
  def zscan(key: K): Source[(V, Double)] = zscan(key, ZscanOptions())

  private def scanning[A, B](step: String => Command[JavaScanPage[A]])(f: A => B): Source[B] =
    Source(() => Mapped(underlying.scan(cursor => step(cursor)), f))

  /** The entries of the stream `key`, those to come included, as fast as they are read. It ends when the client is closed;
    * when a connection is lost it goes on from the last entry. `how` says where it begins and in which group it reads.
    */
  def entries(key: K, how: StreamRead[K, V] => StreamRead[K, V] = identity): Source[StreamEntry[K, V]] =
    val read = how(StreamRead.of(keys.underlying, values.underlying, key))
    Source(() => Mapped(underlying.entries(read), StreamEntry.of))

  /** Calls `handler` with the entries of the stream `key` as a `consumer` of a `group`, the next one when its future has
    * completed, and acknowledges those whose future succeeds. Creates group and stream where they are missing. An entry
    * whose handler fails, which the log tells, or whose consumer has gone, comes again when it has not been acknowledged
    * for `retryAfter`. `how` says where a new group begins and how many entries come at once.
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

  // ---- listening

  /** Listens to `channels`. */
  def subscribe(channels: String*): Subscription = subscribe(channels, SubscriptionOptions())

  /** Listens to `channels`. */
  def subscribe(channels: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.subscribe(channels.asJava, how))

  /** Listens to all channels that match one of `patterns`. */
  def psubscribe(patterns: String*): Subscription = psubscribe(patterns, SubscriptionOptions())

  /** Listens to all channels that match one of `patterns`. */
  def psubscribe(patterns: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.psubscribe(patterns.asJava, how))

  /** Listens to shard `channels`, which live where their slot is, and moves with them. */
  def ssubscribe(channels: String*): Subscription = ssubscribe(channels, SubscriptionOptions())

  /** Listens to shard `channels`, which live where their slot is, and moves with them. */
  def ssubscribe(channels: Seq[String], how: SubscriptionOptions): Subscription =
    Subscription(underlying.ssubscribe(channels.asJava, how))

  /** Listens to all commands that the server executes, each a message as MONITOR words it; in a cluster to those of one
    * server. On a connection of its own.
    */
  def monitor(how: SubscriptionOptions = SubscriptionOptions()): Subscription = Subscription(underlying.monitor(how))

  /** Logs in again with what the credentials provider says now. */
  def reauthenticate(): Future[Unit] =
    Futures.of(underlying.reauthenticate()).map(_ => ())(using ExecutionContext.parasitic)

  /** Closes the connections, those of other views of the client too; what is under way fails. */
  def close(): Unit = underlying.close()

object Redis:
  /** A tuple of commands' results. */
  type Results[T <: Tuple] = Tuple.Map[Tuple.InverseMap[T, Command], Try]

  /** A client for a URL, such as `redis://user:password@host:6379/0`; keys and values are Strings. */
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
