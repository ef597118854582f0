package dev.kermes.kotlindsl

import dev.kermes.server.RedisServer
import java.io.IOException
import java.net.ServerSocket

/** The servers that these tests run against, each started on first use. */
enum class ServerUnderTest(private val start: () -> String) {
  REDIS({ startRedis() }),
  KERMES({ RedisServer.start().url() });

  val url: String by lazy { start() }
}

/** The installed redis-server on a free port, until this JVM ends. */
private fun startRedis(): String {
  val port = ServerSocket(0).use { it.localPort }
  val process =
    try {
      ProcessBuilder(
          "redis-server",
          "--port",
          "$port",
          "--bind",
          "127.0.0.1",
          "--save",
          "",
          "--appendonly",
          "no",
        )
        .start()
    } catch (e: IOException) {
      throw IllegalStateException("these tests need redis-server on the PATH", e)
    }
  Runtime.getRuntime().addShutdownHook(Thread { process.destroy() })
  process.inputReader().lineSequence().first { "Ready to accept" in it }
  return "redis://127.0.0.1:$port"
}

/** Waits until [condition] holds. */
fun eventually(condition: () -> Boolean) {
  val end = System.nanoTime() + 30_000_000_000
  while (!condition()) {
    check(System.nanoTime() < end) { "not within 30 seconds" }
    Thread.sleep(2)
  }
}
