package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisSentinelPool;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ClientKillParams;

/** Jedis meets faults of the nodes of a cluster, and of servers that sentinels watch. */
@Timeout(60)
class NodeFaultsTest {

  private static final int PATIENT = 20_000;

  private static KermesCluster cluster(int masters, int replicas) {
    return KermesCluster.builder().masters(masters).replicas(replicas).withFaults().start();
  }

  private static JedisCluster jedis(KermesCluster cluster) {
    KermesCluster.Node first = cluster.node(0);
    return new JedisCluster(new HostAndPort(first.host(), first.port()));
  }

  private static Jedis jedis(KermesCluster.Node node) {
    return new Jedis(node.host(), node.port(), PATIENT);
  }

  /** A key that this master serves. */
  private static String keyOf(KermesCluster cluster, KermesCluster.Node master) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "key" + i)
        .filter(each -> cluster.masterOf(KermesCluster.slot(each)) == master)
        .findFirst()
        .orElseThrow();
  }

  private static void await(String event, Supplier<Boolean> condition) {
    NodeProcess.await(event, condition::get);
  }

  // Rules

  @Test
  void port_limitsARuleToOneNode() {
    try (KermesCluster cluster = cluster(2, 0);
        JedisCluster jedis = jedis(cluster)) {
      String here = keyOf(cluster, cluster.node(0));
      String there = keyOf(cluster, cluster.node(1));
      FaultRule rule =
          cluster.faults().on("SET").port(cluster.node(1).port()).error("OOM no memory");
      assertThat(jedis.set(here, "v")).isEqualTo("OK");
      assertThatThrownBy(() -> jedis.set(there, "v"))
          .isInstanceOf(JedisDataException.class)
          .hasMessage("OOM no memory");
      assertThat(rule.hits()).isEqualTo(1);
      assertThat(cluster.report())
          .contains("SET " + there + " v -> (error) OOM no memory  [fault: replaced]")
          .contains(here + ": string");
    }
  }

  @Test
  void lostReply_ofOneNode_isMetByAClientOfTheCluster() {
    try (KermesCluster cluster = cluster(2, 0);
        JedisCluster jedis = jedis(cluster)) {
      String key = keyOf(cluster, cluster.node(1));
      cluster.faults().on("INCR").port(cluster.node(1).port()).times(1).disconnectBeforeReply();
      assertThat(jedis.incr(key)).isEqualTo(2); // it was executed, and Jedis has repeated it
    }
  }

  @Test
  void faults_ofTheMasterThatSentinelsName() {
    try (KermesSentinel sentinel = KermesSentinel.builder().withFaults().start();
        JedisSentinelPool pool = pool(sentinel)) {
      sentinel.faults().on("GET").times(1).error("LOADING later");
      try (Jedis jedis = pool.getResource()) {
        jedis.set("k", "v");
        assertThatThrownBy(() -> jedis.get("k")).hasMessage("LOADING later");
        assertThat(jedis.get("k")).isEqualTo("v");
      }
      assertThat(sentinel.report())
          .contains("SENTINEL", "SET k v -> OK", "[fault: replaced]", "k: string");
    }
  }

  private static JedisSentinelPool pool(KermesSentinel sentinel) {
    KermesSentinel.Node first = sentinel.sentinel(0);
    return new JedisSentinelPool(sentinel.masterName(), Set.of(first.host() + ":" + first.port()));
  }

  @Test
  void faults_withoutProxies_areRefused() {
    try (KermesCluster cluster = KermesCluster.start(1, 0)) {
      assertThatThrownBy(cluster::faults)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("clients meet no faults: start it by builder().withFaults()");
      assertThat(cluster.report()).contains("commands: not known");
    }
  }

  // Frozen

  @Test
  void frozenMaster_isSilent() {
    try (KermesCluster cluster = KermesCluster.start(1, 0);
        Jedis jedis = jedis(cluster.node(0))) {
      jedis.set("k", "v");
      cluster.freeze(cluster.node(0));
      jedis.getConnection().setSoTimeout(100);
      assertThatThrownBy(() -> jedis.get("k"))
          .isInstanceOf(JedisConnectionException.class)
          .hasMessageContaining("timed out");
    }
  }

  // A lagging replica

  @Test
  void lag_keepsAReplicaBehind_untilItIsReleased() {
    try (KermesCluster cluster = KermesCluster.start(1, 1);
        Jedis master = jedis(cluster.node(0));
        Jedis replica = jedis(cluster.node(1))) {
      replica.readonly();
      master.set("before", "v");
      cluster.lag(cluster.node(1), 2);
      assertThat(replica.get("before")).isEqualTo("v");
      for (int i = 0; i < 5; i++) master.incr("n");
      await("the third write", () -> "3".equals(replica.get("n")));
      assertThat(master.waitReplicas(1, 100)).isZero();
      assertThat(replica.get("n")).isEqualTo("3");
      assertThat(cluster.node(1).isLagging()).isTrue();
      cluster.lag(cluster.node(1), 1);
      await("the fourth write", () -> "4".equals(replica.get("n")));
      cluster.lag(cluster.node(1), 0);
      assertThat(replica.get("n")).isEqualTo("5");
      assertThat(master.waitReplicas(1, 0)).isEqualTo(1);
    }
  }

  @Test
  void lag_makesAFailoverLoseThatManyWrites() {
    try (KermesCluster cluster = KermesCluster.start(1, 1);
        Jedis master = jedis(cluster.node(0))) {
      cluster.lag(cluster.node(1), 2);
      for (int i = 1; i <= 5; i++) assertThat(master.incr("n")).isEqualTo(i);
      try (Jedis replica = jedis(cluster.node(1))) {
        replica.readonly();
        await("the third write", () -> "3".equals(replica.get("n")));
      }
      cluster.kill(cluster.node(0));
      try (Jedis heir = jedis(cluster.node(1))) {
        assertThat(heir.get("n")).isEqualTo("3"); // two acknowledged writes are lost
        assertThat(heir.incr("n")).isEqualTo(4);
      }
    }
  }

  @Test
  void lag_continuesAfterAFullSync() {
    KermesCluster.Builder builder = KermesCluster.builder().masters(1).replicas(1);
    try (KermesCluster cluster = builder.option("repl-backlog-size", "16384").start();
        Jedis master = jedis(cluster.node(0));
        Jedis replica = jedis(cluster.node(1))) {
      replica.readonly();
      cluster.lag(cluster.node(1), 1);
      master.set("sent", "v".repeat(1_000_000));
      master.set("held", "v".repeat(1_000_000));
      await("the first write", () -> replica.strlen("sent") == 1_000_000);
      assertThat(replica.exists("held")).isFalse();
      // The held write is older than the backlog, so that a lost link needs all data.
      master.clientKill(ClientKillParams.clientKillParams().type(ClientType.REPLICA));
      await("the full sync", () -> hasHeld(replica));
      master.incr("n");
      master.incr("n");
      await("the write before the last", () -> "1".equals(replica.get("n")));
      assertThat(master.waitReplicas(1, 100)).isZero();
    }
  }

  private static boolean hasHeld(Jedis replica) {
    try {
      return replica.strlen("held") == 1_000_000;
    } catch (JedisDataException e) {
      return false; // LOADING
    }
  }

  @Test
  void lag_ofTheReplicaOfASentinelsMaster() {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 1);
        RedisClient master = sentinel.client();
        Jedis replica = new Jedis(sentinel.node(1).host(), sentinel.node(1).port(), PATIENT)) {
      sentinel.lag(sentinel.node(1), 1);
      master.blocking().set("k", "1");
      master.blocking().set("k", "2");
      await("the first write", () -> "1".equals(replica.get("k")));
      sentinel.lag(sentinel.node(1), 0);
      assertThat(replica.get("k")).isEqualTo("2");
    }
  }

  @Test
  void lag_wrongUse_isExplained() {
    try (KermesCluster cluster = KermesCluster.start(1, 1)) {
      assertThatThrownBy(() -> cluster.lag(cluster.node(0), 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("not a replica: node ");
      assertThatThrownBy(() -> cluster.lag(cluster.node(1), -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a lag is not negative: writes=-1");
    }
  }
}
