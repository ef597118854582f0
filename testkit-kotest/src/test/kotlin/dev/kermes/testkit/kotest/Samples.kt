package dev.kermes.testkit.kotest

import dev.kermes.testkit.TestServer
import dev.kermes.testkit.kotest.KermesExtension.Reset
import io.kotest.core.spec.style.BehaviorSpec
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.ConcurrentHashMap

/** The ports of the servers that the samples used. */
val PORTS: MutableSet<Int> = ConcurrentHashMap.newKeySet()

fun KermesExtension.visit(): Long = client.blocking().incr("visits")

class EachTest :
  FunSpec({
    val redis = extension(KermesExtension())
    beforeEach { redis.visit() }
    test("first") {
      PORTS += redis.server.port()
      redis.visit() shouldBe 2
    }
    context("of several") {
      test("second") { redis.visit() shouldBe 2 }
      test("third") { redis.visit() shouldBe 2 }
    }
  })

class EachRoot :
  BehaviorSpec({
    val redis = extension(KermesExtension(reset = Reset.EACH_ROOT))
    Given("one visit") {
      PORTS += redis.server.port()
      redis.visit() shouldBe 1
      When("another comes") {
        redis.visit()
        Then("there are two") { redis.client.blocking().get("visits") shouldBe "2" }
        Then("they stay") { redis.client.blocking().get("visits") shouldBe "2" }
      }
    }
    Given("none") { Then("there is none") { redis.client.blocking().get("visits") shouldBe null } }
  })

class EachSpec :
  FunSpec({
    val redis = extension(KermesExtension(reset = Reset.EACH_SPEC))
    beforeSpec {
      PORTS += redis.server.port()
      redis.visit() shouldBe 1
    }
    test("first") { redis.visit() shouldBe 2 }
    test("second") { redis.visit() shouldBe 3 }
  })

class OwnServer :
  FunSpec({
    val redis = extension(KermesExtension(TestServer.builder().option("databases", "3")))
    test("it has the options") {
      PORTS += redis.server.port()
      redis.client.blocking().configGet("databases") shouldBe mapOf("databases" to "3")
    }
  })

class Failing :
  FunSpec({
    val redis = extension(KermesExtension())
    test("it fails") {
      redis.client.blocking().set("visits", "one")
      redis.client.blocking().get("visits") shouldBe "1"
    }
  })
