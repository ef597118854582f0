package dev.kermes.scaladsl

import dev.kermes.client.{ScanOptions, SubscriptionEvent, SubscriptionOptions}
import java.util.concurrent.ConcurrentLinkedQueue
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{AfterEach, BeforeEach, Test, Timeout}
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource
import scala.concurrent.Future
import scala.concurrent.duration.*
import scala.jdk.CollectionConverters.*
import scala.util.Using

/** Sources: scans, subscriptions, MONITOR, streams; and the cache. */
@Timeout(60)
@ParameterizedClass
@EnumSource(classOf[ServerUnderTest])
class SourcesTest(server: ServerUnderTest):
  private val redis = Redis.open(server.url)

  @BeforeEach
  def empty(): Unit = redis.flushall().get

  @AfterEach
  def close(): Unit = redis.close()

  @Test
  def scans_findAllElements(): Unit =
    redis.mset((1 to 500).map(n => s"user:$n" -> "v").toMap).get
    redis.set("other", "v").get
    val users = redis.scan(ScanOptions().pattern("user:*").count(50)).toSeq.get
    assertThat(users.toSet).isEqualTo((1 to 500).map(n => s"user:$n").toSet)
    val fields = (1 to 500).map(n => s"f$n" -> s"$n").toMap
    redis.hset("h", fields).get
    assertThat(redis.hscan("h").toSeq.get.toMap).isEqualTo(fields)
    redis.sadd("s", fields.keys.toSeq*).get
    assertThat(redis.sscan("s").fold(Set.empty[String])(_ + _).get).isEqualTo(fields.keySet)
    redis.zadd("z", "two" -> 2.0).get
    assertThat(redis.zscan("z").toSeq.get).isEqualTo(Seq("two" -> 2.0))

  @Test
  def reader_throws_endsWithTheException_andStopsReading(): Unit =
    redis.mset((1 to 100).map(n => s"k$n" -> "v").toMap).get
    var read = 0
    val reading = redis.scan().foreach { _ =>
      read += 1
      throw IllegalStateException("enough")
    }
    assertThatThrownBy(() => reading.done.get).hasMessage("enough")
    assertThat(read).isEqualTo(1)

  @Test
  def subscribe_confirmsThenDelivers_andStopsWhenCancelled(): Unit =
    val heard = ConcurrentLinkedQueue[String]()
    val news = redis.subscribe("news", "weather").confirmed.get
    val reading = news.events.foreach {
      case message: SubscriptionEvent.Message => heard.add(message.text)
      case _                                  => ()
    }
    assertThat(redis.publish("news", "hello").get).isEqualTo(1)
    eventually(heard.asScala.toSeq == Seq("hello"))
    reading.cancel()
    eventually(redis.publish("news", "anybody?").get == 0)
    assertThat(heard.asScala.toSeq).isEqualTo(Seq("hello"))
    assertThat(news.dropped).isZero

  @Test
  def psubscribeAndSsubscribe_deliver(): Unit =
    Using.resources(redis.psubscribe("n*"), redis.ssubscribe(Seq("s"), SubscriptionOptions.ofBuffer(10))) {
      (patterns, shards) =>
        patterns.confirmed.get
        shards.confirmed.get
        redis.publish("news", "hello").get
        redis.spublish("s", "shard").get
        assertThat(firstMessage(patterns).pattern).isEqualTo("n*")
        assertThat(firstMessage(shards).text).isEqualTo("shard")
    }

  @Test
  def monitor_showsCommandsOfOtherClients(): Unit =
    Using.resource(redis.monitor().confirmed.get) { commands =>
      redis.set("k", "seen").get
      assertThat(firstMessage(commands).text).contains("\"k\"")
    }

  private def firstMessage(subscription: Subscription): SubscriptionEvent.Message =
    Iterator
      .continually(subscription.underlying.take())
      .collectFirst { case message: SubscriptionEvent.Message => message }
      .get

  @Test
  def entries_arriveAsTheyAreAdded_afterPendingOnes(): Unit =
    val taken = ConcurrentLinkedQueue[StreamEntry[String, String]]()
    redis.xadd("orders", "1-1", Map("item" -> "tea")).get
    redis.xgroupCreate("orders", "shop", "0").get
    val first = redis.entries("orders", _.as("shop", "worker")).foreach(taken.add)
    eventually(taken.size == 1)
    redis.xadd("orders", "2-1", Map("item" -> "milk")).get
    eventually(taken.size == 2)
    first.cancel()
    val second = redis.entries("orders", _.as("shop", "worker")).foreach(taken.add)
    eventually(taken.size == 4) // none of them is acknowledged
    second.cancel()
    assertThat(taken.asScala.map(_.fields("item")).toSeq).isEqualTo(Seq("tea", "milk", "tea", "milk"))

  @Test
  def consume_createsTheGroup_acknowledges_andRetriesFailures(): Unit =
    val tried = ConcurrentLinkedQueue[String]()
    val worker = redis.consume("orders", "shop", "worker", retryAfter = 50.millis) { order =>
      tried.add(order.id)
      if tried.size == 1 then Future.failed(IllegalStateException("on purpose"))
      else redis.incr(order.fields("item"))
    }
    redis.xadd("orders", "1-1", Map("item" -> "tea")).get
    eventually(tried.size == 2)
    redis.xadd("orders", "2-1", Map("item" -> "milk")).get
    eventually(tried.asScala.toSeq == Seq("1-1", "1-1", "2-1"))
    assertThat(worker.done.isCompleted).isFalse
    worker.close()
    worker.done.get
    assertThat(redis.xpending("orders", "shop").get.count).isZero
    assertThat(redis.mget("tea", "milk").get).isEqualTo(Seq(Some("1"), Some("1")))

  @Test
  def consume_keyOfAnotherType_fails(): Unit =
    redis.set("orders", "no stream").get
    val worker = redis.consume("orders", "shop", "worker", how = _.after("$"))(_ => Future.unit)
    assertThatThrownBy(() => worker.done.get).hasMessageStartingWith("WRONGTYPE")

  @Test
  def cache_sendsOneCommandUntilTheKeyChanges(): Unit =
    redis.set("k", "1").get
    Using.resource(redis.cache(1.minute, 1 << 20)) { cache =>
      assertThat(cache.get("k").get).isEqualTo(Some("1"))
      assertThat(cache.get("k").get).isEqualTo(Some("1"))
      assertThat(cache.underlying.hits).isEqualTo(1)
      redis.set("k", "2").get
      eventually(cache.get("k").get.contains("2"))
    }
