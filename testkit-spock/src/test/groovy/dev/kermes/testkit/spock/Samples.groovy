package dev.kermes.testkit.spock

import dev.kermes.client.RedisClient
import dev.kermes.server.time.ManualClock
import dev.kermes.testkit.Faults
import dev.kermes.testkit.TestServer
import java.util.concurrent.ConcurrentHashMap
import spock.lang.Specification

/** Specifications that {@link KermesSpecSpec} runs. */
class Samples {

  /** The ports of the servers that the samples used. */
  static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet()

  @KermesSpec
  static class EachIteration extends Specification {
    def setup(RedisClient redis) {
      redis.blocking().incr('setups')
    }

    def 'the server is reset before each iteration'(TestServer server) {
      PORTS << server.port()

      expect:
      server.client().blocking().get('setups') == '1'
      server.client().blocking().incr('visits') == visits

      where:
      visits << [1, 1]
    }

    def 'parameters are parts of one server'(TestServer server, RedisClient redis, ManualClock clock, Faults faults) {
      expect:
      redis.is(server.client())
      clock.is(server.clock())
      faults.is(server.faults())
    }
  }

  @KermesSpec(reset = KermesSpec.Reset.EACH_SPEC)
  static class EachSpec extends Specification {
    def setupSpec(TestServer server) {
      PORTS << server.port()
      server.client().blocking().incr('visits')
    }

    def 'data of setupSpec stay'(RedisClient redis) {
      expect:
      redis.blocking().incr('visits') == visits

      where:
      visits << [2, 3]
    }
  }

  static class Inherited extends EachIteration {
    def 'a feature of its own'(RedisClient redis) {
      expect:
      redis.blocking().get('setups') == '1'
    }
  }

  @KermesSpec(options = 'maxmemory 10mb', realTime = true)
  static class OwnServer extends Specification {
    def 'it has the options'(TestServer server) {
      PORTS << server.port()

      expect:
      server.client().blocking().configGet('maxmemory') == [maxmemory: '10485760']
    }
  }

  @KermesSpec
  static class Failing extends Specification {
    def 'it fails'(RedisClient redis) {
      when:
      redis.blocking().set('visits', 'one')

      then:
      redis.blocking().get('visits') == '1'
    }
  }
}
