package dev.kermes.testkit.scalatest

import dev.kermes.testkit.TestServer
import java.util.concurrent.ConcurrentHashMap
import org.scalatest.funsuite.{AnyFunSuite, AsyncFunSuite}
import scala.concurrent.Future

/** The suites that [[KermesSuiteTest]] runs, and the ports of the servers that they used. */
object Samples:
  val ports: java.util.Set[Int] = ConcurrentHashMap.newKeySet()

  class Plain extends AnyFunSuite, KermesSuite:
    override def beforeEach(): Unit = redis.client.blocking.incr("visits")

    for name <- Seq("first", "second") do
      test(name) {
        ports.add(redis.port)
        assert(redis.client.blocking.incr("visits") == 2)
      }

  class Async extends AsyncFunSuite, KermesSuite:
    for name <- Seq("first", "second") do
      test(name) {
        ports.add(redis.port)
        Future(assert(redis.client.blocking.incr("visits") == 1))
      }

  class OwnServer extends AnyFunSuite, KermesSuite:
    override def redisBuilder: Option[TestServer.Builder] = Some(TestServer.builder.option("databases", "3"))

    test("it has the options") {
      ports.add(redis.port)
      assert(redis.client.blocking.configGet("databases").get("databases") == "3")
    }

  class FailingBefore extends AnyFunSuite, KermesSuite:
    override def beforeAll(): Unit =
      ports.add(redis.port)
      throw IllegalStateException("before all")

    test("it does not run") {}

  class Failing extends AsyncFunSuite, KermesSuite:
    test("it fails") {
      redis.client.blocking.set("visits", "one")
      Future(assert(redis.client.blocking.get("visits") == "1"))
    }
