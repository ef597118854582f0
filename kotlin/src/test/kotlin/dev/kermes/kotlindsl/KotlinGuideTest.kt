package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Command
import dev.kermes.client.CommandObserver
import dev.kermes.client.ConnectionLostException
import dev.kermes.client.CredentialsProvider
import dev.kermes.client.RedisOptions
import dev.kermes.client.Replies
import dev.kermes.client.Script
import dev.kermes.client.ServerErrorException
import dev.kermes.client.SubscriptionEvent
import dev.kermes.client.reply.ScoredValue
import dev.kermes.client.reply.StreamEntry
import dev.kermes.events.schedule.Missed
import dev.kermes.events.schedule.Schedule
import dev.kermes.kotlindsl.events.backoff
import dev.kermes.kotlindsl.events.events
import dev.kermes.kotlindsl.events.every
import dev.kermes.kotlindsl.events.lease
import dev.kermes.kotlindsl.events.within
import dev.kermes.reactor.HandlerSpec
import dev.kermes.reactor.Retry
import dev.kermes.server.RedisServer
import java.nio.file.Files
import java.nio.file.Path
import java.time.ZoneId
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/**
 * The code of docs/kotlin.md. What stands between `// guide: name` and `// end` is the guide's block
 * under that name, to the letter; [guide_saysWhatIsTestedHere] compares them.
 */
@Timeout(60)
class KotlinGuideTest {
  private val server = RedisServer.start()
  private val url = server.url()
  private val redis = Redis.open(url)

  @AfterEach
  fun close() {
    redis.close()
    server.close()
  }

  @Test
  fun start(): Unit = runBlocking {
    // guide: start
    Redis.open(url).use { redis -> // redis://localhost, for instance
      redis.set("greeting", "hello") { ex(60).nx() }
      val greeting: String? = redis.get("greeting")
      assertThat(greeting).isEqualTo("hello")
    }
    // end
  }

  @Test
  fun names(): Unit = runBlocking {
    // guide: names
    redis.zadd("board", 120.0, "ada")
    redis.expire("board", 30.minutes)
    val best: List<ScoredValue<String>> = redis.zrangeWithscores("board", 0, 9) { rev() }

    redis.xgroupCreate("jobs", "crawlers", "0") { mkstream() }
    redis.xadd("jobs", "*", "page", "1")
    val jobs: Map<String, List<StreamEntry<String, String>>> = redis.xreadgroup("crawlers", "c1", "jobs", ">")
    // end
    assertThat(best).containsExactly(ScoredValue("ada", 120.0))
    assertThat(jobs.getValue("jobs").single().fields()).isEqualTo(mapOf("page" to "1"))
  }

  @Test
  fun suspending(): Unit = runBlocking {
    redis.set("hits", "1")
    redis.set("misses", "2")
    // guide: suspending
    val (hits, misses) = coroutineScope {
      val hits = async { redis.get("hits") }
      val misses = async { redis.get("misses") } // goes out in the same write
      hits.await() to misses.await()
    }
    val slow = withTimeoutOrNull(50.milliseconds) { redis.blpop("jobs", 30.0) } // null: given up
    // end
    assertThat(listOf(hits, misses)).containsExactly("1", "2")
    assertThat(slow).isNull()
  }

  @Test
  fun batch(): Unit = runBlocking {
    // guide: batch
    val visit = redis.commands.incr("visits") // a value: nothing is sent yet

    val replies = redis.batch { listOf(visit, visit, lpush("visits", "x")) }

    assertThat(replies[1]).isEqualTo(2L)
    assertThat(replies[2]).isInstanceOf(ServerErrorException::class.java) // only this command failed
    // end
  }

  @Test
  fun outcomes(): Unit = runBlocking {
    redis.set("text", "no number")
    val told = ArrayList<String>()
    // guide: outcomes
    assertThat(redis.get("absent")).isNull() // nil is null
    try {
      redis.incr("text")
    } catch (e: ServerErrorException) {
      told += e.code() // the server said no
    } catch (e: ConnectionLostException) {
      told += if (e.mayHaveExecuted()) "perhaps" else "no" // unknown, or it was never sent
    }
    // end
    assertThat(told).containsExactly("ERR")
  }

  @Test
  fun codecs(): Unit = runBlocking {
    // guide: codecs
    val numbers = object : Codec<Int> {
      override fun encode(value: Int) = value.toString().toByteArray()

      override fun decode(bytes: ByteArray, offset: Int, length: Int) =
        bytes.decodeToString(offset, offset + length).toInt()
    }
    val ages = redis.of(Codec.utf8(), numbers)
    ages.hset("ages", mapOf("ann" to 7))
    val age: Int? = ages.hget("ages", "ann")
    // end
    assertThat(age).isEqualTo(7)
  }

  @Test
  fun waiting(): Unit = runBlocking {
    // guide: waiting
    val job = async { redis.blpop("jobs", 30.0) }
    redis.rpush("jobs", "first") // is not held up: BLPOP has a connection of its own
    val (queue, name) = job.await()!!
    // end
    assertThat(queue to name).isEqualTo("jobs" to "first")
  }

  @Test
  fun transaction(): Unit = runBlocking {
    // guide: transaction
    val moved = redis.transaction { listOf(decrby("ann", 5), incrby("bob", 5)) }
    assertThat(moved.replies()).containsExactly(-5L, 5L)

    val doubled = redis.watch("bob") {
      val n = get("bob")!!.toLong() // reads on the connection that watches
      listOf(commands.set("bob", "${2 * n}"))
    }
    // end
    assertThat(doubled.isAborted).isFalse()
    assertThat(redis.get("bob")).isEqualTo("10")
  }

  @Test
  fun script(): Unit = runBlocking {
    // guide: script
    val add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer())
    val sum: Long = redis.run(add, listOf("n"), listOf("5")) // EVALSHA; EVAL the first time
    // end
    assertThat(sum).isEqualTo(5)
  }

  @Test
  fun pubSub(): Unit = runBlocking {
    val heard = ArrayList<String>()
    // guide: pubsub
    redis.subscribe("news").onEach { event ->
      when (event) {
        is SubscriptionEvent.Confirmed -> redis.publish("news", "hello") // from here on nothing is missed
        is SubscriptionEvent.Message -> heard += event.text()
        is SubscriptionEvent.Lost -> heard += "a gap begins"
        is SubscriptionEvent.Resumed -> heard += "and ends"
        is SubscriptionEvent.Dropped -> heard += "too slow for ${event.count()}"
        is SubscriptionEvent.Refused -> heard += "not allowed"
      }
    }.first { heard.isNotEmpty() } // ends the subscription
    // end
    assertThat(heard).containsExactly("hello")
  }

  @Test
  fun streams(): Unit = runBlocking {
    redis.xadd("orders", "1-1", "item", "tea")
    val done = CopyOnWriteArrayList<String>()
    // guide: streams
    val work = launch {
      redis.consume("orders", "shop", "worker-1") { order ->
        redis.incr("sold:" + order.fields()["item"])
        done += order.id()
      }
    }
    // end
    while (done.isEmpty()) yield()
    work.cancel()
    assertThat(done).containsExactly("1-1")
  }

  @Test
  fun scans(): Unit = runBlocking {
    redis.mset(mapOf("user:1" to "Ann", "user:2" to "Bob", "other" to "x"))
    // guide: scans
    val some = redis.scan { match("user:*").count(100) }
      .filter { redis.get(it) != null }
      .take(10) // and no more is asked for
      .toList()
    // end
    assertThat(some).containsExactlyInAnyOrder("user:1", "user:2")
  }

  @Test
  fun cache(): Unit = runBlocking {
    redis.set("k", "v")
    // guide: cache
    val cache = redis.cache(1.minutes, 16L shl 20) // 16 MiB
    cache.get("k") // asks the server
    cache.get("k") // does not, until k changes
    // end
    assertThat(cache.underlying.hits()).isEqualTo(1)
  }

  @Test
  fun limits(): Unit = runBlocking {
    // guide: limits
    val redis = Redis.open(url) {
      commandTimeout(2.seconds)
      queueMax(10_000)
      overflow(RedisOptions.Overflow.FAIL)
    }
    redis.use {
      it.send(Command.of("KEYS", "*").withTimeout(30.seconds))
    }
    // end
    assertThat(this@KotlinGuideTest.redis.info("commandstats")).contains("cmdstat_keys:calls=1,")
  }

  @Test
  fun observer(): Unit = runBlocking {
    val log = CopyOnWriteArrayList<String>()
    // guide: observer
    val logging = CommandObserver { command ->
      val start = System.nanoTime()
      CommandObserver.Observation { node, _ ->
        log += "$command took ${System.nanoTime() - start} ns at $node"
      }
    }
    Redis.open(url) { observer(logging) }.use { it.ping() }
    // end
    assertThat(log.single()).startsWith("PING took ")
  }

  @Test
  fun credentials(): Unit = runBlocking {
    redis.configSet("requirepass", "secret")
    // guide: credentials
    val vault = CredentialsProvider {
      CompletableFuture.supplyAsync { CredentialsProvider.Credentials(null, "secret") }
    }
    Redis.open(url) { credentials(vault) }.use {
      it.ping()
      it.reauthenticate() // when the vault has another one
    }
    // end
    assertThat(redis.info("commandstats")).contains("cmdstat_auth:", "cmdstat_ping:")
  }

  // ---- topics

  @Test
  fun topics(): Unit = runBlocking {
    // guide: topics
    redis.events { group("billing").lease(20.seconds) }.use { events ->
      val shipped = CompletableDeferred<String>()
      val often: HandlerSpec<String>.() -> Unit = {
        named("shipping")
        retry(Retry.times(8).backoff(100.milliseconds, 10.seconds))
      }
      events.on<String>("orders/{id}", often) { event ->
        redis.set("order:${event.param("id")}", event.payload()) // suspends, as handlers may
        shipped.complete(event.param("id"))
      }
      val orders = events.topic("orders")
      events.emit("orders/42", "two books") { header("trace", "7f").within(5.minutes) }
      assertThat(shipped.await()).isEqualTo("42")
      for (letter in orders.deadLetters()) orders.replay(letter) // or drop(letter)
    }
    // end
    assertThat(redis.get("order:42")).isEqualTo("two books")
  }

  @Test
  fun topicFlow(): Unit = runBlocking {
    redis.events().use { events ->
      for (each in 1..3) events.emit("payments/7", "$each")
    }
    val stored = CopyOnWriteArrayList<String>()
    // guide: topicFlow
    redis.events { group("audit") }.use { events ->
      events.flow<String>("payments").takeWhile { it.payload() != "3" }.collect { event ->
        stored += event.payload() // acknowledged when this block has ended
      }
    }
    // end
    assertThat(stored).containsExactly("1", "2")
  }

  @Test
  fun schedules(): Unit = runBlocking {
    // guide: schedules
    redis.events { group("reports") }.use { events ->
      val mornings = Schedule.cron("0 6 * * MON-FRI", ZoneId.of("Europe/Berlin"))
      events.schedule("reports/daily", mornings, "all shops")
      events.schedule("reports/tick", every(1.seconds), "", Missed.SKIP)
      events.unschedule("reports/tick")
    }
    // end
  }

  @Test
  fun calls(): Unit = runBlocking {
    // guide: calls
    redis.events().use { events ->
      events.on<String>("prices/{item}") { event -> event.reply("12 EUR for ${event.payload()}") }
      events.answer("prices")
      val price: String = events.call("prices/book", "Ann", timeout = 1.seconds)
      assertThat(price).isEqualTo("12 EUR for Ann")
    }
    // end
  }

  // ---- the guide itself

  @Test
  fun guide_saysWhatIsTestedHere() {
    val tested = regions(Files.readString(Path.of("src/test/kotlin/dev/kermes/kotlindsl/KotlinGuideTest.kt")))
    assertThat(tested).hasSizeGreaterThan(10)
    assertThat(blocks(Files.readString(Path.of("../docs/kotlin.md")))).isEqualTo(tested)
  }

  private fun regions(source: String): Map<String, String> =
    Regex("(?ms)^ *// guide: (\\S+)\n(.*?)^ *// end$").findAll(source)
      .associate { it.groupValues[1] to it.groupValues[2].trimEnd().trimIndent() + "\n" }

  /** Every block of Kotlin must have a name. */
  private fun blocks(guide: String): Map<String, String> =
    Regex("(?ms)^(?:<!-- (\\S+) -->\n)?```kotlin\n(.*?)^```$").findAll(guide)
      .associate { it.groupValues[1] to it.groupValues[2] }
}
