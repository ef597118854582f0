package dev.kermes.groovydsl

import dev.kermes.server.RedisServer
import dev.kermes.testing.RealRedis
import groovy.transform.CompileStatic
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.function.Executable

/** The servers that these tests run against, each started on first use. */
@CompileStatic
enum ServerUnderTest {
  REDIS({ RealRedis.startUntilExit().url() }),
  KERMES({ RedisServer.start().url() })

  private final Closure<String> start
  private String started

  ServerUnderTest(Closure<String> start) {
    this.start = start
  }

  synchronized String getUrl() {
    started ?= start()
  }
}

/** Tests with a client of a server that is empty. */
abstract class RedisTest {
  final Redis redis

  RedisTest(ServerUnderTest server) {
    redis = Redis.open(server.url)
  }

  @BeforeEach
  void empty() {
    redis.flushall()
  }

  @AfterEach
  void close() {
    redis.close()
  }
}

@CompileStatic
class Servers {
  /** Waits until the condition holds. */
  static void eventually(Closure<?> condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
    while (!condition()) {
      if (System.nanoTime() > end) throw new IllegalStateException('not within 30 seconds')
      Thread.sleep(2)
    }
  }

  /** The exception that the closure throws. */
  static <T extends Throwable> T shouldFail(Class<T> type, Closure<?> body) {
    Assertions.assertThrows(type, { body.call() } as Executable)
  }
}
