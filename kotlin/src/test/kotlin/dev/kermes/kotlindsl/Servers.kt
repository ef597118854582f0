package dev.kermes.kotlindsl

import dev.kermes.server.RedisServer
import dev.kermes.testing.RealRedis

/** The servers that these tests run against, each started on first use. */
enum class ServerUnderTest(private val start: () -> String) {
  REDIS({ RealRedis.startUntilExit().url() }),
  KERMES({ RedisServer.start().url() });

  val url: String by lazy { start() }
}

/** Waits until [condition] holds. */
fun eventually(condition: () -> Boolean) {
  val end = System.nanoTime() + 30_000_000_000
  while (!condition()) {
    check(System.nanoTime() < end) { "not within 30 seconds" }
    Thread.sleep(2)
  }
}
