package dev.kermes.kotlindsl.events

import dev.kermes.client.SubscriptionEvent
import dev.kermes.events.RedisEvents
import dev.kermes.events.RemoteFailureException
import dev.kermes.events.TopicInspector
import dev.kermes.events.schedule.Missed
import dev.kermes.events.schedule.Schedule
import dev.kermes.kotlindsl.OnEveryServer
import dev.kermes.kotlindsl.ServerUnderTest
import dev.kermes.kotlindsl.eventually
import dev.kermes.reactor.Event
import dev.kermes.reactor.NoHandlerException
import dev.kermes.reactor.Retry
import java.time.Instant
import java.time.ZoneId
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Durable topics, calls and sources from Kotlin. */
class EventsTest(server: ServerUnderTest) : OnEveryServer(server) {

  private val seen = CopyOnWriteArrayList<Any>()

  private fun withEvents(
    options: RedisEvents.Builder.() -> Unit = { group("billing") },
    body: suspend (Events) -> Unit,
  ) = runBlocking {
    redis
      .events {
        partitions(4)
        options()
      }
      .use { events ->
        events.reactor.onError { _, _ -> }
        body(events)
      }
  }

  @Test
  fun emit_isHandledWithItsMetadata() = withEvents { events ->
    val handled = CompletableDeferred<Event<String>>()
    events.on<String>("orders/{id}") { handled.complete(it) }
    events.topic("orders")
    val id = events.emit("orders/42", "two books") { header("trace", "7f").within(1.minutes) }
    val event = handled.await()
    assertThat(event.param("id") + event.payload()).isEqualTo("42two books")
    assertThat(event.meta().id()).isEqualTo(id)
    assertThat(event.meta().header("trace")).isEqualTo("7f")
    assertThat(event.meta().timeLeft()).isBetween(1.milliseconds, 1.minutes)
  }

  @Test
  fun emit_withAnId_isStoredOnce() = withEvents { events ->
    val ids = List(2) { events.emit("orders/42", "x") { id("o-42").idKept(1.hours) } }
    assertThat(ids.toSet()).hasSize(1)
    assertThat(events.emit("orders/42", "later") { this.delay(2.hours) }).isNotIn(ids)
  }

  @Test
  fun handler_suspending_keepsTheOrderOfEachKey() = withEvents { events ->
    events.on<String>("orders/{id}") {
      delay(1)
      seen += it.param("id") + it.payload()
      assertThat(it.meta().timeLeft()).isEqualTo(Duration.INFINITE)
    }
    events.topic("orders")
    for (i in 10..29) for (key in listOf("a", "b")) events.emit("orders/$key", "$i")
    eventually { seen.size == 40 }
    assertThat(seen.filter { "$it".startsWith("a") }).isEqualTo((10..29).map { "a$it" })
    assertThat(seen.filter { "$it".startsWith("b") }).isEqualTo((10..29).map { "b$it" })
  }

  @Test
  fun handler_failing_isRetriedAndThenADeadLetter() = withEvents { events ->
    events.on<String>(
      "orders/{id}",
      {
        named("shipping")
        retry(Retry.times(1).backoff(1.milliseconds, 1.milliseconds))
      },
    ) {
      seen += it.meta().attempt()
      throw IllegalStateException("no stock")
    }
    val topic = events.topic("orders")
    events.emit("orders/13", "x")
    eventually { runBlocking { topic.deadLetters().isNotEmpty() } }
    val letter = topic.deadLetters().single()
    assertThat(letter.key() to letter.handlers()).isEqualTo("orders/13" to listOf("shipping"))
    assertThat(topic.replay(letter)).isTrue()
    eventually { seen == listOf<Any>(1, 2, 1, 2) }
    eventually { runBlocking { topic.deadLetters().isNotEmpty() } }
    assertThat(topic.drop(topic.deadLetters().single())).isTrue()
    assertThat(topic.deadLetters()).isEmpty()
  }

  @Test
  fun handler_failing_parksItsKey() =
    withEvents({ group("billing").parking(24.hours) { backoff(1.hours, 1.hours) } }) { events ->
      events.on<String>("orders/*") { throw IllegalStateException("no stock") }
      val topic = events.topic("orders")
      events.emit("orders/13", "x")
      eventually { runBlocking { topic.parked().isNotEmpty() } }
      assertThat(topic.parked().single().key()).isEqualTo("orders/13")
    }

  @Test
  fun handler_whoseEventIsCancelled_isCancelled() {
    withEvents { events ->
      val begun = CompletableDeferred<Unit>()
      events.on<String>("orders/*") {
        begun.complete(Unit)
        try {
          awaitCancellation()
        } catch (e: CancellationException) {
          seen += "cancelled"
          throw e
        }
      }
      events.topic("orders")
      events.emit("orders/42", "x")
      begun.await()
      assertThat(events.close(Duration.ZERO)).isEqualTo(1)
      eventually { seen == listOf<Any>("cancelled") }
    }
  }

  @Test
  fun schedule_emitsAtEachTimeUntilItIsEnded() = withEvents { events ->
    events.on<String>("ticks/*") { seen += Instant.parse(it.meta().header("scheduled")) }
    events.topic("ticks")
    events.schedule("ticks/a", every(50.milliseconds), "x")
    eventually { seen.size > 2 }
    assertThat(seen).allMatch { (it as Instant).toEpochMilli() % 50 == 0L }
    events.unschedule("ticks/a")
    assertThat(redis.keys("*:schedules")).isEmpty()
    events.schedule("ticks/b", Schedule.cron("0 6 * * *", ZoneId.of("UTC")), "x", Missed.EACH)
    events.schedule("ticks/c", { it.plusSeconds(3600) }, "x")
    eventually {
      runBlocking { redis.keys("*:schedules").flatMap { redis.hkeys(it) }.toSet() } ==
        setOf("b", "c")
    }
  }

  // ---- flows

  @Test
  fun flow_elementsAreAcknowledgedWhenTheCollectorHasFinishedThem() = withEvents { events ->
    val gate = Channel<Unit>()
    val reading =
      CoroutineScope(Dispatchers.Default).launch {
        events.flow<String>("orders").collect { event ->
          seen += event.payload()
          gate.receive()
        }
      }
    for (each in listOf("a", "b")) events.emit("orders/42", each)
    eventually { seen == listOf<Any>("a") }
    gate.send(Unit)
    eventually { seen == listOf<Any>("a", "b") }
    reading.cancel()
    reading.join()
    assertThat(events.flow<String>("orders").first().payload()).isEqualTo("b")
  }

  @Test
  fun flow_collectorThrows_eventStaysWithTheNextOwner() = withEvents { events ->
    events.emit("orders/42", "x")
    val failure =
      assertThrows<IllegalStateException> {
        runBlocking { events.flow<String>("orders").collect { error("full") } }
      }
    assertThat(failure).hasMessage("full")
    val inspector = TopicInspector.of(redis.underlying)
    assertThat(inspector.deadLetters("orders", "billing").list(1)).isEmpty()
    assertThat(events.flow<String>("orders").first().payload()).isEqualTo("x")
  }

  // ---- partitions

  @Test
  fun topic_ofOneMember_ownsAllPartitions() = withEvents { events ->
    val topic = events.topic("orders") { onAcquired { partition, _ -> seen += partition } }
    eventually { topic.mine.size == 4 }
    assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3)
    assertThat(topic.name to topic.partitions).isEqualTo("orders" to 4)
    assertThat(topic.mine).contains(topic.partition("42"))
    assertThat(topic.isMine("42") && topic.health.isUp).isTrue()
    assertThat(topic.owner("42")).isEqualTo(events.underlying.member())
    assertThat(topic.close()).isZero()
    assertThat(topic.owner("42")).isNull()
  }

  // ---- calls

  @Test
  fun call_isAnsweredOrFails() = withEvents { events ->
    events.on<String>("prices/{item}") { event ->
      when (event.param("item")) {
        "book" -> event.reply("12 EUR for ${event.payload()}, ${event.meta().token() > 0}")
        "late" -> awaitCancellation()
        else -> throw IllegalArgumentException("unknown")
      }
    }
    assertThrows<NoHandlerException> { runBlocking { events.call<String>("prices/book", "Jo") } }
    events.answer("prices")
    assertThat(events.call<String>("prices/book", "Jo")).isEqualTo("12 EUR for Jo, false")
    assertThrows<RemoteFailureException> { runBlocking { events.call<String>("prices/x", "Jo") } }
    assertThrows<TimeoutException> {
      runBlocking { events.call<String>("prices/late", "Jo", 50.milliseconds) }
    }
    val topic = events.topic("prices")
    eventually { topic.isMine("book") }
    assertThat(events.callOwner<String>("prices/book", "Jo", 30.seconds))
      .isEqualTo("12 EUR for Jo, true")
    events.close(Duration.ZERO)
  }

  // ---- other sources

  @Test
  fun sources_bringTheirEvents() =
    withEvents({}) { events ->
      redis.configSet("notify-keyspace-events", "KEA")
      val confirmed = CopyOnWriteArrayList<SubscriptionEvent>()
      events.on<String>("channel/{name}") { seen += it.param("name") + "=" + it.payload() }
      events.on<String>("keyspace/del/{key}") { seen += "deleted " + it.payload() }
      events.on<Map<*, *>>("stream/log") { seen += it.payload() }
      events.channels("news") { onGap { confirmed += it } }
      events.patterns("sport.*") { onGap { confirmed += it } }
      events.shards("shard") { onGap { confirmed += it } }
      events.keyspace("del") { onGap { confirmed += it } }
      events.stream("log", "billing", "b1") { retryAfter(1.hours).workers(2) }
      eventually { confirmed.size == 4 }
      redis.publish("news", "n")
      redis.publish("sport.1", "s")
      redis.spublish("shard", "h")
      redis.set("k", "v")
      redis.del("k")
      redis.xadd("log", "*", mapOf("level" to "info"))
      eventually { seen.size == 5 }
      assertThat(seen)
        .containsExactlyInAnyOrder(
          "news=n",
          "sport.1=s",
          "shard=h",
          "deleted k",
          mapOf("level" to "info"),
        )
      redis.configSet("notify-keyspace-events", "")
    }
}
