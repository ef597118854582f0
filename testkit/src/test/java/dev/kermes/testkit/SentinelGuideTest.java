package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisSentinelPool;

/** The code of docs/sentinel.md; see {@link GuideBlocks}. */
@Timeout(60)
class SentinelGuideTest {

  @Test
  void guide_saysWhatIsTestedHere() throws IOException {
    GuideBlocks.of(SentinelGuideTest.class).areThoseOf("sentinel.md");
  }

  @Test
  void start() {
    // guide: start
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3)) { // replicas, sentinels
      KermesSentinel.Node first = sentinel.sentinel(0);
      Set<String> sentinels = Set.of(first.host() + ":" + first.port());
      try (JedisSentinelPool pool = new JedisSentinelPool(sentinel.masterName(), sentinels);
          Jedis jedis = pool.getResource()) {
        jedis.set("greeting", "hello");
        assertThat(jedis.get("greeting")).isEqualTo("hello");
      }
    }
    // end
  }

  @Test
  void changes() {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3)) {
      // guide: changes
      sentinel.failover(); // a handover, which loses no write
      sentinel.kill(sentinel.master()); // after 300 ms it counts as down
      sentinel.awaitMaster(); // a replica has taken over
      sentinel.restart(sentinel.node(1)); // as a replica
      sentinel.freeze(sentinel.sentinel(2)); // answers nothing
      sentinel.thaw(sentinel.sentinel(2));
      // end
      assertThat(sentinel.master()).isSameAs(sentinel.node(0));
      assertThat(sentinel.node(1).isMaster()).isFalse();
    }
  }

  @Test
  void clock() {
    // guide: clock
    ManualClock clock = Clock.manual(System.currentTimeMillis());
    try (KermesSentinel sentinel =
        KermesSentinel.builder().clock(clock).downAfter(Duration.ofSeconds(30)).start()) {
      sentinel.kill(sentinel.master());
      clock.advance(Duration.ofSeconds(29)); // clients fail
      clock.advance(Duration.ofSeconds(2)); // a replica takes over
      sentinel.awaitMaster();
    }
    // end
  }
}
