package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.params.SetParams;

/** The nodes of a cluster have the time of a clock that the test moves. */
@Timeout(60)
class ClusterClockTest {

  private static final int PATIENT = 20_000;
  private static final Duration DAY = Duration.ofDays(1);

  private final ManualClock clock = Clock.manual(1_700_000_000_000L);

  private KermesCluster start(int masters, int replicas) {
    return KermesCluster.builder().masters(masters).replicas(replicas).clock(clock).start();
  }

  private static Jedis jedis(KermesCluster.Node node) {
    return new Jedis(node.host(), node.port(), PATIENT);
  }

  @Test
  void keys_expireOnAllNodesAtOnce() {
    try (KermesCluster cluster = start(3, 1);
        JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.node(0).port()))) {
      SetParams forAnHour = SetParams.setParams().ex(3600);
      for (int i = 0; i < 100; i++) jedis.set("key" + i, "v", forAnHour);
      clock.advance(Duration.ofMinutes(59));
      assertThat(jedis.ttl("key0")).isEqualTo(60);
      clock.advance(Duration.ofMinutes(2));
      for (int i = 0; i < 3; i++) {
        try (Jedis master = jedis(cluster.node(i));
            Jedis replica = jedis(cluster.node(i + 3))) {
          assertThat(master.dbSize()).isZero(); // deleted, not only hidden
          master.waitReplicas(1, 0);
          assertThat(replica.dbSize()).isZero();
        }
      }
    }
  }

  @Test
  void blockedClients_waitByTheClock() throws IOException {
    try (KermesCluster cluster = start(2, 1);
        RespSocket master = new RespSocket(cluster.node(0).port());
        RespSocket waiting = new RespSocket(cluster.node(0).port());
        RespSocket confirming = new RespSocket(cluster.node(0).port())) {
      waiting.send("BLPOP", "b", "30");
      master.awaitInfo("blocked_clients:1");
      cluster.lag(cluster.node(2), 5);
      confirming.call("SET", "b{b}", "1");
      confirming.send("WAIT", "1", "30000");
      master.awaitInfo("blocked_clients:2");
      clock.advance(Duration.ofSeconds(29));
      assertThat(master.call("INFO", "clients").text()).contains("blocked_clients:2");
      clock.advance(Duration.ofSeconds(2));
      assertThat(waiting.read()).hasToString("*-1");
      assertThat(confirming.read()).hasToString(":0");
    }
  }

  @Test
  void replication_survivesAJump() {
    try (KermesCluster cluster = start(1, 1);
        Jedis master = jedis(cluster.node(0))) {
      master.set("before", "v");
      clock.advance(DAY);
      master.set("after", "v");
      assertThat(master.waitReplicas(1, 0)).isEqualTo(1);
      try (Jedis replica = jedis(cluster.node(1))) {
        replica.readonly();
        assertThat(replica.get("after")).isEqualTo("v");
      }
    }
  }

  @Test
  void roles_changeWhileTheClockStands() {
    try (KermesCluster cluster = start(2, 1);
        JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.node(1).port()))) {
      jedis.set("b", "1");
      cluster.failover(cluster.node(2));
      cluster.move(3300, 3300, cluster.node(1));
      cluster.failover(cluster.node(3));
      assertThat(cluster.masterOf(3300)).isSameAs(cluster.node(3));
      cluster.kill(cluster.node(3));
      assertThat(jedis.get("b")).isEqualTo("1");
      cluster.restart(cluster.node(3));
      assertThat(cluster.replicasOf(cluster.node(1))).containsExactly(cluster.node(3));
    }
  }

  @Test
  void frozenNode_seesTheNewTimeWhenItContinues() throws IOException {
    try (KermesCluster cluster = start(2, 0);
        RespSocket frozen = new RespSocket(cluster.node(0).port())) {
      frozen.call("SET", "b", "1", "EX", "60");
      cluster.freeze(cluster.node(0));
      clock.advance(DAY); // does not wait for the frozen node
      cluster.thaw(cluster.node(0));
      assertThat(frozen.call("GET", "b")).hasToString("$-1");
    }
  }

  @Test
  void restartedNodes_haveTheClock() {
    try (KermesCluster cluster = start(1, 0)) {
      clock.advance(DAY);
      cluster.kill(cluster.node(0));
      cluster.reset();
      try (Jedis jedis = jedis(cluster.node(0))) {
        jedis.setex("k", 60, "v");
        clock.advance(Duration.ofSeconds(59));
        assertThat(jedis.get("k")).isEqualTo("v");
        clock.advance(Duration.ofSeconds(2));
        assertThat(jedis.get("k")).isNull();
      }
    }
  }
}
