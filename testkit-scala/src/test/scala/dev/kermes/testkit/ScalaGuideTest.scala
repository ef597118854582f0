package dev.kermes.testkit

import dev.kermes.client.SetOptions
import dev.kermes.testing.GuideBlocks
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.runner.JUnitCore
import org.scalatest.Args
import org.scalatest.events.{Event, TestSucceeded}
import redis.clients.jedis.Jedis
import redis.clients.jedis.exceptions.JedisConnectionException
import scala.jdk.CollectionConverters.*
import scala.util.Using

/** The code of Scala's chapters in docs/testing.md; see [[GuideBlocks]]. */
class ScalaGuideTest:

  @Test
  def guide_saysWhatIsTestedHere(): Unit =
    val source = Path.of("src/test/scala/dev/kermes/testkit/ScalaGuideTest.scala")
    GuideBlocks.of("scala", source).areThoseOf("testing.md")

  @Test
  def scalatest_passes(): Unit =
    val events = ConcurrentLinkedQueue[Event]
    ScalatestGuide.VisitsSuite().run(None, Args(event => events.add(event))).waitUntilCompleted()
    assertThat(events.asScala.count(_.isInstanceOf[TestSucceeded])).isEqualTo(2)

  @Test
  def munit_passes(): Unit =
    val result = JUnitCore.runClasses(classOf[MunitGuide.VisitsSuite])
    assertThat(result.getFailures).isEmpty()
    assertThat(result.getRunCount).isEqualTo(1)

object ScalatestGuide:
  import dev.kermes.testkit.scalatest.KermesSuite
  import org.scalatest.funsuite.AnyFunSuite

  // guide: scalatest
  class VisitsSuite extends AnyFunSuite, KermesSuite:
    test("a session expires after an hour") {
      redis.client.blocking.set("session", "ann", SetOptions().ex(3600))

      redis.clock.advance(Duration.ofMinutes(61))

      assert(redis.client.blocking.get("session") == null)
    }

    test("a lost reply is noticed") {
      redis.faults.on("INCR").disconnectBeforeReply() // executed, but the client cannot know

      Using.resource(Jedis(redis.host, redis.port)) { jedis =>
        assertThrows[JedisConnectionException] { jedis.incr("visits") }
      }

      assert(redis.client.blocking.get("visits") == "1")
    }
  // end

object MunitGuide:
  import dev.kermes.testkit.munit.KermesSuite
  import _root_.munit.FunSuite

  // guide: munit
  class VisitsSuite extends FunSuite, KermesSuite:
    test("visits are counted") {
      Using.resource(Jedis(redis().host, redis().port)) { jedis =>
        assertEquals(jedis.incr("visits"), 1L)
      }
    }
  // end
