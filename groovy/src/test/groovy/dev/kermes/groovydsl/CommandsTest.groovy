package dev.kermes.groovydsl

import dev.kermes.client.Codec
import dev.kermes.client.Command
import dev.kermes.client.EncodeException
import dev.kermes.client.ListSide
import dev.kermes.client.Replies
import dev.kermes.client.Script
import dev.kermes.client.ServerErrorException
import dev.kermes.client.TransactionResult
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource

import static dev.kermes.groovydsl.Servers.shouldFail

@Timeout(60)
@ParameterizedClass
@EnumSource(ServerUnderTest)
class CommandsTest extends RedisTest {
  CommandsTest(ServerUnderTest server) {
    super(server)
  }

  @Test
  void nil_isNull() {
    assert redis.get('missing') == null
    redis.set('k', '')
    assert redis.get('k') == ''
    assert redis.mget('k', 'missing') == ['', null]
    assert redis.blpop('missing', 0.01) == null
  }

  @Test
  void serverError_isThrown() {
    redis.set('k', 'text')
    assert shouldFail(ServerErrorException) { redis.lpush('k', 'x') }.code() == 'WRONGTYPE'
    assert shouldFail(ServerErrorException) { redis.watch('k') { reads, own -> reads.lpush('k', 'x') } }
  }

  @Test
  void gstrings_areTextInAllArguments() {
    def id = 7
    redis.set("user:$id", "name $id")
    assert redis.get('user:7') == 'name 7'
    assert redis.get("user:${id}") == 'name 7'
    assert redis.mget(["user:$id", 'missing']) == ['name 7', null]
    redis.hset("h$id", ["f$id": "v$id"])
    assert redis.hgetall('h7') == [f7: 'v7']
    redis.sadd('s', "m$id", 'other')
    assert redis.smembers('s') == ['m7', 'other'] as Set
    assert redis.keys("user:${id}*") == ['user:7']
    assert redis.publish("channel$id", "x$id") == 0
    redis.configSet(['lfu-log-factor': "${id}"])
    assert redis.configGet("lfu-log-${'factor'}") == ['lfu-log-factor': '7']
    assert redis.lmove('no', "no$id", "${'left'}", 'RIGHT') == null
    redis.zadd('z', ["m$id": id])
    assert redis.zscore('z', "m$id") == 7d
    assert redis.eval('return KEYS[1] .. ARGV[1]', ["k$id"], "a$id") == 'k7a7'
    redis.set('k', 'v', ex: "$id".toInteger())
    assert redis.xadd("x$id", "1-$id", [item: "tea $id"]) == '1-7'
    assert redis.xrange('x7', '-', "+${''}").first().fields() == [item: 'tea 7']
    assert redis.run(Script.of('return ARGV[1]', Replies.text()), ["k$id"], ["a$id"]) == 'a7'
  }

  @Test
  void numbersAndBytes_areValues() {
    redis.set('n', 41)
    assert redis.incr('n') == 42
    redis.set('d', 1.25)
    assert redis.get('d') == '1.25'
    byte[] all = (0..255) as byte[]
    redis.set('b', all)
    assert redis.bytes.get('b') == all
    assert redis.strlen('b') == 256
    redis.bytes.set(all, all)
    assert redis.bytes.keys('*').any { it == all }
  }

  @Test
  void valueThatCannotBeEncoded_failsItsCommandOnly() {
    shouldFail(EncodeException) { redis.set('k', new Object()) }
    shouldFail(EncodeException) { redis.set(null, 'v') }
    assert redis.ping() == 'PONG'
  }

  @Test
  void options_areNamedArguments() {
    assert redis.set('k', '1', ex: 60, nx: true) == 'OK'
    assert redis.set('k', '2', nx: true) == null
    assert (redis.ttl('k') as int) in 1..60
    assert redis.setGet('k', '3', keepttl: true, nx: false) == '1'
    redis.sadd('s', 'a', 'b', 'c')
    redis.sadd('t', ['b', 'c'])
    assert redis.sintercard('s', 't') == 2
    assert redis.sintercard('s', 't', limit: 1) == 1
    redis.zadd('z', [one: 1, two: 2.5])
    assert redis.zadd('z', [one: 5, three: 3], nx: true) == 1
    assert redis.zrange('z', 0, -1, rev: true) == ['three', 'two', 'one']
    redis.zadd('y', [one: 10])
    assert redis.zunionWithscores(['z', 'y'], weights: [2, 1], aggregate: 'max').collectEntries {
      [it.value(), it.score()]
    } == [two: 5d, three: 6d, one: 10d]
    redis.rpush('l', 3, 1, 2)
    assert redis.sort('l', limit: [0, 2], desc: true) == ['3', '2']
    redis.mset(w_3: 'c', w_2: 'b', w_1: 'a')
    assert redis.sort('l', get: ['#', 'w_*']) == ['1', 'a', '2', 'b', '3', 'c']
    redis.xadd('x', '1-1', [f: 'v'])
    redis.xadd('x', '2-1', 'f', 'v', trim: ['maxlen', 1])
    assert redis.xlen('x') == 1
    redis.geoadd('g', [rome: [12.5, 41.9], paris: [2.35, 48.85]])
    assert redis.geosearch('g', fromlonlat: [12, 42], byradius: [200, 'km']) == ['rome']
    def near = [fromlonlat: [12, 42], byradius: [200, 'km']]
    def found = redis.geosearch('g', *: near, withdist: true, withcoord: true, withhash: true)[0]
    assert found.member() == 'rome' && found.distance() && found.place() && found.hash()
    found = redis.geosearch('g', *: near, withhash: true, withcoord: false, withdist: true)[0]
    assert found.distance() && found.hash() && !found.place()
  }

  @Test
  void unknownOption_isRefused() {
    assert shouldFail(MissingMethodException) { redis.set('k', 'v', exx: 60) }.message.contains('exx')
    shouldFail(MissingMethodException) { redis.set('k', 'v', ex: 'soon') }
    assert redis.get('k') == null
  }

  @Test
  void replies_areCollections() {
    redis.hset('h', [a: 1, b: 2])
    assert redis.hgetall('h') == [a: '1', b: '2']
    redis.rpush('l', 'x', 'y', 'z')
    def popped = redis.blpop('l', 1)
    assert [popped.key, popped.value] == ['l', 'x']
    assert redis.lmove('l', 'm', ListSide.RIGHT, 'left') == 'z'
  }

  @Test
  void async_returnsStages() {
    def stages = (1..1000).collect { n ->
      redis.async.set("k$n", n).thenCompose { redis.async.get("k$n") }
    }
    assert stages.collect { it.toCompletableFuture().join() } == (1..1000)*.toString()
    assert redis.clientList().readLines().size() < 10
  }

  @Test
  void batch_errorsAreElements() {
    redis.set('text', 'x')
    def first
    def replies = redis.batch {
      first = incr('n')
      incr("te${'xt'}")
      get('missing')
    }
    assert replies[0] == 1
    assert replies[1] instanceof ServerErrorException
    assert replies[2] == null
    assert first.toCompletableFuture().join() == 1
  }

  @Test
  void transaction_repliesTogether_orFailsAsAWhole() {
    assert redis.transaction { incr('n'); incr('n') }.replies() == [1, 2]
    shouldFail(ServerErrorException) { redis.transaction { incr('n'); mget([]) } }
    assert redis.get('n') == '2'
  }

  @Test
  void transaction_withAChangedKey_isAborted() {
    TransactionResult result = redis.dedicated {
      send(Command.of('WATCH', 'k'))
      redis.set('k', 'of another client')
      transaction { set('k', 'mine') }
    }
    assert result.aborted
    assert redis.get('k') == 'of another client'
  }

  @Test
  void watch_repeatsUntilNoClientInterferes() {
    def attempts = new AtomicInteger()
    redis.set('n', 1)
    def result = redis.watch("${'n'}") { reads, own ->
      def n = reads.get('n') as long
      if (attempts.incrementAndGet() < 3) redis.incr('n')
      own.set('n', n * 10)
    }
    assert !result.aborted
    assert attempts.get() == 3
    assert redis.get('n') == '30'
  }

  @Test
  void run_fallsBackToEval() {
    redis.scriptFlush()
    def add = Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer())
    assert redis.run(add, ['n'], [5]) == 5
    assert redis.run(add, ['n'], [5]) == 10
  }

  @Test
  void scans_findAllElements() {
    redis.mset((1..500).collectEntries { ["user:$it", 'v'] })
    redis.set('other', 'v')
    assert redis.scan(match: 'user:*', count: 50).toSet().size() == 500
    assert redis.scan().any { it == 'other' }
    def fields = (1..500).collectEntries { ["f$it".toString(), "$it".toString()] }
    redis.hset('h', fields)
    assert redis.hscan('h').collectEntries { [it.key, it.value] } == fields
    redis.sadd('s', fields.keySet())
    assert redis.sscan("${'s'}").toSet() == fields.keySet()
    redis.zadd('z', [two: 2])
    assert redis.zscan('z').first().value() == 'two'
  }

  @Test
  void codecs_createViews() {
    def numbers = [encode: { n -> n.toString().bytes },
                   decode: { bytes, offset, length -> new String(bytes, offset, length) as int }] as Codec
    def ages = redis.of(Codec.utf8(), numbers)
    ages.hset('ages', [ann: 7])
    assert ages.hget('ages', 'ann') == 7
    assert ages.hget('ages', "${'bob'}") == null
  }
}
