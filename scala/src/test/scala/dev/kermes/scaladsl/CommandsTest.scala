package dev.kermes.scaladsl

import dev.kermes.client.{Codec, Command, ListSide, Script, ServerErrorException, SetOptions, SintercardOptions}
import java.util.concurrent.atomic.AtomicInteger
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{AfterEach, BeforeEach, Test, Timeout}
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.Future
import scala.concurrent.duration.DurationInt
import scala.util.{Failure, Success}

@Timeout(60)
@ParameterizedClass
@EnumSource(classOf[ServerUnderTest])
class CommandsTest(server: ServerUnderTest):
  private val redis = Redis.open(server.url)
  private val c = redis.commands

  @BeforeEach
  def empty(): Unit = redis.flushall().get

  @AfterEach
  def close(): Unit = redis.close()

  @Test
  def nil_isNone(): Unit =
    val nothing: Option[String] = redis.get("missing").get
    assertThat(nothing).isEqualTo(None)
    redis.set("k", "").get
    assertThat(redis.get("k").get).isEqualTo(Some(""))
    val length: Long = redis.strlen("k").get
    assertThat(length).isZero
    assertThat(redis.mget("k", "missing").get).isEqualTo(Seq(Some(""), None))
    assertThat(redis.blpop("missing", 0.01).get).isEqualTo(None)

  @Test
  def serverError_failsTheFuture(): Unit =
    redis.set("k", "text").get
    assertThatThrownBy(() => redis.lpush("k", "x").get)
      .isInstanceOfSatisfying(classOf[ServerErrorException], e => assertThat(e.code).isEqualTo("WRONGTYPE"))

  @Test
  def options_areTheLastArgument(): Unit =
    assertThat(redis.set("k", "1", SetOptions().ex(60).nx()).get).isEqualTo(Some("OK"))
    assertThat(redis.set("d", "1", SetOptions().ex(2.minutes).nx()).get).isEqualTo(Some("OK"))
    assertThat(redis.ttl("d").get).isBetween(100L, 120L)
    assertThat(redis.getex("d", _.ex(3.minutes)).get).isEqualTo(Some("1"))
    assertThat(redis.ttl("d").get).isBetween(160L, 180L)
    assertThat(redis.set("k", "2", _.nx()).get).isEqualTo(None)
    assertThat(redis.ttl("k").get).isBetween(1L, 60L)
    redis.sadd("s", "a", "b", "c").get
    redis.sadd("t", Seq("b", "c")*).get
    assertThat(redis.sintercard("s", "t").get).isEqualTo(2)
    assertThat(redis.sintercard(Seq("s", "t"), SintercardOptions().limit(1)).get).isEqualTo(1)

  @Test
  def argumentsAndReplies_areScalaCollections(): Unit =
    redis.hset("h", Map("a" -> "1", "b" -> "2")).get
    assertThat(redis.hgetall("h").get).isEqualTo(Map("a" -> "1", "b" -> "2"))
    redis.rpush("l", "x", "y", "z").get
    assertThat(redis.blpop("l", 1).get).isEqualTo(Some("l" -> "x"))
    assertThat(redis.lmove("l", "m", ListSide.RIGHT, ListSide.LEFT).get).isEqualTo(Some("z"))
    redis.zadd("z", "two" -> 2.0, "one" -> 1.5).get
    redis.zadd("z", 3, "three").get
    assertThat(redis.zrangeWithscores("z", "0", "-1").get)
      .isEqualTo(Seq("one" -> 1.5, "two" -> 2.0, "three" -> 3.0))
    assertThat(redis.smembers("nothing").get).isEqualTo(Set.empty)
    redis.xadd("x", "1-1", Map("f" -> "v")).get
    assertThat(redis.xrange("x", "-", "+").get).isEqualTo(Seq(StreamEntry("1-1", Map("f" -> "v"))))
    assertThat(redis.scan("0").get).isInstanceOf(classOf[ScanPage[?]])

  @Test
  def maps_keepTheOrderOfTheReply(): Unit =
    val fields = (1 to 50).map(n => s"f$n" -> s"$n")
    redis.xadd("x", "1-1", fields.to(scala.collection.immutable.VectorMap)).get
    assertThat(redis.xrange("x", "-", "+").get.head.fields.toSeq).isEqualTo(fields)

  @Test
  def untypedReplies_arePlainValues_andNilIsNone(): Unit =
    val script = "return {1, 'two', false, {redis.status_reply('OK')}}"
    assertThat(redis.eval(script, Seq.empty).get).isEqualTo(Vector(1L, "two", None, Vector("OK")))
    assertThat(redis.eval("return nil", Seq.empty).get).isEqualTo(None)

  @Test
  def bytes_passUnchanged(): Unit =
    val all = Array.tabulate[Byte](256)(_.toByte)
    val binary = redis.as[Array[Byte], Array[Byte]]
    binary.set(all, all).get
    assertThat(binary.get(all).get.get).isEqualTo(all)
    assertThat(binary.keys("*").get.head).isEqualTo(all)

  @Test
  def codecs_areGivens(): Unit =
    case class User(name: String, age: Int)
    given RedisCodec[User] = RedisCodec
      .of[String]
      .imap { text =>
        val Array(name, age) = text.split(','): @unchecked
        User(name, age.toInt)
      }(user => s"${user.name},${user.age}")
    val users = redis.as[Int, User]
    users.set(1, User("Ann", 7)).get
    assertThat(users.get(1).get).isEqualTo(Some(User("Ann", 7)))
    assertThat(redis.get("1").get).isEqualTo(Some("Ann,7"))
    redis.set("2", "spoilt").get
    assertThatThrownBy(() => users.get(2).get).isInstanceOf(classOf[dev.kermes.client.DecodeException])

  @Test
  def futures_shareOneConnection(): Unit =
    val values = Future.traverse((1 to 1000).toList)(n => redis.set(s"k$n", s"$n").flatMap(_ => redis.get(s"k$n")))
    assertThat(values.get).isEqualTo((1 to 1000).map(n => Some(s"$n")).toList)
    assertThat(redis.clientList().get.linesIterator.size).isLessThan(10)

  @Test
  def batch_isTyped_andErrorsAreElements(): Unit =
    redis.set("text", "x").get
    val (one, failed, nothing) = redis.batch((c.incr("n"), c.incr("text"), c.get("missing"))).get
    val n: Long = one.get
    assertThat(n).isEqualTo(1)
    assertThat(failed).isInstanceOf(classOf[Failure[?]])
    assertThat(nothing).isEqualTo(Success(None))
    assertThat(redis.sendAll(Seq.fill(3)(c.incr("n"))).get.map(_.get)).isEqualTo(Seq(2L, 3L, 4L))

  @Test
  def transaction_repliesTogether_orFailsAsAWhole(): Unit =
    assertThat(redis.transaction((c.incr("n"), c.get("n"))).get).isEqualTo(Some((Success(1L), Success(Some("1")))))
    assertThatThrownBy(() => redis.transaction((c.incr("n"), Command.of("NOSUCHCOMMAND"))).get)
      .isInstanceOf(classOf[ServerErrorException])
    assertThat(redis.get("n").get).isEqualTo(Some("1"))

  @Test
  def transaction_withAChangedKey_isNone(): Unit =
    val aborted = redis.dedicated { own =>
      for
        _ <- own.send(Command.of("WATCH", "k"))
        _ <- redis.set("k", "of another client")
        result <- own.transactAll(Seq(c.set("k", "mine")))
      yield result
    }
    assertThat(aborted.get).isEqualTo(None)
    assertThat(redis.get("k").get).isEqualTo(Some("of another client"))

  @Test
  def dedicated_returnsTheConnection_alsoIfTheBodyFails(): Unit =
    for _ <- 1 to 100 do // more than the maximum
      assertThatThrownBy(() => redis.dedicated[Unit](_ => throw IllegalStateException("no")).get)
        .isInstanceOf(classOf[IllegalStateException])
    assertThat(redis.dedicated(_.ping()).get).isEqualTo("PONG")

  @Test
  def watch_repeatsUntilNoClientInterferes(): Unit =
    val attempts = AtomicInteger()
    redis.set("n", "1").get
    val result = redis.watch("n") { own =>
      for
        n <- own.get("n")
        _ <- if attempts.incrementAndGet() < 3 then redis.incr("n") else Future.unit
      yield Seq(c.set("n", s"${n.get.toLong * 10}"))
    }
    assertThat(result.get).isEqualTo(Some(Seq(Success(Some("OK")))))
    assertThat(attempts).hasValue(3)
    assertThat(redis.get("n").get).isEqualTo(Some("30"))

  @Test
  def run_fallsBackToEval(): Unit =
    redis.scriptFlush().get
    val add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Decoders.integer)
    val sum: Long = redis.run(add, Seq("n"), Seq("5")).get
    assertThat(sum).isEqualTo(5)
    assertThat(redis.run(add, Seq("n"), Seq("5")).get).isEqualTo(10)

  @Test
  def javaCodecs_work(): Unit =
    given RedisCodec[String] = RedisCodec(Codec.utf8())
    assertThat(redis.as[String, String].ping().get).isEqualTo("PONG")
