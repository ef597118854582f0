package dev.kermes.testkit.kotest

import dev.kermes.client.SetOptions
import dev.kermes.testing.GuideBlocks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.time.Duration
import redis.clients.jedis.Jedis
import redis.clients.jedis.exceptions.JedisConnectionException

/** The code of Kotest's chapter in docs/testing.md; see [GuideBlocks]. */
class KotestGuideSpec : FunSpec({
  test("the guide says what is tested here") {
    val source = Path.of("src/test/kotlin/dev/kermes/testkit/kotest/KotestGuideSpec.kt")
    GuideBlocks.of("kotlin", source).areThoseOf("testing.md")
  }
})

// guide: kotest
class VisitsSpec : FunSpec({
  val redis = extension(KermesExtension())
  val jedis = autoClose(Jedis(redis.server.host(), redis.server.port()))

  test("a session expires after an hour") {
    redis.client.blocking().set("session", "ann", SetOptions().ex(3600))

    redis.clock.advance(Duration.ofMinutes(61))

    jedis.exists("session") shouldBe false
  }

  test("a lost reply is noticed") {
    redis.faults.on("INCR").disconnectBeforeReply() // executed, but the client cannot know

    shouldThrow<JedisConnectionException> { jedis.incr("visits") }

    redis.client.blocking().get("visits") shouldBe "1"
  }
})
// end
