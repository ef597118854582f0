package dev.kermes.kotlindsl.events

import dev.kermes.client.RedisClient
import dev.kermes.events.ChannelSource
import dev.kermes.events.EmitOptions
import dev.kermes.events.RedisEvents
import dev.kermes.events.StreamSource
import dev.kermes.events.schedule.Missed
import dev.kermes.events.schedule.Schedule
import dev.kermes.kotlindsl.Redis
import dev.kermes.kotlindsl.awaitOrCancel
import dev.kermes.reactor.Event
import dev.kermes.reactor.HandlerSpec
import dev.kermes.reactor.Reactor
import dev.kermes.reactor.Registration
import dev.kermes.reactor.RunningSource
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext

/**
 * Events that Redis keeps until they were handled: at least once, in order per key, by one of
 * several JVMs. [Redis.events] opens them; `kermes-events` has to be on the class path.
 *
 * ```
 * redis.events { group("billing") }.use { events ->
 *   events.on<Order>("orders/{id}") { event -> ship(event.param("id"), event.payload()) }
 *   events.topic("orders")
 *   events.emit("orders/42", order)
 * }
 * ```
 *
 * @property underlying the Java API
 * @property reactor the reactor whose handlers get the events
 */
public class Events
internal constructor(
  public val underlying: RedisEvents,
  public val reactor: Reactor,
  private val redis: RedisClient,
  private val ownsReactor: Boolean,
) : AutoCloseable {

  /**
   * Appends an event to the topic that is the first segment of [key]; returns its id when the
   * server has it. After a lost connection or a timeout the event may be stored; with an `id` it
   * can be emitted again.
   */
  public suspend fun emit(
    key: String,
    payload: Any,
    how: EmitOptions.() -> EmitOptions = { this },
  ): String = underlying.emit(key, payload, EmitOptions.none().how()).awaitOrCancel()

  /**
   * Emits an event at each time of [schedule], which its header `scheduled` tells. Let every member
   * have the same schedules: each time has one event. A key has one schedule; another one takes its
   * place. [missed] tells what becomes of times at which no member was there.
   */
  public suspend fun schedule(
    key: String,
    schedule: Schedule,
    payload: Any,
    missed: Missed = Missed.ONCE,
  ): Unit = runInterruptible(Dispatchers.IO) { underlying.schedule(key, schedule, payload, missed) }

  /** Ends the schedule of [key]. Other members that have it continue: end it in all of them. */
  public suspend fun unschedule(key: String): Unit =
    runInterruptible(Dispatchers.IO) { underlying.unschedule(key) }

  // ---- handlers

  /**
   * Calls [handler] for the events whose keys match [pattern] and whose payloads are of [type], in
   * order per key. The event is acknowledged when it returns, and has failed if it throws. The
   * coroutine is cancelled if the lease of the event's partition is over, or the topic is closed.
   */
  public fun <T : Any> on(
    pattern: String,
    type: KClass<T>,
    options: HandlerSpec<T>.() -> Unit = {},
    handler: suspend (Event<T>) -> Unit,
  ): Registration =
    reactor.at(pattern).of(type.javaObjectType).apply(options).handle { event ->
      runBlocking { handler(event) }
    }

  /** Calls [handler] for the events whose keys match [pattern] and whose payloads are a [T]. */
  public inline fun <reified T : Any> on(
    pattern: String,
    noinline options: HandlerSpec<T>.() -> Unit = {},
    noinline handler: suspend (Event<T>) -> Unit,
  ): Registration = on(pattern, T::class, options, handler)

  /**
   * The events of a topic whose payloads are of [type]. While the flow is collected this member
   * reads the topic, which must not be open otherwise. An event is acknowledged when the collector
   * has finished it; the one at which the collection ends, by an exception, by cancellation or by
   * an operator such as `first`, is left to the next owner.
   */
  public fun <T : Any> flow(topic: String, type: KClass<T>): Flow<Event<T>> =
    topicFlow(reactor.at("$topic/**").of(type.javaObjectType)) { topic(topic) }

  /** The events of a topic whose payloads are a [T]. */
  public inline fun <reified T : Any> flow(topic: String): Flow<Event<T>> = flow(topic, T::class)

  /**
   * Brings the events of a topic to the handlers, which must be registered before: an event that no
   * handler matches is a dead letter. [beforeReading] may add hooks for partitions.
   */
  public suspend fun topic(
    name: String,
    beforeReading: dev.kermes.events.Topic.() -> Unit = {},
  ): Topic =
    Topic(runInterruptible(Dispatchers.IO) { underlying.topic(name) { it.beforeReading() } })

  // ---- calls

  /** Lets the handlers of this member answer calls of [topic], with `event.reply(answer)`. */
  public suspend fun answer(topic: String): Unit =
    runInterruptible(Dispatchers.IO) { underlying.answer(topic) }

  /**
   * Asks one of the members that answer calls of the key's topic, at random and at most once.
   * Throws [dev.kermes.reactor.NoHandlerException] at once if no member receives the request,
   * [dev.kermes.events.RemoteFailureException] if a handler threw, and
   * [java.util.concurrent.TimeoutException].
   */
  public suspend inline fun <reified T : Any> call(
    key: String,
    request: Any,
    timeout: Duration = 10.seconds,
  ): T = ask(key, request, timeout) as T

  /** Asks the member that owns the partition of [key]; fails as [call] does. */
  public suspend inline fun <reified T : Any> callOwner(
    key: String,
    request: Any,
    timeout: Duration = 10.seconds,
  ): T = askOwner(key, request, timeout) as T

  @PublishedApi
  internal suspend fun ask(key: String, request: Any, timeout: Duration): Any =
    underlying.call(key, request, timeout.toJavaDuration()).awaitOrCancel()

  @PublishedApi
  internal suspend fun askOwner(key: String, request: Any, timeout: Duration): Any =
    underlying.callOwner(key, request, timeout.toJavaDuration()).awaitOrCancel()

  // ---- other sources

  /** Brings the messages of [channels] to the handlers, as `channel/NAME`; best effort. */
  public fun channels(
    vararg channels: String,
    how: ChannelSource.() -> ChannelSource = { this },
  ): RunningSource = reactor.from(ChannelSource.of(redis, *channels).how())

  /** Brings the messages of all channels that match one of [patterns] to the handlers. */
  public fun patterns(
    vararg patterns: String,
    how: ChannelSource.() -> ChannelSource = { this },
  ): RunningSource = reactor.from(ChannelSource.patterns(redis, *patterns).how())

  /** Brings the messages of shard [channels] to the handlers, as `channel/NAME`. */
  public fun shards(
    vararg channels: String,
    how: ChannelSource.() -> ChannelSource = { this },
  ): RunningSource = reactor.from(ChannelSource.shards(redis, *channels).how())

  /** Brings keyspace [events] such as `expired` to the handlers, as `keyspace/NAME/KEY`: hints. */
  public fun keyspace(
    vararg events: String,
    how: ChannelSource.() -> ChannelSource = { this },
  ): RunningSource = reactor.from(ChannelSource.keyspace(redis, *events).how())

  /**
   * Brings the entries of a stream that others write to the handlers, as `stream/NAME`, for a
   * [consumer] of a [group]: at least once, in no order over several workers.
   */
  public fun stream(
    name: String,
    group: String,
    consumer: String,
    how: StreamSource.() -> StreamSource = { this },
  ): RunningSource = reactor.from(StreamSource.of(redis, name, group, consumer).how())

  // ---- the end

  /**
   * Stops reading, gives handlers this time, flushes acknowledgements and releases the partitions;
   * returns how many events were left. A reactor of its own is closed as well.
   */
  public suspend fun close(timeout: Duration): Int =
    withContext(Dispatchers.IO) {
      val left = underlying.close(timeout.toJavaDuration())
      if (ownsReactor) reactor.close()
      left
    }

  /** Closes, and gives handlers 10 seconds; blocks the thread. */
  override fun close() {
    underlying.close()
    if (ownsReactor) reactor.close()
  }
}

/**
 * Opens topics over this client; nothing is sent before the first topic or event.
 *
 * @param reactor the reactor whose handlers get the events; without one, a new one that is closed
 *   with the result
 */
public fun Redis.events(
  reactor: Reactor? = null,
  options: RedisEvents.Builder.() -> Unit = {},
): Events {
  val used = reactor ?: Reactor.create()
  val opened = RedisEvents.of(underlying, used).apply(options).open()
  return Events(opened, used, underlying, reactor == null)
}
