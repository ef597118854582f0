package dev.kermes.testkit.spock

import dev.kermes.client.RedisClient
import dev.kermes.client.SetOptions
import dev.kermes.server.time.ManualClock
import dev.kermes.testing.GuideBlocks
import dev.kermes.testkit.Faults
import dev.kermes.testkit.TestServer
import java.nio.file.Path
import java.time.Duration
import redis.clients.jedis.Jedis
import redis.clients.jedis.exceptions.JedisConnectionException
import spock.lang.Specification

/** The code of Spock's chapter in docs/testing.md; see {@link GuideBlocks}. */
class SpockGuideSpec extends Specification {

  def 'the guide says what is tested here'() {
    when:
    def source = Path.of("src/test/groovy/${SpockGuideSpec.name.replace('.', '/')}.groovy")
    GuideBlocks.of('groovy', source).areThoseOf('testing.md')

    then:
    noExceptionThrown()
  }
}

// guide: spock
@KermesSpec
class VisitsSpec extends Specification {
  Jedis jedis

  def setup(TestServer server) {
    jedis = new Jedis(server.host(), server.port())
  }

  def cleanup() {
    jedis.close()
  }

  def 'a session expires after an hour'(RedisClient redis, ManualClock clock) {
    given:
    redis.blocking().set('session', 'ann', new SetOptions().ex(3600))

    when:
    clock.advance(Duration.ofMinutes(minutes))

    then:
    jedis.exists('session') == isAlive

    where:
    minutes | isAlive
    59      | true
    61      | false
  }

  def 'a lost reply is noticed'(Faults faults) {
    given:
    faults.on('INCR').disconnectBeforeReply() // executed, but the client cannot know

    when:
    jedis.incr('visits')

    then:
    thrown(JedisConnectionException)
  }
}
// end
