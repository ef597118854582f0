package dev.kermes.scaladsl

import dev.kermes.server.RedisServer
import java.io.IOException
import java.net.{InetAddress, ServerSocket, Socket}
import java.util.concurrent.TimeUnit
import scala.concurrent.{Await, Future}
import scala.concurrent.duration.*
import scala.util.Using

/** The servers that these tests run against, each started on first use. */
enum ServerUnderTest(start: () => String) extends java.lang.Enum[ServerUnderTest]:
  case Redis extends ServerUnderTest(() => Servers.startRedis())
  case Kermes extends ServerUnderTest(() => RedisServer.start().url)

  lazy val url: String = start()

object Servers:
  /** The installed redis-server on a free port, until this JVM ends. */
  def startRedis(): String =
    val port = Using.resource(ServerSocket(0))(_.getLocalPort)
    val command = List("redis-server", "--port", s"$port", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
    val process =
      try ProcessBuilder(command*).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
      catch case e: IOException => throw IllegalStateException("these tests need redis-server on the PATH", e)
    Runtime.getRuntime.addShutdownHook(Thread(() => process.destroy()))
    eventually(process.isAlive && isListening(port))
    s"redis://127.0.0.1:$port"

  private def isListening(port: Int): Boolean =
    try Using.resource(Socket(InetAddress.getLoopbackAddress, port))(_.isConnected)
    catch case _: IOException => false

/** Waits until `condition` holds. */
def eventually(condition: => Boolean): Unit =
  val end = System.nanoTime + TimeUnit.SECONDS.toNanos(30)
  while !condition do
    if System.nanoTime > end then throw IllegalStateException("not within 30 seconds")
    Thread.sleep(2)

extension [T](future: Future[T])
  /** Waits for the result; throws the failure. */
  def get: T = Await.result(future, 30.seconds)
