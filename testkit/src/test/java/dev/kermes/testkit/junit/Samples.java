package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Test classes that {@link KermesExtensionTest} runs, with JUnit 5 and with JUnit 6. */
final class Samples {

  /** The ports of the servers that the samples used. */
  static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

  private Samples() {}

  @KermesTest
  static class EachTest {
    @Test
    void first(RedisClient redis, TestServer server) {
      PORTS.add(server.port());
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void second(RedisClient redis) {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void parameters(TestServer server, ManualClock clock, Faults faults, @RedisUrl String url) {
      assertThat(clock).isSameAs(server.clock());
      assertThat(faults).isSameAs(server.faults());
      assertThat(url).isEqualTo(server.url());
    }

    @Nested
    class Inner {
      @Test
      void sharesTheServer(TestServer server) {
        assertThat(PORTS.add(server.port())).isFalse();
        assertThat(server.client().blocking().incr("visits")).isEqualTo(1);
      }
    }
  }

  @KermesTest(reset = Reset.EACH_CLASS)
  static class EachClass {
    @BeforeAll
    static void fill(TestServer server) {
      PORTS.add(server.port());
      assertThat(server.client().blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void first(RedisClient redis) {
      assertThat(redis.blocking().get("visits")).isEqualTo("1");
    }

    @Test
    void second(RedisClient redis) {
      assertThat(redis.blocking().get("visits")).isEqualTo("1");
    }
  }

  @KermesTest(options = "maxmemory 10mb", realTime = true)
  static class OwnServer {
    @Test
    void hasTheOptions(TestServer server) {
      PORTS.add(server.port());
      assertThat(server.client().blocking().configGet("maxmemory"))
          .containsEntry("maxmemory", "10485760");
    }
  }

  static class Registered {
    @RegisterExtension
    static final KermesExtension REDIS =
        KermesExtension.of(TestServer.builder().option("databases", "3"));

    @Test
    void hasAServerOfItsOwn(RedisClient redis) {
      PORTS.add(REDIS.server().port());
      assertThat(redis.blocking().configGet("databases")).containsEntry("databases", "3");
    }
  }

  @KermesTest
  static class Failing {
    @Test
    void fails(RedisClient redis) {
      redis.blocking().set("visits", "one");
      redis.blocking().incr("visits");
    }
  }

  @KermesTest(options = "maxmemory")
  static class WrongOption {
    @Test
    void isNotReached() {}
  }

  /** Passes only if classes run at the same time, with a server each, and methods do not. */
  private static void atTheSameTime(TestServer server, AtomicInteger running)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    PORTS.add(server.port());
    assertThat(running.incrementAndGet()).isEqualTo(1);
    assertThat(server.client().blocking().incr("visits")).isEqualTo(1);
    BOTH.await(20, TimeUnit.SECONDS);
    running.decrementAndGet();
  }

  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  @KermesTest
  @Execution(ExecutionMode.CONCURRENT)
  static class Left {
    private static final AtomicInteger RUNNING = new AtomicInteger();

    @Test
    void first(TestServer server) throws Exception {
      atTheSameTime(server, RUNNING);
    }

    @Test
    void second(TestServer server) throws Exception {
      atTheSameTime(server, RUNNING);
    }
  }

  @KermesTest
  @Execution(ExecutionMode.CONCURRENT)
  static class Right {
    private static final AtomicInteger RUNNING = new AtomicInteger();

    @Test
    void first(TestServer server) throws Exception {
      atTheSameTime(server, RUNNING);
    }

    @Test
    void second(TestServer server) throws Exception {
      atTheSameTime(server, RUNNING);
    }
  }
}
