package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Command
import dev.kermes.client.ListSide
import dev.kermes.client.Replies
import dev.kermes.client.Script
import dev.kermes.client.ServerErrorException
import dev.kermes.client.TrimStrategy
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

class CommandsTest(server: ServerUnderTest) : OnEveryServer(server) {
  @Test
  fun nil_isNull_inANullableType(): Unit = runBlocking {
    val nothing: String? = redis.get("missing")
    assertThat(nothing).isNull()
    redis.set("k", "")
    assertThat(redis.get("k")).isEmpty()
    val length: Long = redis.strlen("k")
    assertThat(length).isZero()
    assertThat(redis.mget("k", "missing")).containsExactly("", null)
  }

  @Test
  fun serverError_isThrownWithItsCode(): Unit = runBlocking {
    redis.set("k", "text")
    val error = assertThrows<ServerErrorException> { redis.lpush("k", "x") }
    assertThat(error.code()).isEqualTo("WRONGTYPE")
  }

  @Test
  fun options_areABlock(): Unit = runBlocking {
    assertThat(redis.set("k", "1") { ex(60).nx() }).isEqualTo("OK")
    assertThat(redis.set("d", "1") { ex(2.minutes).nx() }).isEqualTo("OK")
    assertThat(redis.ttl("d")).isBetween(100L, 120L)
    assertThat(redis.set("k", "2") { nx() }).isNull()
    assertThat(redis.ttl("k")).isBetween(1, 60)
    assertThat(redis.setGet("k", "3") { keepttl() }).isEqualTo("1")
    redis.sadd("s", "a", "b", "c")
    redis.sadd("t", listOf("b", "c"))
    assertThat(redis.sintercard("s", "t")).isEqualTo(2)
    assertThat(redis.sintercard("s", "t") { limit(1) }).isEqualTo(1)
    redis.xadd("x", "1-1", mapOf("f" to "v"))
    redis.xadd("x", "2-1", "f", "w")
    assertThat(redis.xtrim("x") { trim(TrimStrategy.MAXLEN, "1") }).isEqualTo(1)
  }

  @Test
  fun replies_areKotlinCollections(): Unit = runBlocking {
    redis.hset("h", mapOf("a" to "1", "b" to "2"))
    assertThat(redis.hgetall("h")).isEqualTo(mapOf("a" to "1", "b" to "2"))
    redis.rpush("l", "x", "y", "z")
    val (key, value) = redis.blpop("l", 1.0)!!
    assertThat(key to value).isEqualTo("l" to "x")
    assertThat(redis.lmove("l", "m", ListSide.RIGHT, ListSide.LEFT)).isEqualTo("z")
    redis.zadd("z", 1.5, "one")
    assertThat(redis.zrangeWithscores("z", "0", "-1").single().score()).isEqualTo(1.5)
    assertThat(redis.xrange("nothing", "-", "+")).isEmpty()
  }

  @Test
  fun bytes_passUnchanged(): Unit = runBlocking {
    val all = ByteArray(256) { it.toByte() }
    val binary = redis.of(Codec.bytes(), Codec.bytes())
    binary.set(all, all)
    assertThat(binary.get(all)).isEqualTo(all)
    assertThat(binary.keys("*").single()).isEqualTo(all)
    assertThat(redis.strlen("\u0000")).isZero()
  }

  @Test
  fun coroutines_shareOneConnection(): Unit = runBlocking {
    val values =
      (1..1000)
        .map { n ->
          async {
            redis.set("k$n", "$n")
            redis.get("k$n")
          }
        }
        .awaitAll()
    assertThat(values).isEqualTo((1..1000).map { "$it" })
    assertThat(redis.clientList().trim().lines().size).isLessThan(10)
  }

  @Test
  fun batch_errorsAreElements(): Unit = runBlocking {
    redis.set("text", "x")
    val (one, failed, nothing) = redis.batch { listOf(incr("n"), incr("text"), get("missing")) }
    assertThat(one).isEqualTo(1L)
    assertThat(failed).isInstanceOf(ServerErrorException::class.java)
    assertThat(nothing).isNull()
  }

  @Test
  fun transaction_repliesTogether_orFailsAsAWhole(): Unit = runBlocking {
    assertThat(redis.transaction { listOf(incr("n"), incr("n")) }.replies()).containsExactly(1L, 2L)
    assertThrows<ServerErrorException> {
      redis.transaction { listOf(incr("n"), Command.of("NOSUCHCOMMAND")) }
    }
    assertThat(redis.get("n")).isEqualTo("2")
  }

  @Test
  fun transaction_withAChangedKey_isAborted(): Unit = runBlocking {
    redis.dedicated {
      send(Command.of("WATCH", "k"))
      redis.set("k", "of another client")
      assertThat(transaction { listOf(set("k", "mine")) }.isAborted).isTrue()
    }
    assertThat(redis.get("k")).isEqualTo("of another client")
  }

  @Test
  fun watch_repeatsUntilNoClientInterferes(): Unit = runBlocking {
    val attempts = AtomicInteger()
    redis.set("n", "1")
    val result =
      redis.watch("n") {
        val n = get("n")!!.toLong()
        if (attempts.incrementAndGet() < 3) redis.incr("n")
        listOf(commands.set("n", "${n * 10}"))
      }
    assertThat(result.isAborted).isFalse()
    assertThat(attempts).hasValue(3)
    assertThat(redis.get("n")).isEqualTo("30")
  }

  @Test
  fun watch_bodyThrows_failsWithTheException(): Unit = runBlocking {
    assertThrows<IllegalStateException> { redis.watch("n") { error("changed my mind") } }
    assertThat(redis.ping()).isEqualTo("PONG")
  }

  @Test
  fun run_fallsBackToEval(): Unit = runBlocking {
    redis.scriptFlush()
    val add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer())
    assertThat(redis.run(add, listOf("n"), listOf("5"))).isEqualTo(5)
    assertThat(redis.run(add, listOf("n"), listOf("5"))).isEqualTo(10)
    assertThat(redis.scriptExists(add.sha1())).containsExactly(true)
  }

  @Test
  fun scans_findAllElements(): Unit = runBlocking {
    redis.mset((1..500).associate { "user:$it" to "v" })
    redis.set("other", "v")
    val users = redis.scan { match("user:*").count(50) }.toList()
    assertThat(users.toSet()).hasSize(500).doesNotContain("other")
    val fields = (1..500).associate { "f$it" to "$it" }
    redis.hset("h", fields)
    assertThat(redis.hscan("h").toList().associate { it.toPair() }).isEqualTo(fields)
    redis.sadd("s", fields.keys.toList())
    assertThat(redis.sscan("s").toList().toSet()).isEqualTo(fields.keys)
    redis.zadd("z", 2.0, "two")
    assertThat(redis.zscan("z").toList().single().value()).isEqualTo("two")
  }

  @Test
  fun codecs_createViews(): Unit = runBlocking {
    val numbers =
      object : Codec<Int> {
        override fun encode(value: Int) = "$value".toByteArray()

        override fun decode(bytes: ByteArray, offset: Int, length: Int) =
          String(bytes, offset, length).toInt()
      }
    val ages = redis.of(Codec.utf8(), numbers)
    ages.hset("ages", mapOf("ann" to 7))
    val age: Int? = ages.hget("ages", "ann")
    assertThat(age).isEqualTo(7)
    assertThat(ages.hget("ages", "bob")).isNull()
  }
}
