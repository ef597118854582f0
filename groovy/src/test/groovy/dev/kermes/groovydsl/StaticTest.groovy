package dev.kermes.groovydsl

import dev.kermes.client.SubscriptionEvent
import dev.kermes.client.TransactionResult
import dev.kermes.server.RedisServer
import groovy.transform.CompileStatic
import java.util.concurrent.CompletionStage
import java.util.concurrent.LinkedBlockingQueue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

import static dev.kermes.groovydsl.Redis.withRedis

/** The face under the static compiler. */
@Timeout(60)
@CompileStatic
class StaticTest {
  @Test
  void everything_isTyped() {
    try (RedisServer server = RedisServer.start()) {
      String greeting = withRedis(server.url()) {
        int id = 7
        set("user:$id", 'Ann', ex: 60, nx: true)
        long visits = incr('visits')
        assert visits == 1
        Map<String, String> fields = hgetall('nothing')
        assert fields == [:]
        Map.Entry<String, String> popped = blpop(["a$id", 'b'], 0.01)
        assert popped == null
        CompletionStage<Long> soon = async.incrby('visits', 2)
        assert soon.toCompletableFuture().join() == 3
        List<Object> replies = batch {
          incr('visits')
          get("user:$id")
        }
        assert replies == [4L, 'Ann']
        TransactionResult moved = watch('visits') { reads, own ->
          own.set('visits', reads.get('visits').length())
        }
        assert !moved.aborted
        get("user:$id")
      }
      assert greeting == 'Ann'
    }
  }

  @Test
  void events_areTyped() {
    try (RedisServer server = RedisServer.start()) {
      withRedis(server.url()) { redis ->
        def heard = new LinkedBlockingQueue<String>()
        try (Listening news = redis.subscribe("${'news'}") { event ->
          if (event instanceof SubscriptionEvent.Message) heard.add(event.text())
        }) {
          assert redis.publish('news', 'hello') == 1
          assert heard.take() == 'hello'
        }
      }
    }
  }
}
