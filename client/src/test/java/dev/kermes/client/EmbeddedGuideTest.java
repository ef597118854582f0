package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/server.md; see {@link GuideBlocks}. */
@Timeout(60)
class EmbeddedGuideTest {

  @Test
  void guide_saysWhatIsTestedHere() throws IOException {
    GuideBlocks.of(EmbeddedGuideTest.class).areThoseOf("server.md");
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
}
