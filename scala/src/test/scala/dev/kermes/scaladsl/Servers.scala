package dev.kermes.scaladsl

import dev.kermes.server.RedisServer
import dev.kermes.testing.RealRedis
import java.util.concurrent.TimeUnit
import scala.concurrent.{Await, Future}
import scala.concurrent.duration.*

/** The servers that these tests run against, each started on first use. */
enum ServerUnderTest(start: () => String) extends java.lang.Enum[ServerUnderTest]:
  case Redis extends ServerUnderTest(() => RealRedis.startUntilExit().url)
  case Kermes extends ServerUnderTest(() => RedisServer.start().url)

  lazy val url: String = start()

/** Waits until `condition` holds. */
def eventually(condition: => Boolean): Unit =
  val end = System.nanoTime + TimeUnit.SECONDS.toNanos(30)
  while !condition do
    if System.nanoTime > end then throw IllegalStateException("not within 30 seconds")
    Thread.sleep(2)

extension [T](future: Future[T])
  /** Waits for the result; throws the failure. */
  def get: T = Await.result(future, 30.seconds)
