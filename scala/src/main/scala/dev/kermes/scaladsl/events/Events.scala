package dev.kermes.scaladsl.events

import dev.kermes.client.RedisClient
import dev.kermes.events.schedule.{Missed, Schedule}
import dev.kermes.events.{ChannelSource, EmitOptions, RedisEvents, StreamSource, Topic as JavaTopic}
import dev.kermes.reactor.{Event, HandlerSpec, Reactor, Registration, RunningSource}
import dev.kermes.scaladsl.{Futures, Redis, Source}
import java.util.concurrent.ConcurrentHashMap
import scala.concurrent.duration.{Duration, DurationInt, FiniteDuration}
import scala.concurrent.{Await, Future}
import scala.jdk.DurationConverters.*
import scala.reflect.{ClassTag, classTag}

/** Events that Redis keeps until they were handled: at least once, in order per key, by one of several JVMs.
  * `kermes-events` has to be on the class path.
  *
  * {{{
  * Using.resource(Events.open(redis, _.group("billing"))) { events =>
  *   events.on[Order]("orders/{id}") { event => ship(event.param("id"), event.payload) }
  *   for
  *     _ <- events.topic("orders")
  *     id <- events.emit("orders/42", order)
  *   yield id
  * }
  * }}}
  *
  * @param underlying the Java API
  * @param reactor the reactor whose handlers get the events
  */
final class Events private (
    val underlying: RedisEvents,
    val reactor: Reactor,
    redis: RedisClient,
    ownsReactor: Boolean
) extends AutoCloseable:
  private val readings = ConcurrentHashMap[String, TopicReading[?]]()

  /** Appends an event to the topic that is the first segment of `key`; completes with its id when the server has it.
    * After a lost connection or a timeout the event may be stored; with an `id` it can be emitted again.
    */
  def emit(key: String, payload: AnyRef, how: EmitOptions => EmitOptions = identity): Future[String] =
    Futures.of(underlying.emit(key, payload, how(EmitOptions.none)))

  /** Appends an event: `events ! "orders/42" -> order`. */
  def !(event: (String, AnyRef)): Future[String] = emit(event._1, event._2)

  /** Emits an event at each time of `schedule`, which its header `scheduled` tells. Let every member have the same
    * schedules: each time has one event. A key has one schedule; another one takes its place. `missed` tells what becomes
    * of times at which no member was there.
    */
  def schedule(key: String, schedule: Schedule, payload: AnyRef, missed: Missed = Missed.ONCE): Future[Unit] =
    Futures.waiting(underlying.schedule(key, schedule, payload, missed))

  /** Ends the schedule of `key`. Other members that have it continue: end it in all of them. */
  def unschedule(key: String): Future[Unit] = Futures.waiting(underlying.unschedule(key))

  // ---- handlers

  /** Calls `handler` for the events whose keys match `pattern` and whose payloads are a T, in order per key: the next event
    * of the key follows when the future has completed. The event is acknowledged when it succeeds, and has failed when it
    * fails. A handler answers a call with `event.reply(answer)`.
    */
  def on[T <: AnyRef: ClassTag](pattern: String, how: HandlerSpec[T] => HandlerSpec[T] = identity[HandlerSpec[T]])(
      handler: Event[T] => Future[Any]
  ): Registration =
    val spec = reactor.at(pattern).of(classTag[T].runtimeClass.asInstanceOf[Class[T]])
    how(spec).handle(event => Await.result(handler(event), Duration.Inf))

  /** The events of a topic whose payloads are a T. While the source is read this member reads the topic, which must not be
    * open otherwise. Each event is held until its [[Held.ack]]; those that are still held when the reading is cancelled, or
    * ends with an exception, are left to the next owners.
    */
  def source[T <: AnyRef: ClassTag](topic: String): Source[Held[T]] =
    Source { () => subscriber =>
      val reading = TopicReading[T](subscriber)
      val spec = reactor.at(topic + "/**").of(classTag[T].runtimeClass.asInstanceOf[Class[T]])
      val before = Option(readings.put(topic, reading))
      Thread.startVirtualThread { () =>
        reading.run(before, spec, () => underlying.topic(topic))
        readings.remove(topic, reading)
      }
    }

  /** Brings the events of a topic to the handlers, which must be registered before: an event that no handler matches is a
    * dead letter. `beforeReading` may add hooks for partitions.
    */
  def topic(name: String, beforeReading: JavaTopic => Unit = _ => ()): Future[Topic] =
    Futures.waiting(Topic(underlying.topic(name, opened => beforeReading(opened))))

  // ---- calls

  /** Lets the handlers of this member answer calls of `topic`; completes when other members can see that. */
  def answer(topic: String): Future[Unit] = Futures.waiting(underlying.answer(topic))

  /** Asks one of the members that answer calls of the key's topic, at random and at most once. Fails with a
    * NoHandlerException at once if no member receives the request, with a RemoteFailureException if a handler failed, and
    * with a TimeoutException.
    */
  def call[T <: AnyRef: ClassTag](key: String, request: AnyRef, timeout: FiniteDuration = 10.seconds): Future[T] =
    Futures.of(underlying.call(key, request, timeout.toJava)).mapTo[T]

  /** Asks the member that owns the partition of `key`; fails as [[call]] does. */
  def callOwner[T <: AnyRef: ClassTag](key: String, request: AnyRef, timeout: FiniteDuration = 10.seconds): Future[T] =
    Futures.of(underlying.callOwner(key, request, timeout.toJava)).mapTo[T]

  // ---- other sources

  /** Brings the messages of channels to the handlers, as `channel/NAME`; best effort. */
  def channels(names: Seq[String], how: ChannelSource => ChannelSource = identity): RunningSource =
    reactor.from(how(ChannelSource.of(redis, names*)))

  /** Brings the messages of all channels that match one of `globs` to the handlers. */
  def patterns(globs: Seq[String], how: ChannelSource => ChannelSource = identity): RunningSource =
    reactor.from(how(ChannelSource.patterns(redis, globs*)))

  /** Brings the messages of shard channels to the handlers, as `channel/NAME`. */
  def shards(names: Seq[String], how: ChannelSource => ChannelSource = identity): RunningSource =
    reactor.from(how(ChannelSource.shards(redis, names*)))

  /** Brings keyspace events such as `expired` to the handlers, as `keyspace/NAME/KEY`: hints. */
  def keyspace(names: Seq[String], how: ChannelSource => ChannelSource = identity): RunningSource =
    reactor.from(how(ChannelSource.keyspace(redis, names*)))

  /** Brings the entries of a stream that others write to the handlers, as `stream/NAME`, for a `consumer` of a `group`: at
    * least once, in no order over several workers.
    */
  def stream(
      name: String,
      group: String,
      consumer: String,
      how: StreamSource => StreamSource = identity
  ): RunningSource = reactor.from(how(StreamSource.of(redis, name, group, consumer)))

  // ---- the end

  /** Stops reading, gives handlers this time, flushes acknowledgements and releases the partitions; completes with the
    * number of events that were left. Sources end, and a reactor of its own is closed as well.
    */
  def close(timeout: FiniteDuration): Future[Int] = Futures.waiting(closeNow(timeout))

  /** Closes, and gives handlers 10 seconds; blocks the thread. */
  def close(): Unit = closeNow(10.seconds)

  private def closeNow(timeout: FiniteDuration): Int =
    val left = underlying.close(timeout.toJava)
    readings.values.forEach(_.complete())
    if ownsReactor then reactor.close()
    left

/** Opens topics. */
object Events:
  /** Opens topics over a client; nothing is sent before the first topic or event.
    *
    * @param reactor the reactor whose handlers get the events; without one, a new one that is closed with the result
    */
  def open(
      redis: Redis[?, ?],
      how: RedisEvents.Builder => RedisEvents.Builder = identity,
      reactor: Option[Reactor] = None
  ): Events =
    val used = reactor.getOrElse(Reactor.create())
    val opened = how(RedisEvents.of(redis.underlying, used)).open()
    new Events(opened, used, redis.underlying, reactor.isEmpty)
