package dev.kermes.testkit.munit

import dev.kermes.testkit.TestServer
import java.util.concurrent.ConcurrentHashMap
import munit.FunSuite
import scala.concurrent.Future

/** The ports of the servers that the samples used. */
val ports: java.util.Set[Int] = ConcurrentHashMap.newKeySet()

class Plain extends FunSuite, KermesSuite:
  override def beforeEach(context: BeforeEach): Unit = redis().client.blocking.incr("visits")

  test("first") {
    ports.add(redis().port)
    assert(redis().client.blocking.incr("visits") == 2)
  }

  test("second, later") {
    Future(assert(redis().client.blocking.incr("visits") == 2))(munitExecutionContext)
  }

class Another extends FunSuite, KermesSuite:
  test("first") {
    ports.add(redis().port)
    assert(redis().client.blocking.incr("visits") == 1)
  }

class OwnServer extends FunSuite, KermesSuite:
  override def redisBuilder: Option[TestServer.Builder] = Some(TestServer.builder.option("databases", "3"))

  test("it has the options") {
    ports.add(redis().port)
    assertEquals(redis().client.blocking.configGet("databases").get("databases"), "3")
  }

class Failing extends FunSuite, KermesSuite:
  test("it fails") {
    redis().client.blocking.set("visits", "one")
    assertEquals(redis().client.blocking.get("visits"), "1")
  }
