package dev.kermes.kotlindsl

import dev.kermes.client.ServerErrorException
import dev.kermes.client.SubscriptionEvent
import dev.kermes.client.SubscriptionOptions
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Flows: subscriptions, MONITOR, streams; and the cache. */
class FlowsTest(server: ServerUnderTest) : OnEveryServer(server) {
  @Test
  fun subscribe_confirmsThenDelivers_andStopsWhenCancelled(): Unit = runBlocking {
    val events = CopyOnWriteArrayList<SubscriptionEvent>()
    val listening = launch { redis.subscribe("news", "weather").collect { events += it } }
    while (events.count { it is SubscriptionEvent.Confirmed } < 2) yield()
    assertThat(redis.publish("news", "hello")).isEqualTo(1)
    while (events.size < 3) yield()
    assertThat((events[2] as SubscriptionEvent.Message).text()).isEqualTo("hello")
    listening.cancelAndJoin()
    while (redis.publish("news", "anybody?") > 0) yield()
    assertThat(events).hasSize(3)
  }

  @Test
  fun psubscribe_reportsTheMatchingPattern(): Unit = runBlocking {
    val message =
      redis
        .psubscribe("n*")
        .onEach { if (it is SubscriptionEvent.Confirmed) launch { redis.publish("news", "hello") } }
        .filterIsInstance<SubscriptionEvent.Message>()
        .first()
    assertThat(message.pattern()).isEqualTo("n*")
    assertThat(message.channel()).isEqualTo("news")
  }

  @Test
  fun ssubscribe_receivesFromShardChannels(): Unit = runBlocking {
    val message =
      redis
        .ssubscribe("s", how = SubscriptionOptions.ofBuffer(10))
        .onEach { if (it is SubscriptionEvent.Confirmed) launch { redis.spublish("s", "hello") } }
        .filterIsInstance<SubscriptionEvent.Message>()
        .first()
    assertThat(message.text()).isEqualTo("hello")
  }

  @Test
  fun monitor_showsCommandsOfOtherClients(): Unit = runBlocking {
    val line =
      redis
        .monitor()
        .onEach { if (it is SubscriptionEvent.Confirmed) launch { redis.set("k", "seen") } }
        .filterIsInstance<SubscriptionEvent.Message>()
        .first { "seen" in it.text() }
    assertThat(line.text()).contains("\"k\"")
  }

  @Test
  fun entries_arriveAsTheyAreAdded(): Unit = runBlocking {
    redis.xadd("orders", "1-1", "item", "tea")
    val items =
      redis
        .entries("orders")
        .onEach { if (it.id() == "1-1") launch { redis.xadd("orders", "2-1", "item", "milk") } }
        .map { it.fields()["item"] }
        .take(2)
        .toList()
    assertThat(items).containsExactly("tea", "milk")
  }

  @Test
  fun entries_inAGroup_beginWithPendingOnes(): Unit = runBlocking {
    redis.xadd("orders", "1-1", "item", "tea")
    redis.xgroupCreate("orders", "shop", "0")
    val taken = redis.entries("orders") { group("shop", "worker") }.first()
    assertThat(taken.id()).isEqualTo("1-1") // it is not acknowledged
    val again = redis.entries("orders") { group("shop", "worker").pageMax(10) }.first()
    assertThat(again).isEqualTo(taken)
    assertThat(redis.xack("orders", "shop", again.id())).isEqualTo(1)
  }

  @Test
  fun cache_sendsOneCommandUntilTheKeyChanges(): Unit = runBlocking {
    redis.set("k", "1")
    redis.cache(1.minutes, 1 shl 20).use { cache ->
      assertThat(cache.get("k")).isEqualTo("1")
      assertThat(cache.get("k")).isEqualTo("1")
      assertThat(cache.underlying.hits()).isEqualTo(1)
      redis.set("k", "2")
      while (cache.get("k") == "1") yield()
      assertThat(cache.get("k")).isEqualTo("2")
    }
  }

  @Test
  fun consume_createsTheGroup_acknowledges_andRetriesFailures(): Unit = runBlocking {
    redis.xadd("orders", "1-1", "item", "tea")
    val tried = CopyOnWriteArrayList<String>()
    val work = launch {
      redis.consume("orders", "shop", "worker", retryAfter = 50.milliseconds) { order ->
        yield()
        tried += order.id()
        check(tried.size > 1) { "on purpose" }
      }
    }
    while (tried.size < 2) yield()
    assertThat(tried).containsExactly("1-1", "1-1")
    while (redis.xpending("orders", "shop").count() > 0) yield()
    redis.xadd("orders", "2-1", "item", "milk")
    while (tried.size < 3) yield()
    assertThat(work.isActive).isTrue()
    work.cancelAndJoin()
    redis.xadd("orders", "3-1", "item", "rum")
    assertThat(tried).containsExactly("1-1", "1-1", "2-1")
  }

  @Test
  fun consume_cancelledInItsHandler_doesNotAcknowledge(): Unit = runBlocking {
    redis.xadd("orders", "1-1", "item", "tea")
    val begun = CompletableDeferred<Unit>()
    val work = launch {
      redis.consume("orders", "shop", "worker") {
        begun.complete(Unit)
        awaitCancellation()
      }
    }
    begun.await()
    work.cancelAndJoin()
    assertThat(redis.xpending("orders", "shop").count()).isEqualTo(1)
  }

  @Test
  fun consume_keyOfAnotherType_fails(): Unit = runBlocking {
    redis.set("orders", "no stream")
    val failure =
      assertThrows<ServerErrorException> { redis.consume("orders", "shop", "worker") {} }
    assertThat(failure.code()).isEqualTo("WRONGTYPE")
  }
}
