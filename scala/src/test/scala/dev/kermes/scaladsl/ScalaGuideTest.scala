package dev.kermes.scaladsl

import dev.kermes.client.{
  Command,
  CommandObserver,
  ConnectionLostException,
  CredentialsProvider,
  RedisOptions,
  ScanOptions,
  Script,
  ServerErrorException,
  SubscriptionEvent
}
import dev.kermes.events.PayloadTypes
import dev.kermes.events.schedule.{Missed, Schedule}
import dev.kermes.reactor.Retry
import dev.kermes.scaladsl.events.*
import dev.kermes.server.RedisServer
import java.nio.file.{Files, Path}
import java.time.ZoneId
import java.util.concurrent.{CompletableFuture, ConcurrentLinkedQueue}
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.{AfterEach, Test, Timeout}
import scala.concurrent.{Await, Future, Promise}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.*
import scala.jdk.CollectionConverters.*
import scala.util.{Success, Try, Using}

/** The code of docs/scala.md. What stands between `// guide: name` and `// end` is the guide's block under that name, to
  * the letter; the last test compares them.
  */
@Timeout(60)
class ScalaGuideTest:
  private val server = RedisServer.start()
  private val url = server.url
  private val redis = Redis.open(url)

  @AfterEach
  def close(): Unit =
    redis.close()
    server.close()

  @Test
  def start(): Unit =
    // guide: start
    Using.resource(Redis.open(url)) { redis => // redis://localhost, for instance
      val greeting: Future[Option[String]] =
        for
          _ <- redis.set("greeting", "hello")
          greeting <- redis.get("greeting")
        yield greeting
      assertThat(Await.result(greeting, 10.seconds)).isEqualTo(Some("hello"))
    }
    // end

  @Test
  def futures(): Unit =
    // guide: futures
    val visits: Future[Long] =
      redis.set("visits", "41", _.ex(60).nx()).flatMap(_ => redis.incr("visits"))
    // end
    assertThat(visits.get).isEqualTo(42)

  @Test
  def names(): Unit =
    // guide: names
    val best: Future[Seq[(String, Double)]] =
      for
        _ <- redis.zadd("board", "ada" -> 120.0)
        _ <- redis.expire("board", 30.minutes)
        best <- redis.zrangeWithscores("board", 0, 9, _.rev())
      yield best

    val jobs: Future[Map[String, Seq[StreamEntry[String, String]]]] =
      for
        _ <- redis.xgroupCreate("jobs", "crawlers", "0", _.mkstream())
        _ <- redis.xadd("jobs", "*", "page", "1")
        jobs <- redis.xreadgroup("crawlers", "c1", "jobs", ">")
      yield jobs
    // end
    assertThat(best.get).isEqualTo(Seq("ada" -> 120.0))
    assertThat(jobs.get.apply("jobs").map(_.fields)).isEqualTo(Seq(Map("page" -> "1")))

  @Test
  def batch(): Unit =
    // guide: batch
    val c = redis.commands
    val visit: Command[Long] = c.incr("visits") // a value: nothing is sent yet

    val replies: Future[(Try[Long], Try[Option[String]], Try[Long])] =
      redis.batch((visit, c.get("absent"), c.lpush("visits", "x")))
    // end
    val (one, nothing, failed) = replies.get
    assertThat(one).isEqualTo(Success(1L))
    assertThat(nothing).isEqualTo(Success(None))
    assertThat(failed.isFailure).isTrue

  @Test
  def outcomes(): Unit =
    redis.set("text", "no number").get
    // guide: outcomes
    val told: Future[String] =
      redis.get("absent").flatMap {
        case Some(value) => Future.successful(value)
        case None           => redis.incr("text").map(_.toString) // nil is None
      }.recover {
        case error: ServerErrorException   => error.code // the server said no
        case lost: ConnectionLostException => if lost.mayHaveExecuted then "perhaps" else "no"
      }
    // end
    assertThat(told.get).isEqualTo("ERR")

  @Test
  def codecs(): Unit =
    // guide: codecs
    case class User(name: String, age: Int)
    given RedisCodec[User] = RedisCodec.of[String].imap { line =>
      val (name, age) = line.splitAt(line.indexOf(' '))
      User(name, age.trim.toInt)
    }(user => s"${user.name} ${user.age}")

    val users: Redis[Int, User] = redis.as[Int, User]
    val ann: Future[Option[User]] = users.set(1, User("Ann", 7)).flatMap(_ => users.get(1))
    // end
    assertThat(ann.get).isEqualTo(Some(User("Ann", 7)))

  @Test
  def waiting(): Unit =
    // guide: waiting
    val job: Future[Option[(String, String)]] = redis.blpop("jobs", 30)
    redis.rpush("jobs", "first") // is not held up: BLPOP has a connection of its own
    // end
    assertThat(job.get).isEqualTo(Some("jobs" -> "first"))

  @Test
  def transaction(): Unit =
    // guide: transaction
    val c = redis.commands
    val moved: Future[Option[(Try[Long], Try[Long])]] =
      redis.transaction((c.decrby("ann", 5), c.incrby("bob", 5))) // None when it was aborted

    val doubled = moved.flatMap { _ =>
      redis.watch("bob") { connection =>
        for n <- connection.get("bob") // reads on the connection that watches
        yield Seq(c.set("bob", s"${2 * n.get.toLong}"))
      }
    }
    // end
    assertThat(moved.get).isEqualTo(Some((Success(-5L), Success(5L))))
    assertThat(doubled.get.isDefined).isTrue
    assertThat(redis.get("bob").get).isEqualTo(Some("10"))

  @Test
  def script(): Unit =
    // guide: script
    val add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Decoders.integer)
    val sum: Future[Long] = redis.run(add, Seq("n"), Seq("5")) // EVALSHA; EVAL the first time
    // end
    assertThat(sum.get).isEqualTo(5)

  @Test
  def pubSub(): Unit =
    val heard = ConcurrentLinkedQueue[String]()
    // guide: pubsub
    val news = redis.subscribe("news")
    news.confirmed.foreach(_ => redis.publish("news", "hello")) // from here on nothing is missed
    val reading = news.events.foreach {
      case message: SubscriptionEvent.Message => heard.add(message.text)
      case _: SubscriptionEvent.Lost          => heard.add("a gap begins")
      case _: SubscriptionEvent.Resumed       => heard.add("and ends")
      case dropped: SubscriptionEvent.Dropped => heard.add(s"too slow for ${dropped.count}")
      case _                                  => () // confirmed, refused
    }
    // end
    eventually(!heard.isEmpty)
    reading.cancel()
    assertThat(heard.asScala.toSeq).isEqualTo(Seq("hello"))

  @Test
  def streams(): Unit =
    redis.xadd("orders", "1-1", Map("item" -> "tea")).get
    val done = ConcurrentLinkedQueue[String]()
    // guide: streams
    val work = redis.consume("orders", "shop", "worker-1") { order =>
      redis.incr("sold:" + order.fields("item")).map(_ => done.add(order.id))
    }
    // end
    eventually(!done.isEmpty)
    work.close()
    assertThat(done.asScala.toSeq).isEqualTo(Seq("1-1"))

  @Test
  def scans(): Unit =
    redis.mset(Map("user:1" -> "Ann", "user:2" -> "Bob", "other" -> "x")).get
    // guide: scans
    val users: Future[Int] =
      redis.scan(ScanOptions().pattern("user:*").count(100)).fold(0)((sum, _) => sum + 1)
    // end
    assertThat(users.get).isEqualTo(2)

  @Test
  def cache(): Unit =
    redis.set("k", "v").get
    // guide: cache
    val cache = redis.cache(1.minute, 16 << 20) // 16 MiB
    val twice =
      for
        _ <- cache.get("k") // asks the server
        v <- cache.get("k") // does not, until k changes
      yield v
    // end
    assertThat(twice.get).isEqualTo(Some("v"))
    assertThat(cache.underlying.hits).isEqualTo(1)

  @Test
  def limits(): Unit =
    // guide: limits
    val redis = Redis.open(
      url,
      _.commandTimeout(2.seconds).queueMax(10_000).overflow(RedisOptions.Overflow.FAIL)
    )
    val keys = redis.send(redis.commands.keys("*").withTimeout(30.seconds))
    // end
    assertThat(keys.get).isEqualTo(Seq.empty)
    redis.close()

  @Test
  def observer(): Unit =
    val log = ConcurrentLinkedQueue[String]()
    // guide: observer
    val logging: CommandObserver = command =>
      val start = System.nanoTime
      (node, _) => log.add(s"$command took ${System.nanoTime - start} ns at $node")
    val observed = Redis.open(url, _.observer(logging))
    // end
    observed.ping().get
    observed.close()
    assertThat(log.peek).startsWith("PING took ")

  @Test
  def credentials(): Unit =
    redis.configSet("requirepass", "secret").get
    // guide: credentials
    val vault: CredentialsProvider =
      () => CompletableFuture.supplyAsync(() => CredentialsProvider.Credentials(null, "secret"))
    val trusting = Redis.open(url, _.credentials(vault))
    val again = trusting.ping().flatMap(_ => trusting.reauthenticate()) // when the vault has another one
    // end
    again.get
    trusting.close()
    assertThat(redis.info("commandstats").get).contains("cmdstat_auth:", "cmdstat_ping:")

  // ---- topics

  @Test
  def topics(): Unit =
    val shipped = Promise[String]()
    // guide: topics
    val events = Events.open(redis, _.group("billing").lease(20.seconds))
    val often = Retry.times(8).backoff(100.millis, 10.seconds)
    events.on[String]("orders/{id}", _.named("shipping").retry(often)) { event =>
      redis.set("order:" + event.param("id"), event.payload).map(_ => shipped.success(event.param("id")))
    }
    val emitted: Future[String] =
      for
        orders <- events.topic("orders")
        id <- events.emit("orders/42", "two books", _.header("trace", "7f").within(5.minutes))
        letters <- orders.deadLetters()
        _ <- Future.traverse(letters)(orders.replay) // or drop
      yield id
    // end
    assertThat(shipped.future.get).isEqualTo("42")
    emitted.get
    events.close()

  @Test
  def payloads(): Unit =
    val done = Promise[Int]()
    // guide: payloads
    case class Order(count: Int)
    given RedisCodec[Order] = RedisCodec.of[Int].imap(Order(_))(_.count)
    val types = PayloadTypes.standard.and[Order]("order")
    val events = Events.open(redis, _.group("billing").payloads(types))
    events.on[Order]("orders/{id}")(event => Future(done.success(event.payload.count)))
    val emitted = events.topic("orders").flatMap(_ => events ! "orders/42" -> Order(2))
    // end
    emitted.get
    assertThat(done.future.get).isEqualTo(2)
    events.close()

  @Test
  def topicSource(): Unit =
    val stored = ConcurrentLinkedQueue[String]()
    // guide: topicSource
    val events = Events.open(redis, _.group("audit"))
    val reading = events.source[String]("payments").foreach { held =>
      stored.add(held.event.payload)
      held.ack() // the next event of the key follows
    }
    // end
    events.emit("payments/7", "12 EUR").get
    eventually(!stored.isEmpty)
    reading.cancel()
    events.close()

  @Test
  def schedules(): Unit =
    // guide: schedules
    val events = Events.open(redis, _.group("reports"))
    val mornings = Schedule.cron("0 6 * * MON-FRI", ZoneId.of("Europe/Berlin"))
    val scheduled =
      for
        _ <- events.schedule("reports/daily", mornings, "all shops")
        _ <- events.schedule("reports/tick", every(1.second), "", Missed.SKIP)
        _ <- events.unschedule("reports/tick")
      yield ()
    // end
    scheduled.get
    events.close()

  @Test
  def calls(): Unit =
    // guide: calls
    val events = Events.open(redis)
    events.on[String]("prices/{item}")(event => Future(event.reply("12 EUR for " + event.payload)))
    val price: Future[String] =
      events.answer("prices").flatMap(_ => events.call[String]("prices/book", "Ann", 1.second))
    // end
    assertThat(price.get).isEqualTo("12 EUR for Ann")
    events.close()

  // ---- the guide itself

  @Test
  def guide_saysWhatIsTestedHere(): Unit =
    val tested = regions(Files.readString(Path.of("src/test/scala/dev/kermes/scaladsl/ScalaGuideTest.scala")))
    assertThat(tested.size).isGreaterThan(10)
    assertThat(blocks(Files.readString(Path.of("../docs/scala.md")))).isEqualTo(tested)

  private def regions(source: String): Map[String, String] =
    "(?ms)^ *// guide: (\\S+)\n(.*?)^ *// end$".r
      .findAllMatchIn(source)
      .map(region => region.group(1) -> (region.group(2).stripTrailing.stripIndent + "\n"))
      .toMap

  /** Every block of Scala must have a name. */
  private def blocks(guide: String): Map[String, String] =
    "(?ms)^(?:<!-- (\\S+) -->\n)?```scala\n(.*?)^```$".r
      .findAllMatchIn(guide)
      .map(block => String.valueOf(block.group(1)) -> block.group(2))
      .toMap
