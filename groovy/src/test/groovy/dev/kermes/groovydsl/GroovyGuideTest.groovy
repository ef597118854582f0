package dev.kermes.groovydsl

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
import dev.kermes.events.schedule.Missed
import dev.kermes.events.schedule.Schedule
import dev.kermes.reactor.Retry
import dev.kermes.server.RedisServer
import java.time.Duration
import java.time.ZoneId
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

import static dev.kermes.groovydsl.Redis.withRedis
import static dev.kermes.groovydsl.Servers.eventually

/**
 * The code of docs/groovy.md. What stands between {@code // guide: name} and {@code // end} is the
 * guide's block under that name, to the letter; the last test compares them.
 */
@Timeout(60)
class GroovyGuideTest {
  final RedisServer server = RedisServer.start()
  final String url = server.url()
  final Redis redis = Redis.open(url)

  @AfterEach
  void close() {
    redis.close()
    server.close()
  }

  @Test
  void start() {
    // guide: start
    def greeting = withRedis(url) { // redis://localhost, for instance
      def name = 'Ann'
      set("greeting:$name", "hello $name", ex: 60, nx: true)
      get("greeting:$name")
    }
    assert greeting == 'hello Ann'
    // end
  }

  @Test
  void async() {
    // guide: async
    def visits = redis.async.set('visits', 41).thenCompose { redis.async.incr('visits') }
    // end
    assert visits.toCompletableFuture().join() == 42
  }

  @Test
  void arguments() {
    // guide: arguments
    redis.hset('user:1', [name: 'Ann', age: 7])
    redis.zadd('board', [ann: 120, bob: 80.5], gt: true)
    redis.geoadd('places', [rome: [12.5, 41.9], paris: [2.35, 48.85]])

    assert redis.hgetall('user:1') == [name: 'Ann', age: '7']
    assert redis.zrange('board', 0, -1, rev: true) == ['ann', 'bob']
    assert redis.geosearch('places', fromlonlat: [12, 42], byradius: [200, 'km']) == ['rome']
    // end
  }

  @Test
  void names() {
    // guide: names
    redis.zadd('board', [ann: 120, bob: 80], ch: true)
    redis.expire('board', Duration.ofMinutes(30))
    assert redis.zrange('board', 0, 9, rev: true, withscores: true)*.score() == [120d, 80d]
    assert redis.set('greeting', 'hi', get: true, ex: Duration.ofMinutes(1)) == null

    redis.xgroupCreate('jobs', 'crawlers', 0, mkstream: true)
    redis.xadd('jobs', '*', [page: 1])
    def jobs = redis.xreadgroup('crawlers', 'c1', 'jobs', '>')
    assert jobs.jobs*.fields() == [[page: '1']]
    // end
  }

  @Test
  void batch() {
    // guide: batch
    def visits
    def replies = redis.batch {
      visits = incr('visits') // a stage: it completes with the batch
      incr('visits')
      lpush('visits', 'x')
    }
    assert replies[1] == 2
    assert replies[2] instanceof ServerErrorException // only this command failed
    // end
    assert visits.toCompletableFuture().join() == 1
  }

  @Test
  void outcomes() {
    redis.set('text', 'no number')
    def told = []
    // guide: outcomes
    assert redis.get('absent') == null // nil is null
    try {
      redis.incr('text')
    } catch (ServerErrorException e) {
      told << e.code() // the server said no
    } catch (ConnectionLostException e) {
      told << (e.mayHaveExecuted() ? 'perhaps' : 'no') // unknown, or it was never sent
    }
    // end
    assert told == ['ERR']
  }

  @Test
  void codecs() {
    // guide: codecs
    def numbers = new Codec<Integer>() {
      byte[] encode(Integer value) { value.toString().bytes }

      Integer decode(byte[] bytes, int offset, int length) { new String(bytes, offset, length) as int }
    }
    def ages = redis.of(Codec.utf8(), numbers)
    ages.hset('ages', [ann: 7])
    assert ages.hget('ages', 'ann') == 7
    // end
  }

  @Test
  void waiting() {
    // guide: waiting
    def job = redis.async.blpop('jobs', 30)
    redis.rpush('jobs', 'first') // is not held up: BLPOP has a connection of its own
    // end
    assert job.toCompletableFuture().join() == new MapEntry('jobs', 'first')
  }

  @Test
  void transaction() {
    // guide: transaction
    def moved = redis.transaction {
      decrby('ann', 5)
      incrby('bob', 5)
    }
    assert moved.replies() == [-5, 5]

    def doubled = redis.watch('bob') { reads, own ->
      def n = reads.get('bob') as long // reads on the connection that watches
      own.set('bob', 2 * n) // is done when this closure has ended
    }
    // end
    assert !doubled.aborted
    assert redis.get('bob') == '10'
  }

  @Test
  void script() {
    // guide: script
    def add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer())
    def sum = redis.run(add, ['n'], [5]) // EVALSHA; EVAL the first time
    // end
    assert sum == 5
  }

  @Test
  void pubSub() {
    def heard = new CopyOnWriteArrayList()
    // guide: pubsub
    def news = redis.subscribe('news') { event ->
      switch (event) {
        case SubscriptionEvent.Message: heard << event.text(); break
        case SubscriptionEvent.Lost: heard << 'a gap begins'; break
        case SubscriptionEvent.Resumed: heard << 'and ends'; break
        case SubscriptionEvent.Dropped: heard << "too slow for ${event.count()}"; break
        default: break // confirmed, refused
      }
    }
    redis.publish('news', 'hello') // subscribe has waited: from there on nothing is missed
    // end
    eventually { heard }
    news.close()
    assert heard == ['hello']
  }

  @Test
  void streams() {
    redis.xadd('orders', '1-1', [item: 'tea'])
    def done = new CopyOnWriteArrayList()
    // guide: streams
    def work = redis.consume('orders', group: 'shop', consumer: 'worker-1') { order ->
      redis.incr("sold:${order.fields().item}")
      done << order.id()
    }
    // end
    eventually { done }
    work.close()
    assert done == ['1-1']
  }

  @Test
  void scans() {
    redis.mset('user:1': 'Ann', 'user:2': 'Bob', other: 'x')
    // guide: scans
    def users = redis.scan(match: 'user:*', count: 100).collect { redis.get(it) }
    // end
    assert users as Set == ['Ann', 'Bob'] as Set
  }

  @Test
  void cache() {
    redis.set('k', 'v')
    // guide: cache
    def cache = redis.cache(Duration.ofMinutes(1), 16 << 20) // 16 MiB
    cache.get('k') // asks the server
    cache.get('k') // does not, until k changes
    // end
    assert cache.underlying().hits() == 1
  }

  @Test
  void limits() {
    // guide: limits
    def redis = Redis.open(url) {
      commandTimeout(Duration.ofSeconds(2))
      queueMax(10_000)
      overflow(RedisOptions.Overflow.FAIL)
    }
    redis.send(Command.of('KEYS', '*').withTimeout(Duration.ofSeconds(30)))
    redis.close()
    // end
    assert this.redis.info('commandstats').contains('cmdstat_keys:calls=1,')
  }

  @Test
  void observer() {
    def log = new CopyOnWriteArrayList<String>()
    // guide: observer
    def logging = { command ->
      def start = System.nanoTime()
      ({ node, failure -> log << "$command took ${System.nanoTime() - start} ns at $node".toString() }
          as CommandObserver.Observation)
    } as CommandObserver
    def observed = Redis.open(url) { observer(logging) }
    // end
    observed.ping()
    observed.close()
    assert log.first().startsWith('PING took ')
  }

  @Test
  void credentials() {
    redis.configSet('requirepass', 'secret')
    // guide: credentials
    def vault = {
      CompletableFuture.supplyAsync { new CredentialsProvider.Credentials(null, 'secret') }
    } as CredentialsProvider
    def trusting = Redis.open(url) { credentials(vault) }
    trusting.ping()
    trusting.reauthenticate() // when the vault has another one
    // end
    trusting.close()
    assert redis.info('commandstats').contains('cmdstat_auth:')
  }

  // ---- topics

  @Test
  void topics() {
    def shipped = new CompletableFuture()
    // guide: topics
    def events = Events.open(redis, group: 'billing', lease: Duration.ofSeconds(20))
    events.on('orders/{id}', named: 'shipping', retry: Retry.times(8)) { event ->
      redis.set("order:${event.param('id')}", event.payload())
      shipped.complete(event.param('id'))
    }
    def orders = events.topic('orders') {
      onAcquired { partition, token -> println "partition $partition is ours" }
    }
    events.emit('orders/42', 'two books', header: ['trace', '7f'], within: Duration.ofMinutes(5))
    assert shipped.join() == '42'
    orders.deadLetters().list(100).each { orders.deadLetters().replay(it) } // or drop(it)
    events.close()
    // end
  }

  @Test
  void schedules() {
    // guide: schedules
    Events.open(redis, group: 'reports').withCloseable { events ->
      def mornings = Schedule.cron('0 6 * * MON-FRI', ZoneId.of('Europe/Berlin'))
      events.schedule('reports/daily', mornings, 'all shops')
      events.schedule('reports/tick', Schedule.every(Duration.ofSeconds(1)), '', missed: Missed.SKIP)
      events.unschedule('reports/tick')
    }
    // end
  }

  @Test
  void calls() {
    // guide: calls
    Events.open(redis).withCloseable { events ->
      events.on('prices/{item}') { payload, meta -> "12 EUR for $payload".toString() }
      events.answer('prices')
      assert events.call('prices/book', 'Ann', timeout: Duration.ofSeconds(1)) == '12 EUR for Ann'
    }
    // end
  }

  @Test
  void sources() {
    def heard = new CopyOnWriteArrayList()
    Events.open(redis).withCloseable { events ->
      // guide: sources
      events.on('channel/{name}') { heard << it.payload() }
      events.channels(['news', 'weather'], onGap: { heard << it })
      // end
      eventually { heard.size() == 2 } // two confirmations
      redis.publish('news', 'hello')
      eventually { heard.last() == 'hello' }
    }
  }

  // ---- the guide itself

  @Test
  void guide_saysWhatIsTestedHere() {
    def tested = regions(new File('src/test/groovy/dev/kermes/groovydsl/GroovyGuideTest.groovy').text)
    assert tested.size() > 10
    assert blocks(new File('../docs/groovy.md').text) == tested
  }

  private static Map<String, String> regions(String source) {
    (source =~ /(?ms)^ *\/\/ guide: (\S+)\n(.*?)^ *\/\/ end$/).findAll().collectEntries { whole, name, code ->
      [name, code.stripTrailing().stripIndent() + '\n']
    }
  }

  /** Every block of Groovy must have a name. */
  private static Map<String, String> blocks(String guide) {
    (guide =~ /(?ms)^(?:<!-- (\S+) -->\n)?```groovy\n(.*?)^```$/).findAll().collectEntries { whole, name, code ->
      [name, code]
    }
  }
}
