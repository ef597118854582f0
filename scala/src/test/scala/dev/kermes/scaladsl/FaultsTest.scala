package dev.kermes.scaladsl

import dev.kermes.client.{ClientClosedException, CommandTimeoutException, ConnectionLostException, ServerErrorException}
import dev.kermes.testing.ScriptedPeer
import java.time.Duration
import java.util.concurrent.CountDownLatch
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{Test, Timeout}
import scala.concurrent.ExecutionContext
import scala.util.Using

/** Nil, errors and lost connections, against a scripted peer. */
@Timeout(60)
class FaultsTest:
  @Test
  def nilErrorAndLostConnection_areDistinct(): Unit =
    val answers = Map("nil" -> "_\r\n", "error" -> "-ERR no\r\n")
    Using.resource(ScriptedPeer.answering(request => answers.getOrElse(request.getLast, null))) { peer =>
      Using.resource(Redis.open(peer.url, _.retriesMax(0))) { redis =>
        assertThat(redis.get("nil").get).isEqualTo(None)
        assertThatThrownBy(() => redis.get("error").get)
          .isInstanceOfSatisfying(classOf[ServerErrorException], error => assertThat(error).hasMessage("ERR no"))
        assertThatThrownBy(() => redis.incr("gone").get)
          .isInstanceOfSatisfying(
            classOf[ConnectionLostException],
            lost => assertThat(lost.mayHaveExecuted).isTrue
          )
      }
    }

  @Test
  def timeout_isADistinctFailure(): Unit =
    Using.resource(ScriptedPeer.answering(_ => "")) { peer =>
      Using.resource(Redis.open(peer.url, _.commandTimeout(Duration.ofMillis(50)))) { redis =>
        assertThatThrownBy(() => redis.get("k").get).isInstanceOf(classOf[CommandTimeoutException])
      }
    }

  @Test
  def closedClient_failsPendingCommands(): Unit =
    val asked = CountDownLatch(1)
    Using.resource(ScriptedPeer.answering { _ =>
      asked.countDown(); ""
    }) { peer =>
      val redis = Redis.open(peer.url)
      val waiting = redis.get("k")
      asked.await()
      redis.close()
      assertThatThrownBy(() => waiting.get).isInstanceOf(classOf[ClientClosedException])
    }

  @Test
  def refusedSubscription_failsWithTheServerError(): Unit =
    Using.resource(ScriptedPeer.answering(_ => "-NOPERM no\r\n")) { peer =>
      Using.resource(Redis.open(peer.url)) { redis =>
        assertThatThrownBy(() => redis.subscribe("secret").confirmed.get).isInstanceOf(classOf[ServerErrorException])
      }
    }

  @Test
  def callbackOfAFuture_mayBlock(): Unit =
    Using.resource(Redis.open(ServerUnderTest.Kermes.url)) { redis =>
      val second = redis.echo("first").map(first => redis.echo(s"$first, second").get)(using ExecutionContext.parasitic)
      assertThat(second.get).isEqualTo("first, second")
    }
