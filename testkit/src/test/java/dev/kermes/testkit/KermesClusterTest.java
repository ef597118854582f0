package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import dev.kermes.testing.KermesThreads;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KermesClusterTest {

  private static RespSocket socket(KermesCluster.Node node) throws IOException {
    return new RespSocket(node.port());
  }

  @Test
  void start_sharesTheSlotsAndReplicates() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(3, 2)) {
      assertThat(cluster.nodes()).hasSize(9);
      assertThat(cluster.masterOf(0)).isSameAs(cluster.node(0));
      assertThat(cluster.masterOf(16_383)).isSameAs(cluster.node(2));
      assertThat(cluster.replicasOf(cluster.node(1)))
          .containsExactly(cluster.node(4), cluster.node(7));
      try (RespSocket master = socket(cluster.masterOf(KermesCluster.slot("foo")))) {
        master.call("SET", "foo", "1");
        assertThat(master.call("WAIT", "2", "0")).hasToString(":2");
      }
    }
  }

  @Test
  void start_usesPortsAndOptions() throws IOException {
    int port = Ports.free();
    try (KermesCluster cluster =
        KermesCluster.builder().masters(1).port(port).option("maxmemory", "10mb").start()) {
      assertThat(cluster.node(0).url()).isEqualTo("redis://127.0.0.1:" + port);
      try (RespSocket node = socket(cluster.node(0))) {
        assertThat(node.call("CONFIG", "GET", "maxmemory").toString()).contains("10485760");
      }
    }
  }

  @Test
  void start_refusesMistakes() {
    assertThatThrownBy(() -> KermesCluster.start(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such cluster: masters=0, replicas=0");
    assertThatThrownBy(() -> KermesCluster.builder().option("maxmemori", "1").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxmemori");
  }

  @Test
  void ids_followTheSeed() {
    String id;
    try (KermesCluster cluster = KermesCluster.builder().masters(1).seed(7).start()) {
      id = cluster.node(0).id();
    }
    try (KermesCluster cluster = KermesCluster.builder().masters(1).seed(7).start()) {
      assertThat(cluster.node(0).id()).isEqualTo(id).hasSize(40);
    }
  }

  @Test
  void close_endsAllThreads() throws InterruptedException {
    Set<Thread> before = KermesThreads.running();
    for (int i = 0; i < 5; i++) KermesCluster.start(2, 1).close();
    assertThat(KermesThreads.leftSince(before)).isEmpty();
  }

  @Test
  void move_takesKeysOfAnyBytesAlong() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(2, 0)) {
      byte[] key = {'{', 'b', '}', (byte) 0xff, 0, '\r'};
      try (RespSocket source = socket(cluster.node(0))) {
        source.call("SET", new String(key, ISO_8859_1), "v");
        for (int i = 0; i < 250; i++) source.call("SET", "{b}" + i, "v");
        cluster.move(3299, 3301, cluster.node(1));
        assertThat(source.call("DBSIZE")).hasToString(":0");
      }
      assertThat(cluster.masterOf(3300)).isSameAs(cluster.node(1));
      assertThat(cluster.masterOf(3298)).isSameAs(cluster.node(0));
      try (RespSocket target = socket(cluster.node(1))) {
        assertThat(target.call("DBSIZE")).hasToString(":251");
      }
    }
  }

  @Test
  void failover_keepsAllWrites() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(2, 1)) {
      try (RespSocket master = socket(cluster.node(0))) {
        for (int i = 0; i < 1000; i++) master.call("SET", "{b}" + i, "v");
        cluster.failover(cluster.node(2));
        assertThat(cluster.node(0).isMaster()).isFalse();
        assertThat(master.call("SET", "b", "1"))
            .hasToString("-MOVED 3300 127.0.0.1:" + cluster.node(2).port());
      }
      try (RespSocket master = socket(cluster.node(2))) {
        assertThat(master.call("DBSIZE")).hasToString(":1000");
        assertThat(master.call("SET", "b", "1")).hasToString("+OK");
        assertThat(master.call("WAIT", "1", "0")).hasToString(":1");
      }
      assertThatThrownBy(() -> cluster.failover(cluster.node(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("CLUSTER FAILOVER to a replica");
    }
  }

  @Test
  void failover_toAReplicaThatIsReconnecting_waitsForIt() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(1, 1);
        RespSocket master = socket(cluster.node(0))) {
      assertThat(master.call("CLIENT", "KILL", "TYPE", "replica")).hasToString(":1");
      assertThat(master.call("SET", "b", "1")).hasToString("+OK");
      cluster.failover(cluster.node(1));
      try (RespSocket heir = socket(cluster.node(1))) {
        assertThat(heir.call("GET", "b")).hasToString("$1:1");
      }
    }
  }

  @Test
  void failover_redirectsClientsThatWait() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(1, 1);
        RespSocket waiting = socket(cluster.node(0));
        RespSocket master = socket(cluster.node(0))) {
      waiting.send("BLPOP", "b", "0");
      master.awaitInfo("blocked_clients:1");
      cluster.failover(cluster.node(1));
      assertThat(waiting.read().text()).matches("MOVED 3300 .*|UNBLOCKED force unblock .*");
    }
  }

  @Test
  void kill_makesTheNewestReplicaTheMaster() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(2, 1)) {
      try (RespSocket master = socket(cluster.node(0))) {
        master.call("SET", "b", "1");
        assertThat(master.call("WAIT", "1", "0")).hasToString(":1");
      }
      cluster.kill(cluster.node(0));
      assertThat(cluster.masterOf(3300)).isSameAs(cluster.node(2));
      assertThat(cluster.node(0).isFailed()).isTrue();
      assertThat(cluster.url()).doesNotContain(":" + cluster.node(0).port());
      try (RespSocket heir = socket(cluster.node(2))) {
        assertThat(heir.call("GET", "b")).hasToString("$1:1");
        assertThat(heir.call("CLUSTER", "NODES").text())
            .contains(" slave,fail " + cluster.node(2).id());
        assertThat(heir.call("CLUSTER", "INFO").text()).contains("cluster_state:ok");
        cluster.restart(cluster.node(0));
        assertThat(heir.call("WAIT", "1", "0")).hasToString(":1");
        assertThat(cluster.node(0).isFailed()).isFalse();
      }
    }
  }

  @Test
  void kill_ofAMasterWithoutReplicas_bringsTheClusterDown() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(3, 0);
        RespSocket other = socket(cluster.node(0))) {
      cluster.kill(cluster.node(2));
      assertThat(other.call("CLUSTER", "INFO").text())
          .contains("cluster_state:fail", "cluster_slots_fail:5462");
      assertThat(other.call("SET", "b", "1")).hasToString("-CLUSTERDOWN The cluster is down");
      cluster.restart(cluster.node(2));
      assertThat(other.call("SET", "b", "1")).hasToString("+OK");
    }
  }

  /** A script that has written does not end halfway since another node has died. */
  @Test
  void kill_duringAScriptOfAnotherMaster_leavesAllOfItOrNothing() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(3, 0);
        RespSocket caller = socket(cluster.node(0))) {
      String slow =
          "redis.call('SET', KEYS[1], 1) for i = 1, 2e8 do end redis.call('SET', KEYS[2], 1)";
      caller.send("EVAL", slow, "2", "{b}1", "{b}2");
      LockSupport.parkNanos(200_000_000); // it has begun, or will be refused
      cluster.kill(cluster.node(2));
      RespReply unused = caller.read();
      assertThat(caller.call("DBSIZE").toString()).isIn(":0", ":2");
    }
  }

  @Test
  void freeze_answersNothing_andThawMakesItAReplica() throws IOException {
    try (KermesCluster cluster = KermesCluster.start(2, 1);
        RespSocket frozen = socket(cluster.node(0))) {
      cluster.freeze(cluster.node(0));
      assertThat(cluster.masterOf(3300)).isSameAs(cluster.node(2));
      frozen.send("SET", "b", "lost");
      try (RespSocket heir = socket(cluster.node(2))) {
        assertThat(heir.call("SET", "b", "kept")).hasToString("+OK");
      }
      cluster.thaw(cluster.node(0));
      assertThat(frozen.read()).hasToString("-MOVED 3300 127.0.0.1:" + cluster.node(2).port());
      frozen.call("READONLY");
      assertThat(frozen.call("GET", "b")).hasToString("$4:kept");
    }
  }

  @Test
  void close_endsAFrozenNode() {
    KermesCluster cluster = KermesCluster.start(2, 0);
    cluster.freeze(cluster.node(1));
    cluster.close();
    assertThat(cluster.nodes()).hasSize(2);
  }

  @Test
  void url_isForOurClient() {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        RedisClient redis = RedisClient.open(cluster.url())) {
      for (int i = 0; i < 100; i++) redis.blocking().set("key" + i, "value" + i);
      assertThat(redis.blocking().dbsize()).isEqualTo(100);
    }
  }

  @Test
  void kill_withReplicasThatDoNotTakeOver_leavesTheSlotsWithoutAMaster() throws IOException {
    KermesCluster.Builder builder = KermesCluster.builder().masters(2).replicas(1);
    try (KermesCluster cluster = builder.option("cluster-replica-no-failover", "yes").start();
        RespSocket other = new RespSocket(cluster.node(1).port())) {
      cluster.kill(cluster.node(0));
      assertThat(cluster.node(2).isMaster()).isFalse();
      assertThat(other.call("CLUSTER", "INFO").text()).contains("cluster_state:fail");
      cluster.failover(cluster.node(3));
      assertThat(cluster.node(3).isMaster()).isTrue();
    }
  }
}
