package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master that loses its last slot: {@code cluster-allow-replica-migration}. */
@Timeout(60)
class ReplicaMigrationTest {

  private KermesCluster cluster;
  private KermesCluster.Node source;
  private KermesCluster.Node replica;
  private KermesCluster.Node target;
  private RespSocket atSource;

  @BeforeEach
  void start() throws IOException {
    cluster = KermesCluster.builder().masters(2).replicas(1).seed(1).start();
    source = cluster.node(0);
    target = cluster.node(1);
    replica = cluster.node(2);
    atSource = new RespSocket(source.port());
    atSource.call("SET", "b", "text");
    migrate("0", "3299", "3301", "8191"); // all but the slot of b
  }

  @AfterEach
  void stop() throws IOException {
    atSource.close();
    cluster.close();
  }

  /** Moves ranges of slots away in one step. */
  private void migrate(String... ranges) throws IOException {
    String command =
        "CLUSTER MIGRATESLOTS SLOTSRANGE " + String.join(" ", ranges) + " NODE " + target.id();
    assertThat(atSource.call(command.split(" "))).hasToString("+OK");
    int last = Integer.parseInt(ranges[ranges.length - 1]);
    NodeProcess.await("moved: " + last, () -> cluster.masterOf(last) == target);
  }

  private void allow(KermesCluster.Node node, String yesOrNo) throws IOException {
    try (RespSocket socket = new RespSocket(node.port())) {
      socket.call("CONFIG", "SET", "cluster-allow-replica-migration", yesOrNo);
    }
  }

  private void assertData(KermesCluster.Node node) throws IOException {
    node.process().awaitSync();
    try (RespSocket socket = new RespSocket(node.port())) {
      socket.call("READONLY");
      assertThat(socket.call("GET", "b")).hasToString("$4:text");
    }
  }

  @Test
  void masterWithSlots_stays() {
    assertThat(cluster.masterOf(3300)).isSameAs(source);
    assertThat(cluster.replicasOf(source)).containsExactly(replica);
  }

  @Test
  void shard_thatLosesItsLastSlotKeyByKey_followsTheNewOwner() throws IOException {
    cluster.move(3300, 3300, target);
    assertThat(cluster.replicasOf(target)).contains(source, replica).hasSize(3);
    assertData(source);
    assertData(replica);
    assertThat(atSource.call("CLUSTER", "SETSLOT", "3300", "NODE", target.id()))
        .hasToString("-ERR Please use SETSLOT only with masters.");
  }

  @Test
  void shard_thatLosesItsLastSlotInOneStep_followsTheNewOwner() throws IOException {
    migrate("3300", "3300");
    assertThat(cluster.replicasOf(target)).contains(source, replica).hasSize(3);
    assertData(source);
    assertData(replica);
    assertThat(atSource.call("CLUSTER", "MYSHARDID")).hasToString(shardOf(target));
  }

  private static String shardOf(KermesCluster.Node node) throws IOException {
    try (RespSocket socket = new RespSocket(node.port())) {
      return socket.call("CLUSTER", "MYSHARDID").toString();
    }
  }

  @Test
  void formerMaster_mayTakeOver() throws IOException {
    migrate("3300", "3300");
    assertData(source);
    cluster.failover(source);
    assertThat(cluster.masterOf(16_383)).isSameAs(source);
    assertThat(atSource.call("GET", "b")).hasToString("$4:text");
  }

  @Test
  void no_keepsAMasterWithoutSlots() throws IOException {
    allow(source, "no");
    allow(replica, "no");
    cluster.move(3300, 3300, target);
    assertThat(source.isMaster()).isTrue();
    assertThat(cluster.replicasOf(source)).containsExactly(replica);
    assertThat(atSource.call("DBSIZE")).hasToString(":0");
  }

  @Test
  void no_ofTheMaster_letsItsReplicaLeave() throws IOException {
    allow(source, "no");
    cluster.move(3300, 3300, target);
    assertThat(source.isMaster()).isTrue();
    assertThat(cluster.replicasOf(source)).isEmpty();
    assertData(replica);
  }

  @Test
  void no_ofAReplica_doesNotKeepItFromFollowingItsMaster() throws IOException {
    allow(replica, "no");
    cluster.move(3300, 3300, target);
    assertThat(cluster.replicasOf(target)).contains(source, replica);
    assertData(replica);
  }
}
