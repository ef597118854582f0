package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same uses of a cluster by several clients, while it stays, moves slots, and fails over. */
@Timeout(120)
class ClusterClientsTest {

  private static final int KEYS = 2000;

  enum Library {
    JEDIS,
    LETTUCE,
    REDISSON,
    KERMES;

    ClusterClient open(KermesCluster cluster) {
      return switch (this) {
        case JEDIS -> new JedisClusterClient(cluster);
        case LETTUCE -> new LettuceClusterClient(cluster);
        case REDISSON -> RedissonStore.open(cluster);
        case KERMES -> new KermesClusterClient(cluster);
      };
    }
  }

  private static WriteLoad load(KermesCluster cluster, ClusterClient client, boolean waits) {
    return WriteLoad.start(client, key -> cluster.masterOf(KermesCluster.slot(key)), waits);
  }

  @ParameterizedTest
  @EnumSource
  void keys_areSetAndRead(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster)) {
      for (int i = 0; i < KEYS; i++) client.set("key" + i, "value" + i);
      for (int i = 0; i < KEYS; i++) assertThat(client.get("key" + i)).isEqualTo("value" + i);
      Map<String, String> values = new LinkedHashMap<>();
      for (int i = 0; i < KEYS; i++) values.put("key" + i, "other" + i);
      client.setAll(values);
      for (int i = 0; i < KEYS; i++) assertThat(client.get("key" + i)).isEqualTo("other" + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void transaction_runsOnTheNodeOfItsSlot(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 0);
        ClusterClient client = library.open(cluster)) {
      for (String tag : List.of("a", "b", "c", "d")) {
        assertThat(client.transaction(tag, "v")).containsExactly("OK", 1L);
        assertThat(client.get("{" + tag + "}text")).isEqualTo("v");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void messages_arriveFromEveryNode(Library library) throws Exception {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster)) {
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      client.subscribe("news", heard::add);
      for (KermesCluster.Node each : cluster.nodes()) {
        try (RespSocket socket = new RespSocket(each.port())) {
          socket.call("PUBLISH", "news", each.id());
        }
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(each.id());
      }
      BlockingQueue<String> sharded = new LinkedBlockingQueue<>();
      client.subscribeToShard("orders", sharded::add);
      client.publishToShard("orders", "one");
      assertThat(sharded.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
      client.publish("news", "two");
      assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("two");
    }
  }

  @ParameterizedTest
  @EnumSource
  void slots_moveUnderLoad_withoutAnError(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster);
        WriteLoad load = load(cluster, client, false)) {
      load.awaitWrites(1000);
      cluster.move(0, 999, cluster.node(1));
      load.awaitWrites(1000);
      load.stop();
      assertThat(load.errors()).isEmpty();
      assertThat(load.lost()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void slotsMovedInOneStep_underLoad_loseNoWrite(Library library) throws IOException {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster);
        RespSocket source = new RespSocket(cluster.node(0).port());
        WriteLoad load = load(cluster, client, false)) {
      load.awaitWrites(1000);
      String target = cluster.node(1).id();
      source.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", "0", "4999", "NODE", target);
      RespReply moves = source.call("CLUSTER", "GETSLOTMIGRATIONS");
      while (!moves.toString().contains("success")) {
        moves = source.call("CLUSTER", "GETSLOTMIGRATIONS");
      }
      load.awaitWrites(1000);
      load.stop();
      assertThat(load.errors()).isEmpty();
      assertThat(load.lost()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void failover_underLoad_losesNoWrite(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster);
        WriteLoad load = load(cluster, client, false)) {
      load.awaitWrites(1000);
      cluster.failover(cluster.node(3));
      load.awaitWrites(1000);
      load.stop();
      assertThat(load.errors()).isEmpty();
      assertThat(load.lost()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void killedMaster_underLoad_losesNoWriteThatAReplicaHas(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 2);
        ClusterClient client = library.open(cluster);
        WriteLoad load = load(cluster, client, true)) {
      load.awaitWrites(200);
      cluster.kill(cluster.node(1));
      load.awaitWrites(200);
      load.stop();
      assertThat(load.lost()).isEmpty();
    }
  }

  /** The others wait longer, for their own timeouts. */
  @ParameterizedTest
  @EnumSource(names = {"JEDIS", "KERMES"})
  void frozenMaster_isReplaced(Library library) {
    try (KermesCluster cluster = KermesCluster.start(3, 1);
        ClusterClient client = library.open(cluster)) {
      client.set("b", "1"); // slot 3300
      cluster.freeze(cluster.masterOf(3300));
      NodeProcess.await("replaced for " + library, () -> canSet(client));
      assertThat(client.get("b")).isEqualTo("2");
    }
  }

  private static boolean canSet(ClusterClient client) {
    try {
      client.set("b", "2");
      return true;
    } catch (RuntimeException e) {
      return false; // it still waits for the frozen node
    }
  }
}
