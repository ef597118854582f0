package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

/** The code of docs/cluster.md; see {@link GuideBlocks}. */
@Timeout(60)
class ClusterGuideTest {

  @Test
  void guide_saysWhatIsTestedHere() throws IOException {
    GuideBlocks.of(ClusterGuideTest.class).areThoseOf("cluster.md");
  }

  @Test
  void start() {
    // guide: start
    try (KermesCluster cluster = KermesCluster.start(3, 1)) { // masters, replicas of each
      KermesCluster.Node node = cluster.node(0);
      try (JedisCluster jedis = new JedisCluster(new HostAndPort(node.host(), node.port()))) {
        jedis.set("greeting", "hello");
        assertThat(jedis.get("greeting")).isEqualTo("hello");
      }
    }
    // end
  }

  @Test
  void changes() {
    try (KermesCluster cluster = KermesCluster.start(3, 1)) {
      // guide: changes
      cluster.move(0, 999, cluster.node(1)); // MOVED, ASK and TRYAGAIN
      cluster.failover(cluster.node(3)); // a handover, which loses no write
      cluster.kill(cluster.node(1)); // its replica takes over
      cluster.restart(cluster.node(1)); // as a replica
      cluster.freeze(cluster.node(2)); // answers nothing; its replica takes over
      cluster.thaw(cluster.node(2));
      // end
      assertThat(cluster.masterOf(0)).isSameAs(cluster.node(4));
      assertThat(cluster.masterOf(5000)).isSameAs(cluster.node(3));
      assertThat(cluster.masterOf(16_000)).isSameAs(cluster.node(5));
    }
  }

  @Test
  void faults() {
    // guide: faults
    try (KermesCluster cluster = KermesCluster.builder().withFaults().start();
        JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.node(0).port()))) {
      KermesCluster.Node master = cluster.masterOf(KermesCluster.slot("greeting"));
      cluster.faults().on("SET").port(master.port()).error("OOM no memory");
      assertThatThrownBy(() -> jedis.set("greeting", "hello")).hasMessage("OOM no memory");
    }
    // end
  }

  @Test
  void clock() {
    // guide: clock
    ManualClock clock = Clock.manual(System.currentTimeMillis());
    try (KermesCluster cluster = KermesCluster.builder().clock(clock).start();
        JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.node(0).port()))) {
      jedis.setex("session", 3600, "ann");
      clock.advance(Duration.ofMinutes(61));
      assertThat(jedis.exists("session")).isFalse();
    }
    // end
  }

  @Test
  void options() {
    try (KermesCluster cluster =
        // guide: options
        KermesCluster.builder()
            .masters(1)
            .option("cluster-announce-hostname", "localhost")
            .option("cluster-preferred-endpoint-type", "hostname")
            .start()
    // end
    ) {
      assertThat(cluster.nodes()).hasSize(1);
    }
  }
}
