package dev.kermes.groovydsl

import dev.kermes.client.SubscriptionEvent
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource

import static dev.kermes.groovydsl.Servers.eventually
import static dev.kermes.groovydsl.Servers.shouldFail

/** Closures called per event: subscriptions, MONITOR, streams; and the cache. */
@Timeout(60)
@ParameterizedClass
@EnumSource(ServerUnderTest)
class ListeningTest extends RedisTest {
  ListeningTest(ServerUnderTest server) {
    super(server)
  }

  @Test
  void subscribe_confirmsThenDelivers_andStopsWhenClosed() {
    def heard = new CopyOnWriteArrayList()
    def news = redis.subscribe(['news', "weather${1}"]) { heard << it }
    assert redis.publish('news', 'hello') == 1
    assert redis.publish('weather1', 'rain') == 1
    eventually { heard.size() == 4 } // two confirmations
    assert heard.findAll { it instanceof SubscriptionEvent.Message }*.text() == ['hello', 'rain']
    news.close()
    eventually { redis.publish('news', 'anybody?') == 0 }
    assert heard.size() == 4
  }

  @Test
  void psubscribeAndSsubscribe_deliver() {
    def heard = new CopyOnWriteArrayList()
    def both = [redis.psubscribe('n*') { heard << it }, redis.ssubscribe('s') { heard << it }]
    redis.publish('news', 'hello')
    redis.spublish('s', 'shard')
    eventually { heard.size() == 4 }
    def messages = heard.findAll { it instanceof SubscriptionEvent.Message }
    assert messages*.pattern() as Set == ['n*', null] as Set
    both*.close()
  }

  @Test
  void monitor_showsCommandsOfOtherClients() {
    def lines = new CopyOnWriteArrayList()
    def monitor = redis.monitor { if (it instanceof SubscriptionEvent.Message) lines << it.text() }
    redis.set('k', 'seen')
    eventually { lines.any { it.contains('seen') } }
    monitor.close()
  }

  @Test
  void entries_arriveAsTheyAreAdded_afterPendingOnes() {
    def items = new CopyOnWriteArrayList()
    redis.xadd('orders', '1-1', [item: 'tea'])
    redis.xgroupCreate('orders', 'shop', '0')
    def first = redis.entries('orders', group: 'shop', consumer: "w${1}") { items << it.fields().item }
    eventually { items.size() == 1 }
    redis.xadd('orders', '2-1', [item: 'milk'])
    eventually { items.size() == 2 }
    first.close()
    def second = redis.entries('orders', group: 'shop', consumer: 'w1') { items << it.fields().item }
    eventually { items.size() == 4 } // none of them is acknowledged
    second.close()
    assert items == ['tea', 'milk', 'tea', 'milk']
  }

  @Test
  void consume_createsTheGroup_acknowledges_andRetriesFailures() {
    def tried = new CopyOnWriteArrayList()
    def how = [group: 'shop', consumer: "w${1}", retryAfter: Duration.ofMillis(50)]
    def worker = redis.consume(how, 'orders') { order ->
      tried << order.id()
      assert tried.size() > 1
    }
    redis.xadd('orders', '1-1', [item: 'tea'])
    eventually { tried == ['1-1', '1-1'] }
    redis.xadd('orders', '2-1', [item: 'milk'])
    eventually { tried == ['1-1', '1-1', '2-1'] }
    worker.close()
    assert redis.xpending('orders', 'shop').count() == 0
    shouldFail(IllegalArgumentException) { redis.consume([:], 'orders') {} }
  }

  @Test
  void closureThrows_endsWithTheException() {
    redis.xadd('orders', '1-1', [item: 'tea'])
    def listening = redis.entries('orders') { throw new IllegalStateException('enough') }
    def failure = shouldFail(ExecutionException) { listening.done.toCompletableFuture().get() }
    assert failure.cause.message == 'enough'
  }

  @Test
  void cache_sendsOneCommandUntilTheKeyChanges() {
    redis.set('k', 1)
    redis.cache(Duration.ofMinutes(1), 1 << 20).withCloseable { cache ->
      assert cache.get('k') == '1'
      assert cache.get("${'k'}") == '1'
      assert cache.underlying().hits() == 1
      redis.set('k', 2)
      eventually { cache.get('k') == '2' }
    }
  }
}
