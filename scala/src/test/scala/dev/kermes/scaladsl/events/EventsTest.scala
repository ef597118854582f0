package dev.kermes.scaladsl.events

import dev.kermes.client.SubscriptionEvent
import dev.kermes.events.schedule.{Missed, Schedule}
import dev.kermes.events.{PayloadTypes, RedisEvents, RemoteFailureException, TopicInspector}
import dev.kermes.reactor.{Event, NoHandlerException, Retry}
import dev.kermes.scaladsl.{Redis, RedisCodec, ServerUnderTest, eventually, get}
import java.time.{Instant, ZoneId}
import java.util.concurrent.{ConcurrentLinkedQueue, TimeoutException}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{AfterEach, BeforeEach, Test, Timeout}
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.*
import scala.concurrent.{Future, Promise}
import scala.jdk.CollectionConverters.*
import scala.util.Using

/** Durable topics, calls and sources from Scala. */
@Timeout(60)
@ParameterizedClass
@EnumSource(classOf[ServerUnderTest])
class EventsTest(server: ServerUnderTest):
  private val redis = Redis.open(server.url)
  private val seen = ConcurrentLinkedQueue[Any]()

  case class Order(book: String, count: Int)

  private given RedisCodec[Order] = RedisCodec
    .of[String]
    .imap { line =>
      val Array(count, book) = line.split(" ", 2): @unchecked
      Order(book, count.toInt)
    }(order => s"${order.count} ${order.book}")

  @BeforeEach
  def empty(): Unit = redis.flushall().get

  @AfterEach
  def close(): Unit = redis.close()

  private def withEvents(how: RedisEvents.Builder => RedisEvents.Builder)(body: Events => Unit): Unit =
    Using.resource(Events.open(redis, builder => how(builder.partitions(4)))) { events =>
      events.reactor.onError((_, _) => ())
      body(events)
    }

  private def billing(body: Events => Unit): Unit = withEvents(_.group("billing"))(body)

  @Test
  def emit_isHandledWithItsMetadata(): Unit = billing { events =>
    val handled = Promise[Event[String]]()
    events.on[String]("orders/{id}")(event => Future.successful(handled.success(event)))
    events.topic("orders").get
    val id = events.emit("orders/42", "two books", _.header("trace", "7f").within(1.minute)).get
    val event = handled.future.get
    assertThat(event.param("id") + event.payload).isEqualTo("42two books")
    assertThat(event.meta.id).isEqualTo(id)
    assertThat(event.meta.header("trace")).isEqualTo("7f")
    assertThat(event.meta.hasDeadline).isTrue
  }

  @Test
  def emit_withAnId_isStoredOnce(): Unit = billing { events =>
    def ids = events.emit("orders/42", "x", _.id("o-42").idKept(1.hour)).get
    assertThat(ids).isEqualTo(ids)
    assertThat(events.emit("orders/42", "later", _.delay(2.hours)).get).isNotEqualTo(ids)
  }

  @Test
  def payloads_haveTheirCodec(): Unit =
    withEvents(_.group("billing").payloads(PayloadTypes.standard.and[Order]("order"))) { events =>
      events.on[Order]("orders/{id}")(event => Future(seen.add(event.payload)))
      events.topic("orders").get
      (events ! "orders/42" -> Order("Emma", 2)).get
      eventually(seen.asScala.toSeq == Seq(Order("Emma", 2)))
    }

  @Test
  def handler_ofFutures_keepsTheOrderOfEachKey(): Unit = billing { events =>
    events.on[String]("orders/{id}") { event =>
      redis.incr(event.param("id")).map(count => seen.add((event.param("id"), event.payload, count)))
    }
    events.topic("orders").get
    for i <- 1 to 20; key <- Seq("a", "b") do events.emit(s"orders/$key", s"$i").get
    eventually(seen.size == 40)
    for key <- Seq("a", "b") do
      val own = seen.asScala.collect { case (`key`, payload, count) => (payload, count) }.toSeq
      assertThat(own).isEqualTo((1 to 20).map(i => (s"$i", i.toLong)))
  }

  @Test
  def handler_failing_isRetriedAndThenADeadLetter(): Unit = billing { events =>
    val shipping =
      events.on[String]("orders/{id}", _.named("shipping").retry(Retry.times(1).backoff(1.milli, 1.milli))) { event =>
        seen.add(event.meta.attempt)
        Future.failed(IllegalStateException("no stock"))
      }
    val topic = events.topic("orders").get
    events.emit("orders/13", "x").get
    eventually(topic.deadLetters().get.nonEmpty)
    val letter = topic.deadLetters(1).get.head
    assertThat(letter.key -> letter.handlers.asScala.toSeq).isEqualTo("orders/13" -> Seq(shipping.name))
    assertThat(topic.replay(letter).get).isTrue
    eventually(seen.asScala.toSeq == Seq(1, 2, 1, 2))
    eventually(topic.deadLetters().get.nonEmpty)
    assertThat(topic.drop(topic.deadLetters().get.head).get).isTrue
    assertThat(topic.deadLetters().get.isEmpty).isTrue
  }

  @Test
  def handler_failing_parksItsKey(): Unit =
    withEvents(_.group("billing").parking(24.hours, _.backoff(1.hour, 1.hour))) { events =>
      events.on[String]("orders/*")(_ => Future.failed(IllegalStateException("no stock")))
      val topic = events.topic("orders").get
      events.emit("orders/13", "x").get
      eventually(topic.parked().get.nonEmpty)
      assertThat(topic.parked().get.map(_.key)).isEqualTo(Seq("orders/13"))
    }

  @Test
  def schedule_emitsAtEachTimeUntilItIsEnded(): Unit = billing { events =>
    val times = ConcurrentLinkedQueue[Instant]()
    events.on[String]("ticks/*")(event => Future(times.add(Instant.parse(event.meta.header("scheduled")))))
    events.topic("ticks").get
    events.schedule("ticks/a", every(50.millis), "x").get
    eventually(times.size > 2)
    assertThat(times.asScala.forall(_.toEpochMilli % 50 == 0)).isTrue
    events.unschedule("ticks/a").get
    assertThat(redis.keys("*:schedules").get.isEmpty).isTrue
    events.schedule("ticks/b", Schedule.cron("0 6 * * *", ZoneId.of("UTC")), "x", Missed.EACH).get
    events.schedule("ticks/c", _.plusSeconds(3600), "x").get
    eventually(redis.keys("*:schedules").get.flatMap(redis.hkeys(_).get).toSet == Set("b", "c"))
  }

  @Test
  def source_holdsTheKeyOfEachEventUntilItIsAcknowledged(): Unit = billing { events =>
    val held = ConcurrentLinkedQueue[Held[String]]()
    def payloads = held.asScala.toSeq.map(_.event.payload)
    for payload <- Seq("a1", "a2"); key <- Seq("x", "y") do events.emit(s"orders/$key", payload + key).get
    val reading = events.source[String]("orders").foreach(held.add(_))
    eventually(payloads.toSet == Set("a1x", "a1y"))
    assertThat(held.peek.ack()).isTrue
    assertThat(held.peek.ack()).isFalse
    val second = held.peek.event.payload.replace("1", "2")
    eventually(payloads.toSet == Set("a1x", "a1y", second))
    reading.cancel()
    val others = ConcurrentLinkedQueue[String]()
    val again = events.source[String]("orders").foreach { event =>
      others.add(event.event.payload)
      event.ack()
    }
    eventually(others.size == 3)
    assertThat(others.asScala.toSet).isEqualTo(Set("a1x", "a1y", "a2x", "a2y") - held.peek.event.payload)
    again.cancel()
  }

  @Test
  def source_whoseReaderThrows_leavesTheEventToTheNextOwner(): Unit = billing { events =>
    events.emit("orders/42", "x").get
    val reading = events.source[String]("orders").foreach(_ => throw IllegalStateException("full"))
    assertThatThrownBy(() => reading.done.get).hasMessage("full")
    assertThat(TopicInspector.of(redis.underlying).deadLetters("orders", "billing").list(1).isEmpty).isTrue
    val again = events.source[String]("orders").foreach { held =>
      seen.add(held.event.payload)
      held.ack()
    }
    eventually(seen.asScala.toSeq == Seq("x"))
    again.cancel()
  }

  @Test
  def source_endsWhenTheEventsAreClosed(): Unit = billing { events =>
    events.emit("orders/42", "x").get
    val reading = events.source[String]("orders").foreach { held =>
      held.ack()
      seen.add(held.event.payload)
    }
    eventually(seen.size == 1)
    assertThat(events.close(20.seconds).get).isZero
    reading.done.get
  }

  @Test
  def source_ofATopicThatCannotBeOpened_fails(): Unit = withEvents(identity) { events =>
    val reading = events.source[String]("orders").foreach(_ => ())
    assertThatThrownBy(() => reading.done.get).hasMessageContaining("no group")
  }

  @Test
  def topic_ofOneMember_ownsAllPartitions(): Unit = billing { events =>
    val topic = events.topic("orders", _.onAcquired((partition, _) => seen.add(partition.intValue))).get
    eventually(topic.mine == Set(0, 1, 2, 3))
    assertThat(seen.asScala.toSet).isEqualTo(Set(0, 1, 2, 3))
    assertThat(topic.name -> topic.partitions).isEqualTo("orders" -> 4)
    assertThat(topic.mine.contains(topic.partition("42")) && topic.isMine("42") && topic.health.isUp).isTrue
    assertThat(topic.owner("42").get).isEqualTo(Some(events.underlying.member))
    assertThat(topic.close().get).isZero
    assertThat(topic.owner("42").get).isEqualTo(None)
  }

  @Test
  def call_isAnsweredOrFails(): Unit = billing { events =>
    events.on[String]("prices/{item}") { event =>
      event.param("item") match
        case "book" => Future(event.reply(s"12 EUR for ${event.payload}, ${event.meta.token > 0}"))
        case "late" => Future.never
        case _      => Future.failed(IllegalArgumentException("unknown"))
    }
    assertThatThrownBy(() => events.call[String]("prices/book", "Jo").get).isInstanceOf(classOf[NoHandlerException])
    events.answer("prices").get
    assertThat(events.call[String]("prices/book", "Jo").get).isEqualTo("12 EUR for Jo, false")
    assertThatThrownBy(() => events.call[String]("prices/x", "Jo").get).isInstanceOf(classOf[RemoteFailureException])
    assertThatThrownBy(() => events.call[String]("prices/late", "Jo", 50.millis).get)
      .isInstanceOf(classOf[TimeoutException])
    val topic = events.topic("prices").get
    eventually(topic.isMine("book"))
    assertThat(events.callOwner[String]("prices/book", "Jo").get).isEqualTo("12 EUR for Jo, true")
    assertThat(events.close(0.seconds).get).isZero
  }

  @Test
  def sources_bringTheirEvents(): Unit = withEvents(identity) { events =>
    redis.configSet("notify-keyspace-events", "KEA").get
    val gaps = ConcurrentLinkedQueue[SubscriptionEvent]()
    events.on[String]("channel/{name}")(event => Future(seen.add(event.param("name") -> event.payload)))
    events.on[String]("keyspace/del/{key}")(event => Future(seen.add(event.payload)))
    events.on[java.util.Map[?, ?]]("stream/log")(event => Future(seen.add(event.payload.asScala.toMap)))
    events.channels(Seq("news"), _.onGap(gaps.add(_)))
    events.patterns(Seq("sport.*"), _.onGap(gaps.add(_)))
    events.shards(Seq("shard"), _.onGap(gaps.add(_)))
    events.keyspace(Seq("del"), _.onGap(gaps.add(_)))
    events.stream("log", "billing", "b1", _.workers(2).retryAfter(1.hour))
    eventually(gaps.size == 4)
    redis.publish("news", "n").get
    redis.publish("sport.1", "s").get
    redis.spublish("shard", "h").get
    redis.set("k", "v").get
    redis.del("k").get
    redis.xadd("log", "*", "level", "info").get
    val expected = Set("news" -> "n", "sport.1" -> "s", "shard" -> "h", "k", Map("level" -> "info"))
    eventually(seen.asScala.toSet == expected)
    redis.configSet("notify-keyspace-events", "").get
  }
