package dev.kermes.kotlindsl

import dev.kermes.client.ClientClosedException
import dev.kermes.client.CommandTimeoutException
import dev.kermes.client.ConnectionLostException
import dev.kermes.client.ServerErrorException
import dev.kermes.testing.ScriptedPeer
import java.time.Duration
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Nil, errors, lost connections and cancellation, against a scripted peer and real servers. */
@Timeout(60)
class FaultsTest {
  @Test
  fun nilErrorAndLostConnection_areDistinct(): Unit = runBlocking {
    val answers = mapOf("nil" to "_\r\n", "error" to "-ERR no\r\n", "gone" to null)
    ScriptedPeer.answering { answers[it.last()] }
      .use { peer ->
        Redis.open(peer.url()) { retriesMax(0) }
          .use { redis ->
            assertThat(redis.get("nil")).isNull()
            assertThat(assertThrows<ServerErrorException> { redis.get("error") })
              .hasMessage("ERR no")
            val lost = assertThrows<ConnectionLostException> { redis.incr("gone") }
            assertThat(lost.mayHaveExecuted()).isTrue()
          }
      }
  }

  @Test
  fun cancelledGet_doesNotShiftLaterReplies(): Unit = runBlocking {
    ScriptedPeer.answering { "" }
      .use { peer ->
        Redis.open(peer.url()).use { redis ->
          val first = launch(Dispatchers.Default) { redis.get("first") }
          eventually { peer.requests().size == 1 }
          first.cancelAndJoin()
          val second = async(Dispatchers.Default) { redis.get("second") }
          eventually { peer.requests().size == 2 }
          peer.send("$5\r\nfirst\r\n")
          peer.send("$6\r\nsecond\r\n")
          assertThat(second.await()).isEqualTo("second")
        }
      }
  }

  @ParameterizedTest
  @EnumSource
  fun dedicated_cancelledAfterTheConnectionIsReady_returnsIt(server: ServerUnderTest): Unit =
    runBlocking {
      val steps = LinkedBlockingQueue<Runnable>()
      val byHand =
        object : CoroutineDispatcher() {
          override fun dispatch(context: CoroutineContext, block: Runnable) = steps.put(block)
        }
      Redis.open(server.url) { dedicatedMax(1) }
        .use { redis ->
          val borrower = launch(byHand) { redis.dedicated { ping() } }
          steps.take().run() // requests the connection
          val resumption = steps.take() // the connection is ready
          borrower.cancel()
          resumption.run()
          borrower.join()
          assertThat(withTimeout(30.seconds) { redis.dedicated { ping() } }).isEqualTo("PONG")
        }
    }

  @ParameterizedTest
  @EnumSource
  fun cancelledBlpop_takesNothing(server: ServerUnderTest): Unit = runBlocking {
    Redis.open(server.url).use { redis ->
      redis.flushall()
      val waiting = launch(Dispatchers.Default) { redis.blpop("jobs", 0.0) }
      eventually { blocked(redis) == 1 }
      waiting.cancelAndJoin()
      eventually { blocked(redis) == 0 }
      redis.rpush("jobs", "first")
      assertThat(redis.llen("jobs")).isEqualTo(1)
      assertThat(redis.blpop("jobs", 1.0)?.value).isEqualTo("first")
    }
  }

  private fun blocked(redis: Redis): Int = runBlocking {
    Regex("blocked_clients:(\\d+)").find(redis.info("clients"))!!.groupValues[1].toInt()
  }

  @Test
  fun withTimeout_cancelsTheCommand_notTheConnection(): Unit = runBlocking {
    val late = AtomicReference("") // owed if the request was written in time
    ScriptedPeer.answering {
        if (it.last() == "silent") "".also { late.set("$4\r\nlate\r\n") }
        else "${late.get()}+PONG\r\n"
      }
      .use { peer ->
        Redis.open(peer.url()).use { redis ->
          assertThat(withTimeoutOrNull(50) { redis.get("silent") }).isNull()
          assertThat(redis.ping()).isEqualTo("PONG")
        }
      }
  }

  @Test
  fun timeoutOfTheClient_isADistinctException(): Unit = runBlocking {
    ScriptedPeer.answering { "" }
      .use { peer ->
        Redis.open(peer.url()) { commandTimeout(Duration.ofMillis(50)) }
          .use { redis -> assertThrows<CommandTimeoutException> { redis.get("k") } }
      }
  }

  @Test
  fun closedClient_failsPendingCommands(): Unit = runBlocking {
    ScriptedPeer.answering { "" }
      .use { peer ->
        val redis = Redis.open(peer.url())
        val waiting =
          async(Dispatchers.Default) { assertThrows<ClientClosedException> { redis.get("k") } }
        eventually { peer.requests().size == 1 }
        redis.close()
        waiting.await()
      }
  }

  @Test
  fun coroutine_resumesOnItsDispatcher(): Unit = runBlocking {
    val own = Executors.newSingleThreadExecutor { Thread(it, "own") }
    own.asCoroutineDispatcher().use { dispatcher ->
      Redis.open(ServerUnderTest.KERMES.url).use { redis ->
        withContext(dispatcher) {
          redis.ping()
          assertThat(Thread.currentThread().name).startsWith("own")
        }
        withContext(Dispatchers.Unconfined) {
          val first = redis.echo("first")
          val second = runBlocking {
            redis.echo("$first, second")
          } // waits, and blocks no other coroutine
          assertThat(second).isEqualTo("first, second")
        }
      }
    }
  }
}
