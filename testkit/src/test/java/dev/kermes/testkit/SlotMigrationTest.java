package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves of slots in one step: CLUSTER MIGRATESLOTS, GETSLOTMIGRATIONS, CANCELSLOTMIGRATIONS. */
@Timeout(60)
class SlotMigrationTest {

  private KermesCluster cluster;
  private RespSocket source;
  private RespSocket target;

  @BeforeEach
  void start() throws IOException {
    cluster = KermesCluster.builder().masters(2).replicas(1).seed(1).start();
    source = new RespSocket(cluster.node(0).port());
    target = new RespSocket(cluster.node(1).port());
  }

  @AfterEach
  void stop() throws IOException {
    source.close();
    target.close();
    cluster.close();
  }

  private String id(int node) {
    return cluster.node(node).id();
  }

  private String call(String command) throws IOException {
    return source.call(command.split(" ")).toString();
  }

  /** Waits for a text anywhere in a reply. */
  private static void awaitAny(RespSocket socket, String wanted, String... words)
      throws IOException {
    while (!socket.call(words).toString().contains(wanted)) LockSupport.parkNanos(1_000_000);
  }

  private void migrate(int first, int last) throws IOException {
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE " + first + " " + last + " NODE " + id(1)))
        .isEqualTo("+OK");
    awaitAny(source, "success", "CLUSTER", "GETSLOTMIGRATIONS");
  }

  @Test
  void keys_moveWithTheirSlot() throws IOException {
    call("SET b text");
    call("SET {b}int 1 PXAT 33177117420000");
    call("HSET {b}hash f v");
    call("PEXPIREAT {b}hash 33177117420000");
    call("RPUSH {b}list 1 2 3");
    call("SET c other");
    migrate(3300, 3300);
    assertThat(call("GET b")).isEqualTo("-MOVED 3300 127.0.0.1:" + cluster.node(1).port());
    source.await("1", "DBSIZE"); // that of another slot
    assertThat(target.call("GET", "b")).hasToString("$4:text");
    assertThat(target.call("PEXPIRETIME", "b")).hasToString(":-1");
    assertThat(target.call("GET", "{b}int")).hasToString("$1:1");
    assertThat(target.call("PEXPIRETIME", "{b}int")).hasToString(":33177117420000");
    assertThat(target.call("HGETALL", "{b}hash")).hasToString("*2[$1:f, $1:v]");
    assertThat(target.call("PEXPIRETIME", "{b}hash")).hasToString(":33177117420000");
    assertThat(target.call("LRANGE", "{b}list", "0", "-1")).hasToString("*3[$1:1, $1:2, $1:3]");
    try (RespSocket replica = new RespSocket(cluster.node(3).port())) {
      replica.call("READONLY");
      replica.await("4", "DBSIZE");
      assertThat(replica.call("PEXPIRETIME", "{b}int")).hasToString(":33177117420000");
    }
    assertThat(call("CLUSTER NODES")).contains("connected 0-3299 3301-8191");
    assertThat(cluster.masterOf(3300)).isSameAs(cluster.node(1));
  }

  @Test
  void migrations_areListedAtBothNodes() throws IOException {
    assertThat(call("CLUSTER GETSLOTMIGRATIONS")).isEqualTo("*0");
    call("CLUSTER MIGRATESLOTS SLOTSRANGE 5 6 8 8 NODE " + id(1));
    awaitAny(source, "success", "CLUSTER", "GETSLOTMIGRATIONS");
    RespReply exports = source.call("CLUSTER", "GETSLOTMIGRATIONS");
    assertThat(exports.elements()).hasSize(1);
    assertThat(exports.elements().getFirst().toString())
        .matches(
            "\\*24\\[\\$4:name, \\$40:[0-9a-f]{40}, \\$9:operation, \\$6:EXPORT, "
                + "\\$11:slot_ranges, \\$7:5-6 8-8, \\$11:target_node, \\$40:"
                + id(1)
                + ", \\$11:source_node, \\$40:"
                + id(0)
                + ", \\$11:create_time, :\\d+, \\$16:last_update_time, :\\d+, "
                + "\\$13:last_ack_time, :\\d+, \\$5:state, \\$7:success, \\$7:message, \\$0:, "
                + "\\$8:cow_size, :0, \\$19:remaining_repl_size, :0\\]");
    assertThat(target.call("CLUSTER", "GETSLOTMIGRATIONS").toString())
        .isEqualTo(exports.toString().replace("EXPORT", "IMPORT"));
  }

  @Test
  void severalMoves_inOneCommand() throws IOException {
    String moves = "SLOTSRANGE 0 1 NODE " + id(1) + " SLOTSRANGE 4 5 NODE " + id(1);
    assertThat(call("CLUSTER MIGRATESLOTS " + moves)).isEqualTo("+OK");
    source.await("connected 2-3 6-8191", "CLUSTER", "NODES");
    RespReply migrations = source.call("CLUSTER", "GETSLOTMIGRATIONS");
    assertThat(migrations.elements()).hasSize(2);
    assertThat(migrations.elements().getFirst().toString()).contains("4-5");
  }

  @Test
  void migrationOfRedis_isBegunAtTheTarget() throws IOException {
    call("SET b text");
    String task = target.call("CLUSTER", "MIGRATION", "IMPORT", "3300", "3300").payload();
    awaitAny(target, "completed", "CLUSTER", "MIGRATION", "STATUS", "ALL");
    assertThat(target.call("GET", "b")).hasToString("$4:text");
    RespReply status = target.call("CLUSTER", "MIGRATION", "STATUS", "ID", task);
    assertThat(status.elements()).hasSize(1);
    assertThat(status.elements().getFirst().toString())
        .matches(
            "\\*24\\[\\$2:id, \\$40:[0-9a-f]{40}, \\$5:slots, \\$9:3300-3300, \\$6:source, \\$40:"
                + id(0)
                + ", \\$4:dest, \\$40:"
                + id(1)
                + ", \\$9:operation, \\$6:import, \\$5:state, \\$9:completed, "
                + "\\$10:last_error, \\$0:, \\$7:retries, :0, \\$11:create_time, :\\d+, "
                + "\\$10:start_time, :\\d+, \\$8:end_time, :\\d+, \\$14:write_pause_ms, :0\\]");
    assertThat(call("CLUSTER MIGRATION STATUS ALL")).contains("$7:migrate");
    assertThat(call("CLUSTER MIGRATION STATUS ID x")).isEqualTo("*0");
    assertThat(call("CLUSTER MIGRATION CANCEL ALL")).isEqualTo(":0");
  }

  @Test
  void migrationOfRedis_refusesMistakes() throws IOException {
    String wrongNumber = "-ERR wrong number of arguments for 'cluster|migration' command";
    assertThat(call("CLUSTER MIGRATION IMPORT 9000")).isEqualTo(wrongNumber);
    assertThat(call("CLUSTER MIGRATION IMPORT 9000 9001 9002")).isEqualTo(wrongNumber);
    assertThat(call("CLUSTER MIGRATION STATUS ID")).isEqualTo(wrongNumber);
    assertThat(call("CLUSTER MIGRATION CANCEL ALL x")).isEqualTo(wrongNumber);
    assertThat(call("CLUSTER MIGRATION STATUS x y")).isEqualTo("-ERR unknown argument");
    assertThat(call("CLUSTER MIGRATION WHATEVER 1")).isEqualTo("-ERR unknown argument");
    assertThat(call("CLUSTER MIGRATION IMPORT 0 16384"))
        .isEqualTo("-ERR Invalid or out of range slot");
    assertThat(call("CLUSTER MIGRATION IMPORT 9000 9001 9001 9002"))
        .isEqualTo("-ERR Slot 9001 specified multiple times");
    assertThat(call("CLUSTER MIGRATION IMPORT 0 1"))
        .isEqualTo("-ERR this node is already the owner of the slot range");
    assertThat(call("CLUSTER MIGRATION IMPORT 8000 9000"))
        .isEqualTo("-ERR slots belong to different source nodes");
    target.call("CLUSTER", "DELSLOTS", "9005");
    assertThat(call("CLUSTER MIGRATION IMPORT 9000 9010"))
        .isEqualTo("-ERR slot has no owner: 9005");
    call("CLUSTER SETSLOT 9000 IMPORTING " + id(1));
    assertThat(call("CLUSTER MIGRATION IMPORT 9000 9001"))
        .isEqualTo("-ERR all slot states must be STABLE to start a slot migration task.");
    try (RespSocket replica = new RespSocket(cluster.node(2).port())) {
      assertThat(replica.call("CLUSTER", "MIGRATION", "IMPORT", "9000", "9001"))
          .hasToString("-ERR slot migration not allowed on replica.");
    }
  }

  @Test
  void openTransactionAndWatch_seeTheMove() throws IOException {
    call("SET b 1");
    call("WATCH b");
    call("MULTI");
    assertThat(call("SET b 2")).isEqualTo("+QUEUED");
    try (RespSocket other = new RespSocket(cluster.node(0).port())) {
      other.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", "3300", "3300", "NODE", id(1));
      awaitAny(other, "success", "CLUSTER", "GETSLOTMIGRATIONS");
    }
    assertThat(call("EXEC")).contains("MOVED 3300 ");
    assertThat(target.call("GET", "b")).hasToString("$1:1");
  }

  @Test
  void frozenTarget_failsTheMove() throws IOException {
    call("SET b 1");
    try (KermesCluster alone = KermesCluster.start(2, 0);
        RespSocket from = new RespSocket(alone.node(0).port())) {
      from.call("CONFIG", "SET", "cluster-require-full-coverage", "no");
      alone.freeze(alone.node(1));
      String to = alone.node(1).id();
      from.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", "3300", "3300", "NODE", to);
      awaitAny(from, "Unable to connect", "CLUSTER", "GETSLOTMIGRATIONS");
      awaitAny(from, "failed", "CLUSTER", "GETSLOTMIGRATIONS");
      assertThat(alone.masterOf(3300)).isSameAs(alone.node(0));
      alone.thaw(alone.node(1));
    }
  }

  @Test
  void impossibleMove_failsLater() throws IOException {
    target.call("CLUSTER", "SETSLOT", "7", "IMPORTING", id(0));
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE 9 9 NODE " + id(1))).isEqualTo("+OK");
    awaitAny(source, "Slots are being manually imported", "CLUSTER", "GETSLOTMIGRATIONS");
    assertThat(call("CLUSTER GETSLOTMIGRATIONS")).contains("failed");
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE 9 9 NODE " + id(2))).isEqualTo("+OK");
    awaitAny(source, "Target node is not a master", "CLUSTER", "GETSLOTMIGRATIONS");
    assertThat(call("SET b 1")).isEqualTo("+OK");
  }

  @Test
  void mistakes_areRefused() throws IOException {
    List<String> mistakes =
        List.of(
            "INVALID 0 1 -ERR syntax error",
            "SLOTSRANGE 0 -ERR No end slot for final slot range",
            "SLOTSRANGE 16385 16388 -ERR Invalid or out of range slot",
            "SLOTSRANGE a 0 -ERR No slot ranges specified",
            "SLOTSRANGE 0 a -ERR Invalid or out of range slot",
            "SLOTSRANGE 1 0 -ERR Start slot number 1 is greater than end slot number 0.",
            "SLOTSRANGE 0 16383 -ERR Requested slots span multiple shards",
            "SLOTSRANGE 0 5 3 6 -ERR Slot range 3-6 overlaps with previous range 0-5.",
            "SLOTSRANGE 3 6 0 5 -ERR Slot range 0-5 overlaps with previous range 3-6.",
            "SLOTSRANGE 0 0 -ERR syntax error",
            "SLOTSRANGE 0 0 NODE -ERR syntax error",
            "SLOTSRANGE 0 0 NODE blah -ERR Invalid node name: blah",
            "SLOTSRANGE 0 0 NODE " + "a".repeat(40) + " -ERR Unknown node name: " + "a".repeat(40),
            "SLOTSRANGE 0 0 NODE " + id(0) + " -ERR Target node can not be this node.",
            "SLOTSRANGE 9000 9000 NODE " + id(1) + " -ERR Slots are not served by this node.",
            "SLOTSRANGE 0 0 NODE %s SLOTSRANGE -ERR No slot ranges specified",
            "SLOTSRANGE 1 1 NODE %s SLOTSRANGE 0 2 NODE %s -ERR Slot ranges in migrations overlap");
    for (String mistake : mistakes) {
      int error = mistake.indexOf(" -ERR");
      String words = mistake.substring(0, error).replace("%s", id(1));
      assertThat(call("CLUSTER MIGRATESLOTS " + words)).isEqualTo(mistake.substring(error + 1));
    }
    assertThat(call("CLUSTER CANCELSLOTMIGRATIONS")).isEqualTo("-ERR No migrations ongoing");
    assertThat(call("CLUSTER GETSLOTMIGRATIONS")).isEqualTo("*0");
    try (RespSocket replica = new RespSocket(cluster.node(2).port())) {
      assertThat(replica.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", "0", "0"))
          .hasToString("-ERR Slot migration can only be used on primary nodes.");
    }
    call("CLUSTER SETSLOT 20 MIGRATING " + id(1));
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE 1 1"))
        .isEqualTo("-ERR Slots are being manually migrated");
    call("CLUSTER SETSLOT 20 STABLE");
    call("CLUSTER SETSLOT 9000 IMPORTING " + id(1));
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE 1 1"))
        .isEqualTo("-ERR Slots are being manually imported");
    call("CLUSTER SETSLOT 9000 STABLE");
    call("CLUSTER DELSLOTS 7");
    assertThat(call("CLUSTER MIGRATESLOTS SLOTSRANGE 7 7"))
        .isEqualTo("-ERR Slot 7 has no node served.");
  }
}
