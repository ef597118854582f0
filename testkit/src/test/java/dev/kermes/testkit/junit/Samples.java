package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest.Reset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Test classes that {@link KermesExtensionTest} runs, with JUnit 5 and with JUnit 6. */
final class Samples {

  private Samples() {}

  @KermesTest
  static class EachTest extends SampleBodies.EachTest {
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
        assertThat(SampleBodies.URLS.add(server.url())).isFalse();
        assertThat(server.client().blocking().incr("visits")).isEqualTo(1);
      }
    }
  }

  @KermesTest(reset = Reset.EACH_CLASS)
  static class EachClass extends SampleBodies.EachClass {}

  @KermesTest(options = "maxmemory 10mb", realTime = true)
  static class OwnServer {
    @Test
    void hasTheOptions(TestServer server) {
      SampleBodies.URLS.add(server.url());
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
      SampleBodies.URLS.add(REDIS.server().url());
      assertThat(redis.blocking().configGet("databases")).containsEntry("databases", "3");
    }
  }

  @KermesTest
  static class Failing extends SampleBodies.Failing {}

  @KermesTest(options = "maxmemory")
  static class WrongOption {
    @Test
    void isNotReached() {}
  }

  @KermesTest
  @Execution(ExecutionMode.CONCURRENT)
  static class Left extends SampleBodies.AtTheSameTime {}

  @KermesTest
  @Execution(ExecutionMode.CONCURRENT)
  static class Right extends SampleBodies.AtTheSameTime {}
}
