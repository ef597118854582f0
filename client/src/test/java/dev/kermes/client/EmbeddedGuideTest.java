package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.time.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/server.md and docs/testing.md; see {@link GuideBlocks}. */
@Timeout(60)
class EmbeddedGuideTest {

  @Test
  void guides_sayWhatIsTestedHere() throws IOException {
    GuideBlocks.of(EmbeddedGuideTest.class).areThoseOf("server.md", "testing.md");
  }

  @Test
  void start() {
    // guide: start
    try (RedisServer server = RedisServer.start(); // a free port of the loopback address
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("greeting", "hello");
    }
    // end
  }

  @Test
  void options() {
    // guide: options
    RedisServer server =
        RedisServer.builder()
            .port(0)
            .option("maxmemory", "100mb") // any option of redis.conf, by its name
            .option("maxmemory-policy", "allkeys-lru")
            .loops(1) // event loops; by default one per two processors
            .start();
    // end
    assertThat(server.ignoredOptions()).isEmpty();
    server.close();
  }

  @Test
  void inVm() {
    // guide: in-vm
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient redis = RedisClient.open(server.inVmUrl())) {
      redis.blocking().incr("visits");
    }
    // end
  }

  @Test
  void files(@TempDir Path temporary) {
    String folder = temporary.toString();
    // guide: files
    try (RedisServer server = RedisServer.builder().port(0).option("dir", folder).start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("kept", "yes");
    } // saves
    try (RedisServer server = RedisServer.builder().port(0).option("dir", folder).start();
        RedisClient redis = RedisClient.open(server.url())) {
      assertThat(redis.blocking().get("kept")).isEqualTo("yes");
    }
    // end
  }

  @Test
  void clock() {
    // guide: clock
    ManualClock clock = dev.kermes.server.time.Clock.manual(System.currentTimeMillis());
    try (RedisServer server = RedisServer.builder().port(0).clock(clock).start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("session", "ann", new SetOptions().ex(60));
      clock.advance(Duration.ofSeconds(61));
      assertThat(redis.blocking().get("session")).isNull();
    }
    // end
  }

  @Test
  void expiry() {
    // guide: expiry
    ManualClock clock = dev.kermes.server.time.Clock.manual(0);
    try (RedisServer server = RedisServer.builder().port(0).clock(clock).start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("token", "t", new SetOptions().ex(3600));

      clock.advance(Duration.ofMinutes(59));
      assertThat(redis.blocking().get("token")).isEqualTo("t");

      clock.advance(Duration.ofMinutes(2));
      assertThat(redis.blocking().get("token")).isNull();
    }
    // end
  }

  @Test
  void blocking() {
    ManualClock clock = dev.kermes.server.time.Clock.manual(0);
    try (RedisServer server = RedisServer.builder().port(0).clock(clock).start();
        RedisClient redis = RedisClient.open(server.url())) {
      // guide: blocking
      var popped = redis.async().blpop("jobs", 30);
      while (!redis.blocking().info("clients").contains("blocked_clients:1")) Thread.onSpinWait();

      clock.advance(Duration.ofSeconds(31));

      assertThat(popped.toCompletableFuture().join()).isNull(); // nothing came in time
      // end
    }
  }

  @Nested
  // guide: junit
  class VisitsTest {
    private static RedisServer server;
    private static RedisClient redis;

    @BeforeAll
    static void start() {
      server = RedisServer.start();
      redis = RedisClient.open(server.url());
    }

    @BeforeEach
    void clear() {
      redis.blocking().flushall();
    }

    @AfterAll
    static void stop() {
      redis.close();
      server.close();
    }

    @Test
    void visits_areCounted() {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }
  }
  // end
}
