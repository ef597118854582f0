package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster, or servers with sentinels, after a reset. */
@Timeout(60)
class DeploymentResetTest {

  private static KermesCluster cluster() {
    return KermesCluster.builder().masters(2).replicas(1).withFaults().start();
  }

  private static List<String> ids(KermesCluster cluster) {
    return cluster.nodes().stream().map(KermesCluster.Node::id).toList();
  }

  private static List<Integer> ports(KermesCluster cluster) {
    return cluster.nodes().stream().map(KermesCluster.Node::port).toList();
  }

  @Test
  void cluster_withTheSameSlotsAndRoles_keepsItsNodes() throws IOException {
    try (KermesCluster cluster = cluster();
        RespSocket master = new RespSocket(cluster.node(0).port());
        RespSocket replica = new RespSocket(cluster.node(2).port());
        RespSocket subscriber = new RespSocket(cluster.node(2).port())) {
      List<String> ids = ids(cluster);
      master.call("SET", "b", "1");
      master.call("CONFIG", "SET", "maxmemory", "10mb");
      replica.call("CONFIG", "SET", "maxmemory", "20mb");
      replica.call("ACL", "SETUSER", "ann", "on");
      subscriber.call("SUBSCRIBE", "news");
      cluster.faults().on("GET").error("BUSY later");
      cluster.reset();
      assertThat(ids(cluster)).isEqualTo(ids);
      assertThat(subscriber.readToEnd()).isEmpty();
      assertThat(master.call("GET", "b")).hasToString("$-1");
      assertThat(master.call("CONFIG", "GET", "maxmemory").toString()).contains("maxmemory, $1:0");
      assertThat(replica.call("CONFIG", "GET", "maxmemory").toString()).contains("maxmemory, $1:0");
      assertThat(replica.call("DBSIZE")).hasToString(":0");
      assertThat(replica.call("ACL", "USERS").toString()).doesNotContain("ann");
      assertThat(cluster.report()).doesNotContain("SUBSCRIBE");
    }
  }

  private static Named<Consumer<KermesCluster>> change(
      String name, Consumer<KermesCluster> change) {
    return Named.of(name, change);
  }

  static Stream<Named<Consumer<KermesCluster>>> changes() {
    return Stream.of(
        change("failover", cluster -> cluster.failover(cluster.node(2))),
        change("moved slots", cluster -> cluster.move(0, 10, cluster.node(1))),
        change("killed master", cluster -> cluster.kill(cluster.node(0))),
        change("killed replica", cluster -> cluster.kill(cluster.node(3))),
        change("frozen replica", cluster -> cluster.freeze(cluster.node(2))),
        change("lagging replica", cluster -> cluster.lag(cluster.node(2), 3)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void cluster_afterAChange_getsNewNodesAtTheSamePorts(Consumer<KermesCluster> change)
      throws IOException {
    try (KermesCluster cluster = cluster()) {
      List<String> ids = ids(cluster);
      List<Integer> ports = ports(cluster);
      cluster.client().blocking().set("b", "1");
      change.accept(cluster);
      cluster.reset();
      assertThat(ids(cluster)).doesNotContainAnyElementsOf(ids);
      assertThat(ports(cluster)).isEqualTo(ports);
      assertThat(cluster.masterOf(0)).isSameAs(cluster.node(0));
      assertThat(cluster.replicasOf(cluster.node(1))).containsExactly(cluster.node(3));
      assertThat(cluster.client().blocking().get("b")).isNull();
      try (RespSocket other = new RespSocket(cluster.node(1).port())) {
        assertThat(other.call("GET", "b"))
            .hasToString("-MOVED 3300 127.0.0.1:" + cluster.node(0).port());
      }
    }
  }

  @Test
  void cluster_withoutProxies_isResetAsWell() {
    try (KermesCluster cluster = KermesCluster.start(1, 1)) {
      List<Integer> ports = ports(cluster);
      cluster.kill(cluster.node(0));
      cluster.reset();
      assertThat(ports(cluster)).isEqualTo(ports);
      cluster.client().blocking().set("k", "v");
      cluster.reset();
      assertThat(cluster.client().blocking().get("k")).isNull();
    }
  }

  @Test
  void cluster_thatNeedsAPassword_isStartedAnew() {
    try (KermesCluster cluster =
        KermesCluster.builder().masters(1).option("requirepass", "secret").start()) {
      List<String> ids = ids(cluster);
      cluster.reset();
      assertThat(ids(cluster)).doesNotContainAnyElementsOf(ids);
    }
  }

  // Sentinels

  private static List<Integer> ports(KermesSentinel sentinel) {
    return Stream.concat(sentinel.nodes().stream(), sentinel.sentinels().stream())
        .map(KermesSentinel.Node::port)
        .toList();
  }

  @Test
  void sentinel_withTheSameRoles_keepsItsNodes() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.builder().withFaults().start();
        RespSocket replica = new RespSocket(sentinel.node(1).port())) {
      KermesSentinel.Node master = sentinel.master();
      sentinel.client().blocking().set("k", "v");
      replica.call("CONFIG", "SET", "maxmemory", "20mb");
      sentinel.reset();
      assertThat(sentinel.master()).isSameAs(master);
      assertThat(sentinel.client().blocking().get("k")).isNull();
      assertThat(replica.call("DBSIZE")).hasToString(":0");
      assertThat(replica.call("CONFIG", "GET", "maxmemory").toString()).contains("maxmemory, $1:0");
      assertThat(replica.call("ROLE").toString()).contains("slave");
    }
  }

  private static Named<Consumer<KermesSentinel>> sentinelChange(
      String name, Consumer<KermesSentinel> change) {
    return Named.of(name, change);
  }

  static Stream<Named<Consumer<KermesSentinel>>> sentinelChanges() {
    return Stream.of(
        sentinelChange("failover", KermesSentinel::failover),
        sentinelChange("killed replica", sentinel -> sentinel.kill(sentinel.node(1))),
        sentinelChange("killed sentinel", sentinel -> sentinel.kill(sentinel.sentinel(1))),
        sentinelChange("another quorum", DeploymentResetTest::setQuorum));
  }

  private static void setQuorum(KermesSentinel sentinel) {
    try (RespSocket socket = new RespSocket(sentinel.sentinel(0).port())) {
      socket.call("SENTINEL", "SET", sentinel.masterName(), "quorum", "1");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("sentinelChanges")
  void sentinel_afterAChange_getsNewNodesAtTheSamePorts(Consumer<KermesSentinel> change) {
    try (KermesSentinel sentinel = KermesSentinel.builder().withFaults().start()) {
      List<Integer> ports = ports(sentinel);
      List<KermesSentinel.Node> nodes = sentinel.nodes();
      change.accept(sentinel);
      sentinel.reset();
      assertThat(ports(sentinel)).isEqualTo(ports);
      assertThat(sentinel.nodes()).doesNotContainAnyElementsOf(nodes);
      try (RedisClient redis = RedisClient.open(sentinel.url())) {
        assertThat(redis.blocking().set("k", "v")).isEqualTo("OK");
      }
    }
  }
}
