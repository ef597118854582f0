package dev.kermes.groovydsl

import dev.kermes.events.Parking
import dev.kermes.events.RemoteFailureException
import dev.kermes.events.schedule.Missed
import dev.kermes.events.schedule.Schedule
import dev.kermes.reactor.NoHandlerException
import dev.kermes.reactor.Reactor
import dev.kermes.reactor.RejectedEventException
import dev.kermes.reactor.Retry
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeoutException
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource

import static dev.kermes.groovydsl.Servers.eventually
import static dev.kermes.groovydsl.Servers.shouldFail

/** Durable topics, calls and sources from Groovy. */
@Timeout(60)
@ParameterizedClass
@EnumSource(ServerUnderTest)
class EventsTest extends RedisTest {
  final List seen = new CopyOnWriteArrayList()

  EventsTest(ServerUnderTest server) {
    super(server)
  }

  private void withEvents(Map options = [group: 'billing'], Closure<?> body) {
    Events.open(redis, partitions: 4, *: options).withCloseable { events ->
      events.reactor.onError { event, error -> }
      body(events)
    }
  }

  @Test
  void emit_isHandledWithItsMetadata() {
    withEvents { events ->
      def handled = new CompletableFuture()
      events.on('orders/{id}') { handled.complete(it) }
      events.topic('orders')
      def minute = Duration.ofMinutes(1)
      def id = events.emit("orders/${42}", "two ${'books'}", header: ['trace', '7f'], within: minute)
      def event = handled.join()
      assert event.param('id') + event.payload() == '42two books'
      assert event.meta().id() == id
      assert event.meta().header('trace') == '7f'
      assert event.meta().hasDeadline()
    }
  }

  @Test
  void emit_withAnId_isStoredOnce() {
    withEvents { events ->
      def ids = (1..2).collect { events.emit('orders/42', 'x', id: 'o-42', idKept: Duration.ofHours(1)) }
      assert ids[0] == ids[1]
      assert !(events.emit('orders/42', 'later', delay: Duration.ofHours(2)) in ids)
      shouldFail(MissingMethodException) { events.emit('orders/42', 'x', in: 2) }
    }
  }

  @Test
  void on_closuresOfEachArity_keepTheOrderOfTheKey() {
    withEvents { events ->
      events.on('one/*') { seen << it.payload() }
      events.on('two/*') { payload, meta -> seen << payload + meta.attempt() }
      events.on('three/*', serial: true) { key, payload, meta -> seen << key + payload }
      ['one', 'two', 'three'].each { events.topic(it) }
      (1..3).each { events.emit('one/a', "$it") }
      eventually { seen == ['1', '2', '3'] }
      events.emit('two/a', 'x')
      eventually { seen.last() == 'x1' }
      events.emit('three/a', 'x')
      eventually { seen.last() == 'three/ax' }
    }
  }

  @Test
  void on_failing_isRetriedAndThenADeadLetter() {
    withEvents { events ->
      def retry = Retry.times(1).backoff(Duration.ZERO, Duration.ofMillis(1))
      events.on('orders/{id}', named: 'shipping', of: String, retry: retry) { payload, meta ->
        seen << meta.attempt()
        throw new IllegalStateException('no stock')
      }
      def topic = events.topic('orders')
      events.emit('orders/13', 'x')
      eventually { topic.deadLetters().list(1) }
      def letter = topic.deadLetters().list(1).first()
      assert letter.key() == 'orders/13' && letter.handlers() == ['shipping']
      assert topic.deadLetters().replay(letter)
      eventually { seen == [1, 2, 1, 2] }
    }
  }

  @Test
  void on_failing_parksItsKey() {
    withEvents(group: 'billing', parking: Parking.upTo(Duration.ofHours(24))) { events ->
      events.on('orders/*') { throw new IllegalStateException('no stock') }
      def topic = events.topic('orders')
      events.emit('orders/13', 'x')
      eventually { topic.parked(1)*.key() == ['orders/13'] }
    }
  }

  @Test
  void schedule_emitsAtEachTimeUntilItIsEnded() {
    withEvents { events ->
      events.on('ticks/*') { seen << Instant.parse(it.meta().header('scheduled')) }
      events.topic('ticks')
      events.schedule("ticks/${'a'}", Schedule.every(Duration.ofMillis(50)), "x${1}")
      eventually { seen.size() > 2 }
      assert seen.every { it.toEpochMilli() % 50 == 0 }
      events.unschedule("ticks/${'a'}")
      assert !redis.keys('*:schedules')
      events.schedule('ticks/b', Schedule.cron('0 6 * * *', ZoneId.of('UTC')), 'x', missed: Missed.EACH)
      events.schedule('ticks/c', { it.plusSeconds(3600) }, 'x')
      eventually { redis.keys('*:schedules').collectMany { redis.hkeys(it) } as Set == ['b', 'c'] as Set }
      shouldFail(MissingMethodException) {
        events.schedule('ticks/d', Schedule.every(Duration.ofMillis(50)), 'x', mised: Missed.EACH)
      }
    }
  }

  @Test
  void topic_ofOneMember_ownsAllPartitions() {
    withEvents { events ->
      def topic = events.topic('orders') {
        onAcquired { partition, token -> seen << partition }
        onReleased { partition -> seen << -partition - 1 }
      }
      eventually { topic.mine().size() == 4 }
      assert seen as Set == [0, 1, 2, 3] as Set
      assert topic.owner('42') == events.underlying().member()
      assert topic.isMine('42')
      topic.close()
      assert seen as Set == -4..3 as Set
    }
  }

  @Test
  void call_isAnsweredOrFails() {
    withEvents { events ->
      events.on('prices/book') { "12 EUR for ${it.payload()}, ${it.meta().token() > 0}".toString() }
      events.on('prices/soon') { CompletableFuture.supplyAsync { 'soon' } }
      events.on('prices/late') { new CompletableFuture() }
      events.on('prices/bad') { throw new IllegalArgumentException('unknown') }
      shouldFail(NoHandlerException) { events.call('prices/book', 'Jo') }
      events.answer('prices')
      assert events.call("prices/${'book'}", 'Jo') == '12 EUR for Jo, false'
      assert events.call('prices/soon', 'Jo') == 'soon'
      shouldFail(RemoteFailureException) { events.call('prices/bad', 'Jo') }
      def late = shouldFail(CompletionException) {
        events.call('prices/late', 'Jo', timeout: Duration.ofMillis(50))
      }
      assert late.cause.cause instanceof TimeoutException
      shouldFail(MissingMethodException) { events.call('prices/book', 'Jo', within: 5) }
      def topic = events.topic('prices')
      eventually { topic.isMine('book') }
      assert events.call('prices/book', 'Jo', owner: true) == '12 EUR for Jo, true'
      assert events.close(Duration.ZERO) == 0
    }
  }

  @Test
  void sources_bringTheirEvents() {
    withEvents([:]) { events ->
      redis.configSet('notify-keyspace-events', 'KEA')
      def gaps = new CopyOnWriteArrayList()
      def onGap = { gaps << it }
      events.with {
        on('channel/{name}') { seen << it.param('name') + '=' + it.payload() }
        on('keyspace/del/{key}') { seen << 'deleted ' + it.payload() }
        on('stream/log') { seen << it.payload() }
        channels(['news', "weather${1}"], onGap: onGap)
        patterns('sport.*', onGap: onGap)
        shards('shard', onGap: onGap)
        keyspace('del', onGap: onGap)
        stream('log', group: 'billing', consumer: "b${1}", workers: 2)
      }
      shouldFail(IllegalArgumentException) { events.stream([:], 'log') }
      eventually { gaps.size() == 5 }
      redis.with {
        publish('weather1', 'rain')
        publish('sport.1', 's')
        spublish('shard', 'h')
        set('k', 'v')
        del('k')
        xadd('log', '*', [level: 'info'])
      }
      def expected = ['weather1=rain', 'sport.1=s', 'shard=h', 'deleted k', [level: 'info']]
      eventually { seen as Set == expected as Set }
      redis.configSet('notify-keyspace-events', '')
    }
  }

  @Test
  void channels_withoutOptions() {
    withEvents([:]) { events ->
      events.on('channel/news') { seen << it.payload() }
      def source = events.channels('news')
      eventually { redis.publish('news', 'x') == 1 }
      eventually { seen == ['x'] }
      assert source.health().up
    }
  }

  @Test
  void reactor_given_staysOpen() {
    def reactor = Reactor.create()
    Events.open(redis, reactor: reactor).close()
    assert reactor.emit('a', 'b') == 0
    reactor.close()
    def alone = Events.open(redis)
    alone.close()
    shouldFail(RejectedEventException) { alone.reactor.emit('a', 'b') }
  }
}
