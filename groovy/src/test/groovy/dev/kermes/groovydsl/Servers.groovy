package dev.kermes.groovydsl

import dev.kermes.server.RedisServer
import groovy.transform.CompileStatic
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions
import org.junit.jupiter.api.function.Executable

/** The servers that these tests run against, each started on first use. */
@CompileStatic
enum ServerUnderTest {
  REDIS({ Servers.startRedis() }),
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

@CompileStatic
class Servers {
  /** The installed redis-server on a free port, until this JVM ends. */
  static String startRedis() {
    int port = new ServerSocket(0).withCloseable { it.localPort }
    List<String> command = ['redis-server', '--port', port as String, '--bind', '127.0.0.1', '--save', '',
                            '--appendonly', 'no']
    Process process
    try {
      process = new ProcessBuilder(command).start()
    } catch (IOException e) {
      throw new IllegalStateException('these tests need redis-server on the PATH', e)
    }
    Runtime.runtime.addShutdownHook(new Thread({ process.destroy() }))
    boolean isReady = process.inputReader().lines().anyMatch { it.contains('Ready to accept') }
    if (!isReady) throw new IllegalStateException('redis-server ended')
    "redis://127.0.0.1:$port"
  }

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
