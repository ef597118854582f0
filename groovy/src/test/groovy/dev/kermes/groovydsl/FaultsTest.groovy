package dev.kermes.groovydsl

import dev.kermes.client.ClientClosedException
import dev.kermes.client.CommandTimeoutException
import dev.kermes.client.ConnectionLostException
import dev.kermes.client.ServerErrorException
import dev.kermes.testing.ScriptedPeer
import java.time.Duration
import java.util.concurrent.Future
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

import static dev.kermes.groovydsl.Redis.withRedis
import static dev.kermes.groovydsl.Servers.eventually
import static dev.kermes.groovydsl.Servers.shouldFail

/** Nil, errors, lost connections and cancellation, against a scripted peer and real servers. */
@Timeout(60)
class FaultsTest {
  @Test
  void nilErrorAndLostConnection_areDistinct() {
    def answers = [nil: '_\r\n', error: '-ERR no\r\n', gone: null]
    ScriptedPeer.answering { request -> answers[request.last()] }.withCloseable { peer ->
      def redis = Redis.open(peer.url()) { retriesMax(0) }
      assert redis.get('nil') == null
      assert shouldFail(ServerErrorException) { redis.get('error') }.message == 'ERR no'
      assert shouldFail(ConnectionLostException) { redis.incr('gone') }.mayHaveExecuted()
      redis.close()
    }
  }

  @Test
  void timeout_isADistinctFailure() {
    ScriptedPeer.answering { '' }.withCloseable { peer ->
      def redis = Redis.open(peer.url()) { commandTimeout(Duration.ofMillis(50)) }
      shouldFail(CommandTimeoutException) { redis.get('k') }
      redis.close()
    }
  }

  @Test
  void refusedSubscription_throwsTheServerError() {
    ScriptedPeer.answering { '-NOPERM no\r\n' }.withCloseable { peer ->
      withRedis(peer.url()) { redis ->
        assert shouldFail(ServerErrorException) { redis.subscribe('secret') {} }.code() == 'NOPERM'
      }
    }
  }

  @Test
  void withRedis_alwaysCloses() {
    Redis kept = null
    shouldFail(IllegalStateException) {
      withRedis(ServerUnderTest.KERMES.url) {
        kept = it
        throw new IllegalStateException()
      }
    }
    shouldFail(ClientClosedException) { kept.ping() }
  }

  @ParameterizedTest
  @EnumSource(ServerUnderTest)
  void cancelledBlpop_takesNothing(ServerUnderTest server) {
    withRedis(server.url) { redis ->
      redis.flushall()
      Future waiting = redis.async.blpop('jobs', 0) as Future
      eventually { redis.info('clients').contains('blocked_clients:1') }
      waiting.cancel(false)
      eventually { redis.info('clients').contains('blocked_clients:0') }
      redis.rpush('jobs', 'first')
      assert redis.llen('jobs') == 1
    }
  }
}
