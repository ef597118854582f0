package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Ports;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** CLUSTER as clients read it: two masters with a replica each. */
@Timeout(60)
class ClusterCommandsTest {

  private KermesCluster cluster;
  private RespSocket socket;

  @BeforeEach
  void start() throws IOException {
    cluster = KermesCluster.builder().masters(2).replicas(1).seed(1).start();
    socket = new RespSocket(cluster.node(0).port());
  }

  @AfterEach
  void stop() throws IOException {
    socket.close();
    cluster.close();
  }

  private String call(String command) throws IOException {
    return socket.call(command.split(" ")).toString();
  }

  private String id(int node) {
    return cluster.node(node).id();
  }

  private int port(int node) {
    return cluster.node(node).port();
  }

  @Test
  void nodes_hasALineForEach() throws IOException {
    List<String> lines = socket.call("CLUSTER", "NODES").payload().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0))
        .matches(id(0) + " 127.0.0.1:" + port(0) + "@\\d+ myself,master - 0 0 1 connected 0-8191");
    assertThat(lines.get(1))
        .matches(id(1) + " 127.0.0.1:" + port(1) + "@\\d+ master - 0 \\d+ 2 connected 8192-16383");
    assertThat(lines.get(2))
        .matches(id(2) + " 127.0.0.1:" + port(2) + "@\\d+ slave " + id(0) + " 0 \\d+ 1 connected");
  }

  @Test
  void slots_namesMasterAndReplicas() throws IOException {
    assertThat(call("CLUSTER SLOTS"))
        .isEqualTo(
            "*2[*4[:0, :8191, "
                + place(0)
                + ", "
                + place(2)
                + "]"
                + ", *4[:8192, :16383, "
                + place(1)
                + ", "
                + place(3)
                + "]]");
  }

  private String place(int node) {
    return "*4[$9:127.0.0.1, :" + port(node) + ", $40:" + id(node) + ", *0]";
  }

  @Test
  void slots_withHostnames_areInTheMetadataOrTheEndpoint() throws IOException {
    call("CONFIG SET cluster-announce-hostname kermes.test");
    assertThat(call("CLUSTER SLOTS")).contains("*2[$8:hostname, $11:kermes.test]");
    assertThat(call("CLUSTER NODES")).contains(",kermes.test myself");
    call("CONFIG SET cluster-preferred-endpoint-type hostname");
    assertThat(call("CLUSTER SLOTS"))
        .contains(
            "*4[$11:kermes.test, :" + port(0) + ", $40:" + id(0) + ", *2[$2:ip, $9:127.0.0.1]]")
        .contains("*4[$1:?, :" + port(1));
    call("CONFIG SET cluster-preferred-endpoint-type unknown-endpoint");
    assertThat(call("CLUSTER SLOTS")).contains("*4[$-1, :" + port(1));
    assertThat(call("GET foo")).isEqualTo("-MOVED 12182 :" + port(1));
  }

  @Test
  void hostname_ofOtherCharactersOrTooLong_isRefused() throws IOException {
    String set = "CONFIG SET cluster-announce-hostname ";
    assertThat(call(set + "?.com"))
        .endsWith("Hostnames may only contain alphanumeric characters, hyphens or dots");
    assertThat(call(set + "x".repeat(256))).endsWith("Hostnames must be less than 256 characters");
    assertThat(call(set + "Ab.9-")).isEqualTo("+OK");
  }

  @Test
  void announcedAddress_isThatOfTheViews() throws IOException {
    call("CONFIG SET cluster-announce-ip 10.1.2.3 cluster-announce-port 7777");
    assertThat(call("CLUSTER NODES")).contains(id(0) + " 10.1.2.3:7777@17777 myself");
    try (RespSocket second = new RespSocket(port(1))) {
      assertThat(second.call("GET", "b")).hasToString("-MOVED 3300 10.1.2.3:7777");
    }
  }

  @Test
  void busPort_isShownInNodes() throws IOException {
    call("CONFIG SET cluster-announce-bus-port 7777");
    try (RespSocket second = new RespSocket(port(1))) {
      assertThat(second.call("CLUSTER", "NODES").text()).contains(":" + port(0) + "@7777 master");
    }
    call("CONFIG SET cluster-announce-bus-port 0");
    assertThat(call("CLUSTER NODES")).doesNotContain("@7777");
  }

  @Test
  void configSetPort_changesTheAddress() throws IOException {
    int free = Ports.free();
    assertThat(call("CONFIG SET port " + free)).isEqualTo("+OK");
    assertThat(cluster.node(0).port()).isEqualTo(free);
    try (RespSocket second = new RespSocket(port(1))) {
      assertThat(second.call("GET", "b")).hasToString("-MOVED 3300 127.0.0.1:" + free);
    }
  }

  @Test
  void shards_describesNodes() throws IOException {
    RespReply shards = socket.call("CLUSTER", "SHARDS");
    assertThat(shards.elements()).hasSize(2);
    assertThat(shards.elements().get(0).toString())
        .startsWith("*4[$5:slots, *2[:0, :8191], $5:nodes, *2[*14[$2:id, $40:" + id(0))
        .contains("$4:port, :" + port(0) + ", $2:ip, $9:127.0.0.1, $8:endpoint, $9:127.0.0.1")
        .contains("$4:role, $6:master", "$4:role, $7:replica", "$6:health, $6:online");
  }

  @Test
  void info_countsSlotsAndNodes() throws IOException {
    assertThat(socket.call("CLUSTER", "INFO").payload().lines())
        .contains(
            "cluster_state:ok",
            "cluster_slots_assigned:16384",
            "cluster_slots_ok:16384",
            "cluster_known_nodes:4",
            "cluster_size:2");
    assertThat(call("INFO cluster")).contains("cluster_enabled:1");
    assertThat(call("INFO server")).contains("redis_mode:cluster");
    assertThat(call("HELLO")).contains("$4:mode, $7:cluster");
    assertThat(call("CONFIG GET cluster-enabled")).isEqualTo("*2[$15:cluster-enabled, $3:yes]");
  }

  @Test
  void ids_areThoseOfTheNodeAndItsShard() throws IOException {
    assertThat(socket.call("CLUSTER", "MYID").payload()).isEqualTo(id(0));
    String shard = socket.call("CLUSTER", "MYSHARDID").payload();
    try (RespSocket replica = new RespSocket(port(2))) {
      assertThat(replica.call("CLUSTER", "MYSHARDID").payload()).isEqualTo(shard);
    }
    assertThat(call("CLUSTER REPLICAS " + id(0))).startsWith("*1[").contains(id(2) + " 127.0.0.1");
    assertThat(call("CLUSTER SLAVES " + id(2)))
        .isEqualTo("-ERR The specified node is not a master");
    assertThat(call("CLUSTER REPLICAS x")).isEqualTo("-ERR Unknown node x");
    assertThat(call("CLUSTER COUNT-FAILURE-REPORTS " + id(1))).isEqualTo(":0");
    assertThat(call("CLUSTER LINKS")).isEqualTo("*0");
  }

  @Test
  void keysInSlot_areCountedAndListed() throws IOException {
    for (int i = 0; i < 20; i++) call("SET {b}" + i + " v");
    call("SET c v");
    assertThat(call("CLUSTER KEYSLOT {b}7")).isEqualTo(":3300");
    assertThat(call("CLUSTER COUNTKEYSINSLOT 3300")).isEqualTo(":20");
    assertThat(socket.call("CLUSTER", "GETKEYSINSLOT", "3300", "5").elements()).hasSize(5);
    assertThat(call("CLUSTER GETKEYSINSLOT 3300 0")).isEqualTo("*0");
    assertThat(call("CLUSTER COUNTKEYSINSLOT 16384")).isEqualTo("-ERR Invalid slot");
    assertThat(call("CLUSTER GETKEYSINSLOT 1 -1")).isEqualTo("-ERR Invalid slot or number of keys");
  }

  @Test
  void slotStats_countKeys() throws IOException {
    call("SET b 1");
    call("SET {b}2 1");
    call("SET c 1"); // slot 7365
    assertThat(call("CLUSTER SLOT-STATS SLOTSRANGE 3300 3301"))
        .isEqualTo("*2[*2[:3300, *2[$9:key-count, :2]], *2[:3301, *2[$9:key-count, :0]]]");
    assertThat(call("CLUSTER SLOT-STATS SLOTSRANGE 8191 8193"))
        .isEqualTo("*1[*2[:8191, *2[$9:key-count, :0]]]");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY key-count LIMIT 3"))
        .isEqualTo(
            "*3[*2[:3300, *2[$9:key-count, :2]], *2[:7365, *2[$9:key-count, :1]], "
                + "*2[:0, *2[$9:key-count, :0]]]");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY KEY-COUNT ASC LIMIT 1"))
        .isEqualTo("*1[*2[:0, *2[$9:key-count, :0]]]");
    assertThat(socket.call("CLUSTER", "SLOT-STATS", "ORDERBY", "KEY-COUNT").elements())
        .hasSize(8192);
    assertThat(call("CLUSTER Slot-Stats SLOTSRANGE 1"))
        .isEqualTo(
            "-ERR unknown subcommand or wrong number of arguments for 'Slot-Stats'."
                + " Try CLUSTER HELP.");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY KEY-COUNT LIMIT x"))
        .isEqualTo("-ERR Limit has to lie in between 1 and 16384 (maximum number of slots).");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY CPU-USEC"))
        .isEqualTo("-ERR Unrecognized sort metric for ORDERBY.");
  }

  @Test
  void slotStats_countCosts_ifTheOptionIsOn() throws IOException {
    call("CONFIG SET cluster-slot-stats-enabled yes");
    call("SET b bar"); // 29 bytes, as many to the replica, and 5 of the reply
    call("GET b"); // 20 bytes, and 9
    assertThat(call("CLUSTER SLOT-STATS SLOTSRANGE 3300 3300"))
        .matches(
            ".*\\$9:key-count, :1, \\$8:cpu-usec, :\\d+, "
                + "\\$16:network-bytes-in, :49, \\$17:network-bytes-out, :43.*");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY NETWORK-BYTES-IN LIMIT 1")).contains("[:3300,");
    assertThat(call("CLUSTER SLOT-STATS ORDERBY CPU-USEC ASC LIMIT 1")).contains("[:0,");
    call("CONFIG RESETSTAT");
    assertThat(call("CLUSTER SLOT-STATS SLOTSRANGE 3300 3300"))
        .contains("key-count, :1", "bytes-in, :0", "bytes-out, :0");
    call("GET b");
    cluster.move(3300, 3300, cluster.node(1));
    cluster.move(3300, 3300, cluster.node(0));
    assertThat(call("CLUSTER SLOT-STATS SLOTSRANGE 3300 3300"))
        .containsPattern("key-count, :1.*bytes-out, :[1-9]"); // that of RESTORE
  }

  @Test
  void slots_areAddedAndDeleted() throws IOException {
    assertThat(call("CLUSTER DELSLOTSRANGE 0 1 5 6")).isEqualTo("+OK");
    assertThat(call("CLUSTER DELSLOTS 0")).isEqualTo("-ERR Slot 0 is already unassigned");
    assertThat(call("CLUSTER INFO")).contains("cluster_state:fail", "cluster_slots_assigned:16380");
    assertThat(call("CLUSTER NODES")).contains("connected 2-4 7-8191");
    assertThat(call("CLUSTER ADDSLOTS 0 0")).isEqualTo("-ERR Slot 0 specified multiple times");
    assertThat(call("CLUSTER ADDSLOTS 2")).isEqualTo("-ERR Slot 2 is already busy");
    assertThat(call("CLUSTER ADDSLOTS 16384")).isEqualTo("-ERR Invalid or out of range slot");
    assertThat(call("CLUSTER ADDSLOTSRANGE 6 5"))
        .isEqualTo("-ERR start slot number 6 is greater than end slot number 5");
    assertThat(call("CLUSTER ADDSLOTSRANGE 0 1 5"))
        .isEqualTo("-ERR wrong number of arguments for 'cluster|addslotsrange' command");
    assertThat(call("CLUSTER ADDSLOTSRANGE 0 1 5 6")).isEqualTo("+OK");
    assertThat(call("CLUSTER INFO")).contains("cluster_state:ok");
  }

  @Test
  void flushslots_needsAnEmptyNode() throws IOException {
    call("SET b 1");
    assertThat(call("CLUSTER FLUSHSLOTS"))
        .isEqualTo("-ERR DB must be empty to perform CLUSTER FLUSHSLOTS.");
    call("DEL b");
    assertThat(call("CLUSTER FLUSHSLOTS")).isEqualTo("+OK");
    assertThat(call("CLUSTER INFO")).contains("cluster_slots_assigned:8192", "cluster_size:1");
  }

  @Test
  void setslot_refusesMistakes() throws IOException {
    String unknown = "0".repeat(40);
    assertThat(call("CLUSTER SETSLOT 9000 MIGRATING " + id(1)))
        .isEqualTo("-ERR I'm not the owner of hash slot 9000");
    assertThat(call("CLUSTER SETSLOT 1 IMPORTING " + id(1)))
        .isEqualTo("-ERR I'm already the owner of hash slot 1");
    assertThat(call("CLUSTER SETSLOT 1 MIGRATING " + unknown))
        .isEqualTo("-ERR I don't know about node " + unknown);
    assertThat(call("CLUSTER SETSLOT 1 NODE " + unknown)).isEqualTo("-ERR Unknown node " + unknown);
    assertThat(call("CLUSTER SETSLOT 1 NODE " + id(3)))
        .isEqualTo("-ERR Target node is not a master");
    assertThat(call("CLUSTER SETSLOT 1 NODE"))
        .isEqualTo("-ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP");
    try (RespSocket replica = new RespSocket(port(2))) {
      assertThat(replica.call("CLUSTER", "SETSLOT", "1", "STABLE"))
          .hasToString("-ERR Please use SETSLOT only with masters.");
    }
  }

  // Nodes

  @Test
  void forget_andMeet_takeANodeOutAndIn() throws IOException {
    assertThat(call("CLUSTER FORGET " + id(0)))
        .isEqualTo("-ERR I tried hard but I can't forget myself...");
    assertThat(call("CLUSTER FORGET " + id(3))).isEqualTo("+OK");
    assertThat(call("CLUSTER INFO")).contains("cluster_known_nodes:3");
    try (RespSocket forgotten = new RespSocket(port(3))) {
      forgotten.await("cluster_known_nodes:1", "CLUSTER", "INFO");
      assertThat(forgotten.call("GET", "b")).hasToString("-CLUSTERDOWN Hash slot not served");
      assertThat(call("CLUSTER MEET 127.0.0.1 " + port(3))).isEqualTo("+OK");
      assertThat(forgotten.call("CLUSTER", "INFO").text()).contains("cluster_known_nodes:4");
      forgotten.await("role:master", "INFO", "replication");
      assertThat(forgotten.call("CLUSTER", "REPLICATE", id(1))).hasToString("+OK");
      forgotten.await("master_link_status:up", "INFO", "replication");
    }
    assertThat(call("CLUSTER MEET 127.0.0.1 1"))
        .isEqualTo("-ERR Invalid node address specified: 127.0.0.1:1");
  }

  @Test
  void replicate_refusesMistakes() throws IOException {
    assertThat(call("CLUSTER REPLICATE " + id(0))).isEqualTo("-ERR Can't replicate myself");
    assertThat(call("CLUSTER REPLICATE " + id(3)))
        .isEqualTo("-ERR I can only replicate a master, not a replica.");
    assertThat(call("CLUSTER REPLICATE " + id(1)))
        .isEqualTo("-ERR To set a master the node must be empty and without assigned slots.");
  }

  @Test
  void reset_ofAReplica_makesItAnEmptyMaster() throws IOException {
    call("SET b 1");
    try (RespSocket replica = new RespSocket(port(2))) {
      replica.await("1", "DBSIZE");
      assertThat(replica.call("CLUSTER", "RESET", "HARD")).hasToString("+OK");
      assertThat(replica.call("CLUSTER", "MYID").payload()).isEqualTo(id(2));
      assertThat(replica.call("DBSIZE")).hasToString(":0");
      assertThat(replica.call("CLUSTER", "NODES").payload().lines()).hasSize(1);
    }
    assertThat(call("CLUSTER RESET"))
        .isEqualTo("-ERR CLUSTER RESET can't be called with master nodes containing keys");
  }

  @Test
  void reset_ofAMaster_makesItAClusterOfItsOwn() throws IOException {
    assertThat(call("CLUSTER RESET HARD")).isEqualTo("+OK");
    assertThat(call("CLUSTER SET-CONFIG-EPOCH 7")).isEqualTo("+OK");
    assertThat(call("CLUSTER SET-CONFIG-EPOCH 8"))
        .isEqualTo("-ERR Node config epoch is already non-zero");
    assertThat(call("CLUSTER ADDSLOTSRANGE 0 8191")).isEqualTo("+OK");
    assertThat(call("SET b 1")).isEqualTo("-CLUSTERDOWN The cluster is down");
    call("CONFIG SET cluster-require-full-coverage no");
    assertThat(call("SET b 1")).isEqualTo("+OK");
    assertThat(call("GET foo")).isEqualTo("-CLUSTERDOWN Hash slot not served");
    assertThat(call("CLUSTER NODES"))
        .contains("myself,master - 0 0 7 connected 0-8191")
        .doesNotContain(id(1));
    try (RespSocket other = new RespSocket(port(1))) {
      assertThat(other.call("GET", "b")).hasToString("-CLUSTERDOWN Hash slot not served");
      assertThat(call("CLUSTER MEET 127.0.0.1 " + port(1))).isEqualTo("+OK");
      assertThat(other.call("GET", "b")).hasToString("-MOVED 3300 127.0.0.1:" + port(0));
      assertThat(other.call("CLUSTER", "NODES").text()).contains(" 7 connected 0-8191");
    }
  }

  @Test
  void epochs() throws IOException {
    assertThat(call("CLUSTER BUMPEPOCH")).isEqualTo("+BUMPED 5");
    assertThat(call("CLUSTER BUMPEPOCH")).isEqualTo("+STILL 5");
    assertThat(call("CLUSTER SET-CONFIG-EPOCH 1")).startsWith("-ERR The user can assign");
    assertThat(call("CLUSTER SAVECONFIG")).isEqualTo("+OK");
  }

  // Replicas

  @Test
  void replica_servesReadsAfterReadonly() throws IOException {
    call("SET b 1");
    try (RespSocket replica = new RespSocket(port(2))) {
      replica.await("1", "DBSIZE");
      String moved = "-MOVED 3300 127.0.0.1:" + port(0);
      assertThat(replica.call("GET", "b")).hasToString(moved);
      assertThat(replica.call("READONLY")).hasToString("+OK");
      assertThat(replica.call("GET", "b")).hasToString("$1:1");
      assertThat(replica.call("SET", "b", "2")).hasToString(moved);
      assertThat(replica.call("GET", "foo")).hasToString("-MOVED 12182 127.0.0.1:" + port(1));
      assertThat(replica.call("READWRITE")).hasToString("+OK");
      assertThat(replica.call("GET", "b")).hasToString(moved);
    }
  }

  @Test
  void replica_redirectsScriptsThatMayWrite() throws IOException {
    call("SET b 1");
    try (RespSocket replica = new RespSocket(port(2))) {
      replica.await("1", "DBSIZE");
      replica.call("READONLY");
      String get = "return redis.call('GET', KEYS[1])";
      assertThat(replica.call("EVAL", get, "1", "b")).hasToString("$1:1");
      assertThat(replica.call("EVAL", "#!lua flags=no-writes\n" + get, "1", "b"))
          .hasToString("$1:1");
      String moved = "-MOVED 3300 127.0.0.1:" + port(0);
      assertThat(replica.call("EVAL", "#!lua\n" + get, "1", "b")).hasToString(moved);
      replica.call("MULTI");
      assertThat(replica.call("EVAL", "#!lua\n" + get, "1", "b")).hasToString(moved);
      assertThat(replica.call("EXEC").toString()).startsWith("-EXECABORT");
    }
  }

  @Test
  void shardChannel_isServedByReplicasToo() throws IOException {
    try (RespSocket replica = new RespSocket(port(2))) {
      replica.call("SSUBSCRIBE", "b");
      call("SPUBLISH b m");
      assertThat(replica.read()).hasToString("*3[$8:smessage, $1:b, $1:m]");
    }
  }

  @Test
  void shardChannelsInATransaction_areServedByReplicasToo() throws IOException {
    try (RespSocket replica = new RespSocket(port(2))) {
      replica.call("MULTI");
      assertThat(replica.call("SPUBLISH", "b", "m")).hasToString("+QUEUED");
      assertThat(replica.call("EXEC")).hasToString("*1[:0]");
      replica.call("MULTI");
      replica.call("SPUBLISH", "b", "m");
      String moved = "-MOVED 3300 127.0.0.1:" + port(0);
      assertThat(replica.call("SET", "b", "1")).hasToString(moved);
      assertThat(replica.call("EXEC").toString()).startsWith("-EXECABORT");
      assertThat(replica.call("GET", "b")).hasToString(moved);
    }
  }

  @Test
  void failover_isForReplicas() throws IOException {
    assertThat(call("CLUSTER FAILOVER"))
        .isEqualTo("-ERR You should send CLUSTER FAILOVER to a replica");
    assertThat(call("CLUSTER FAILOVER NOW")).isEqualTo("-ERR syntax error");
    try (RespSocket replica = new RespSocket(port(2))) {
      assertThat(replica.call("CLUSTER", "FAILOVER", "TAKEOVER")).hasToString("+OK");
      assertThat(replica.call("SET", "b", "1")).hasToString("+OK");
      assertThat(replica.call("CLUSTER", "NODES").text()).contains(" 5 connected 0-8191");
    }
    assertThat(call("SET b 1")).isEqualTo("-MOVED 3300 127.0.0.1:" + port(2));
    socket.await("master_link_status:up", "INFO", "replication");
  }

  @Test
  void failover_withoutLinkToTheMaster_isRefused() throws IOException {
    try (RespSocket replica = new RespSocket(port(2))) {
      call("CONFIG SET requirepass secret"); // the replica does not know it
      call("CLIENT KILL TYPE replica");
      replica.await("master_link_status:down", "INFO", "replication");
      assertThat(replica.call("CLUSTER", "FAILOVER"))
          .hasToString("-ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
      socket.call("CONFIG", "SET", "requirepass", "");
      replica.await("master_link_status:up", "INFO", "replication");
    }
  }
}
