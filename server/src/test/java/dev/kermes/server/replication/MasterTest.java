package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.FaultyProxy;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our server as the master of redis-servers and of our own. */
final class MasterTest {

  @TempDir private Path folder;

  private static RedisServer replicaOf(RedisServer master) {
    return TestServers.replicating("replicaof", "127.0.0.1 " + master.port());
  }

  private RealRedis realReplicaOf(int port, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--dir", folder.toString()));
    all.addAll(List.of("--replicaof", "127.0.0.1 " + port));
    all.addAll(Arrays.asList(options));
    return RealRedis.start(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"disabled", "flush-before-load"})
  void fullSync_isTheBaseOfTheReplicasAppendOnlyFile(String disklessLoad) throws Exception {
    String[] files = {"dir", folder.toString(), "appendonly", "yes"};
    try (RedisServer first = TestServers.replicating();
        RespSocket master = new RespSocket(first.port())) {
      RandomData.fill(master, new Random(1));
      Map<String, String> state;
      try (RedisServer second = TestServers.with(files).start();
          RespSocket replica = new RespSocket(second.port())) {
        replica.call("SET", "of its own", "1");
        replica.call("CONFIG", "SET", "repl-diskless-load", disklessLoad);
        replica.call("REPLICAOF", "127.0.0.1", "" + first.port());
        ReplicaLag.awaitNone(master, replica);
        if (disklessLoad.equals("disabled")) {
          assertThat(Fact.of(replica, "aof_rewrites")).isEqualTo("0");
          assertThat(Fact.of(replica, "aof_rewrite_in_progress")).isEqualTo("0");
        }
        master.call("SET", "later", "2");
        ReplicaLag.awaitNone(master, replica);
        replica.awaitInfo("aof_rewrite_in_progress:0");
        replica.awaitInfo("aof_rewrite_scheduled:0");
        state = KeyspaceState.of(master);
      }
      try (RedisServer second = TestServers.with(files).start();
          RespSocket alone = new RespSocket(second.port())) {
        assertThat(KeyspaceState.of(alone)).isEqualTo(state);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"disabled", "swapdb"})
  void redis_followsOurs(String load) throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port())) {
      RandomData.fill(master, new Random(1));
      try (RealRedis real = realReplicaOf(server.port(), "--repl-diskless-load", load);
          RespSocket replica = new RespSocket(real.port())) {
        ReplicaLag.awaitNone(master, replica);
        Map<String, String> copied = KeyspaceState.of(master);
        assertThat(KeyspaceState.of(replica)).isEqualTo(copied);
        RandomData.fill(master, new Random(2));
        assertThat(master.call("WAIT", "1", "10000").toString()).isEqualTo(":1");
        assertThat(KeyspaceState.of(replica)).isEqualTo(KeyspaceState.of(master));
        assertThat(master.call("ROLE").elements().get(2).elements()).hasSize(1);
        assertThat(Fact.of(master, "slave0")).contains("port=" + real.port() + ",state=online");
      }
    }
  }

  /**
   * The master must give up the full sync, or the next one would never begin: 30 MB are more than
   * it produces ahead of a replica.
   */
  @Test
  void replicaThatLeavesDuringItsFullSync_isNotWaitedFor() throws Exception {
    try (RedisServer server = TestServers.replicating("rdbcompression", "no");
        RespSocket master = new RespSocket(server.port())) {
      master.call("DEBUG", "POPULATE", "30000", "key", "1000");
      try (RespSocket leaving = new RespSocket(server.port())) {
        leaving.call("REPLCONF", "capa", "eof", "capa", "psync2");
        leaving.send("PSYNC", "?", "-1");
        leaving.readRaw(300_000);
      }
      master.awaitInfo("rdb_bgsave_in_progress:0");
      try (RedisServer second = replicaOf(server);
          RespSocket replica = new RespSocket(second.port())) {
        ReplicaLag.awaitNone(master, replica);
        assertThat(replica.call("DBSIZE").toString()).isEqualTo(":30000");
      }
    }
  }

  @Test
  void copyOfTheFunctions_hasNoKeys() throws Exception {
    String library = "#!lua name=l\nredis.register_function('f', function() return 7 end)";
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port())) {
      master.call("FUNCTION", "LOAD", library);
      master.call("SET", "a", "1");
      Process program =
          new ProcessBuilder(
                  "redis-cli",
                  "-p",
                  Integer.toString(server.port()),
                  "--functions-rdb",
                  folder.resolve("dump.rdb").toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(program.waitFor()).as(output).isZero();
    }
    try (RedisServer server = TestServers.storingIn(folder).start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("DBSIZE").toString()).isEqualTo(":0");
      assertThat(redis.call("FCALL", "f", "0").toString()).isEqualTo(":7");
    }
  }

  @Test
  void filterOfTheFullSync_takesFunctionsAlone() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port())) {
      for (String words : List.of("functions", "", "FUNCTIONS functions")) {
        assertThat(master.call("REPLCONF", "rdb-filter-only", words)).hasToString("+OK");
      }
      assertThat(master.call("REPLCONF", "rdb-filter-only", "functions keys"))
          .hasToString("-ERR Unsupported rdb-filter-only option: functions keys");
    }
  }

  @Test
  void ours_followsOurs_throughAChain() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = replicaOf(first);
        RespSocket master = new RespSocket(first.port());
        RespSocket middle = new RespSocket(second.port())) {
      RandomData.fill(master, new Random(3));
      ReplicaLag.awaitNone(master, middle);
      try (RedisServer third = replicaOf(second);
          RealRedis real = realReplicaOf(second.port());
          RespSocket end = new RespSocket(third.port());
          RespSocket realEnd = new RespSocket(real.port())) {
        ReplicaLag.awaitNone(master, end);
        ReplicaLag.awaitNone(master, realEnd);
        RandomData.fill(master, new Random(4));
        ReplicaLag.awaitNone(master, middle);
        ReplicaLag.awaitNone(master, end);
        ReplicaLag.awaitNone(master, realEnd);
        Map<String, String> state = KeyspaceState.of(master);
        assertThat(KeyspaceState.of(middle)).isEqualTo(state);
        assertThat(KeyspaceState.of(end)).isEqualTo(state);
        assertThat(KeyspaceState.of(realEnd)).isEqualTo(state);
        for (RespSocket each : List.of(middle, end, realEnd)) {
          assertThat(Fact.of(each, "master_replid")).isEqualTo(Fact.of(master, "master_replid"));
        }
      }
    }
  }

  @Test
  void bytesOfTheFullSyncAndTheStream_areCounted() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = replicaOf(first);
        RespSocket master = new RespSocket(first.port());
        RespSocket replica = new RespSocket(second.port())) {
      ReplicaLag.awaitNone(master, replica);
      assertBytesOfReplication(master, replica, 100); // the full sync
      for (RespSocket each : List.of(master, replica)) each.call("CONFIG", "RESETSTAT");
      master.call("SET", "a", "x".repeat(10_000));
      ReplicaLag.awaitNone(master, replica);
      assertBytesOfReplication(master, replica, 10_000);
    }
  }

  private static void assertBytesOfReplication(RespSocket master, RespSocket replica, long least)
      throws IOException {
    assertThat(Long.parseLong(Fact.of(master, "total_net_repl_output_bytes")))
        .isGreaterThanOrEqualTo(least);
    assertThat(Long.parseLong(Fact.of(replica, "total_net_repl_input_bytes")))
        .isGreaterThanOrEqualTo(least);
  }

  @Test
  void writesDuringTheFullSync_reachTheReplica() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port())) {
      for (int i = 0; i < 100_000; i++) master.send("SET", "key" + i, "value" + i);
      for (int i = 0; i < 100_000; i++) master.read();
      try (RealRedis real = realReplicaOf(server.port());
          RespSocket replica = new RespSocket(real.port())) {
        Random random = new Random(5);
        for (int i = 0; i < 30_000; i++) {
          writer.call("INCRBY", "counter" + random.nextInt(1000), "" + i);
        }
        assertThat(master.call("WAIT", "1", "20000").toString()).isEqualTo(":1");
        ReplicaLag.awaitNone(master, replica);
        assertThat(replica.call("DBSIZE")).isEqualTo(master.call("DBSIZE"));
        for (int i = 0; i < 1000; i++) {
          assertThat(replica.call("GET", "counter" + i))
              .isEqualTo(master.call("GET", "counter" + i));
        }
      }
    }
  }

  @Test
  void lostConnection_isContinued() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RealRedis real = realReplicaOf(server.port());
        RedisServer ours = replicaOf(server);
        RespSocket theirReplica = new RespSocket(real.port());
        RespSocket ourReplica = new RespSocket(ours.port())) {
      for (RespSocket replica : List.of(theirReplica, ourReplica)) {
        ReplicaLag.awaitNone(master, replica);
        master.call("SELECT", "5");
        master.call("SET", "a", "1");
      }
      master.call("WAIT", "2", "10000");
      assertThat(master.call("CLIENT", "KILL", "TYPE", "replica").toString()).isEqualTo(":2");
      master.call("SET", "b", "2");
      for (RespSocket replica : List.of(theirReplica, ourReplica)) {
        ReplicaLag.awaitNone(master, replica);
        replica.call("SELECT", "5");
        assertThat(replica.call("GET", "b").toString()).isEqualTo("$1:2");
      }
      assertThat(Fact.of(master, "sync_partial_ok")).isEqualTo("2");
      assertThat(Fact.of(master, "sync_full")).isEqualTo("2");
    }
  }

  @Test
  void tooLongAway_needsAFullSync() throws Exception {
    try (RedisServer server = TestServers.replicating("repl-backlog-size", "16kb");
        RespSocket master = new RespSocket(server.port());
        FaultyProxy proxy = new FaultyProxy(server.port());
        RedisServer ours = TestServers.replicating("replicaof", "127.0.0.1 " + proxy.port());
        RespSocket replica = new RespSocket(ours.port())) {
      ReplicaLag.awaitNone(master, replica);
      proxy.cut();
      for (int i = 0; i < 1000; i++) master.send("SET", "key" + i, "x".repeat(100));
      for (int i = 0; i < 1000; i++) master.read();
      proxy.heal();
      ReplicaLag.awaitNone(master, replica);
      assertThat(Fact.of(master, "sync_full")).isEqualTo("2");
      assertThat(replica.call("DBSIZE").toString()).isEqualTo(":1000");
    }
  }

  @Test
  void promotedReplica_isFollowedByTheOthersWithoutAFullSync() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RespSocket master = new RespSocket(first.port());
        RedisServer ours = replicaOf(first);
        RealRedis real = realReplicaOf(first.port());
        RespSocket promoted = new RespSocket(ours.port());
        RespSocket other = new RespSocket(real.port())) {
      ReplicaLag.awaitNone(master, promoted);
      ReplicaLag.awaitNone(master, other);
      master.call("SET", "a", "1");
      assertThat(master.call("WAIT", "2", "10000").toString()).isEqualTo(":2");
      promoted.call("REPLICAOF", "NO", "ONE");
      promoted.call("SET", "b", "2");
      other.call("REPLICAOF", "127.0.0.1", "" + ours.port());
      master.call("REPLICAOF", "127.0.0.1", "" + ours.port());
      for (RespSocket each : List.of(other, master)) {
        ReplicaLag.awaitNone(promoted, each);
        assertThat(each.call("GET", "b").toString()).isEqualTo("$1:2");
      }
      assertThat(Fact.of(promoted, "sync_partial_ok")).isEqualTo("2");
      assertThat(Fact.of(promoted, "sync_full")).isEqualTo("0");
    }
  }

  @Test
  void wait_countsReplicasThatHaveIt() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RedisServer ours = replicaOf(server);
        RespSocket replica = new RespSocket(ours.port())) {
      ReplicaLag.awaitNone(master, replica);
      master.call("SET", "a", "1");
      assertThat(master.call("WAIT", "1", "0").toString()).isEqualTo(":1");
      assertThat(master.call("WAIT", "2", "50").toString()).isEqualTo(":1");
      assertThat(master.call("WAIT", "0", "0").toString()).matches(":[01]");
      assertThat(master.call("WAIT", "1", "-1").toString()).isEqualTo("-ERR timeout is negative");
      assertThat(master.call("WAIT", "1", "" + Long.MAX_VALUE).toString())
          .isEqualTo("-ERR timeout is out of range");
      assertThat(replica.call("WAIT", "1", "0").text()).startsWith("ERR WAIT cannot be used");
    }
  }

  @Test
  void minReplicas_areNeededToWrite() throws Exception {
    try (RedisServer server = TestServers.replicating("min-replicas-to-write", "1");
        RespSocket master = new RespSocket(server.port())) {
      assertThat(master.call("SET", "a", "1").toString())
          .isEqualTo("-NOREPLICAS Not enough good replicas to write.");
      try (RedisServer ours = replicaOf(server);
          RespSocket replica = new RespSocket(ours.port())) {
        ReplicaLag.awaitNone(master, replica);
        master.await("OK", "SET", "a", "1");
      }
      master.await("NOREPLICAS.*", "SET", "a", "1");
    }
  }

  @Test
  void fullSyncWithItsLength_isForReplicasThatKnowNoMarks() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket old = new RespSocket(server.port())) {
      master.call("SET", "a", "1");
      old.sendRaw("SYNC\r\n");
      String line = old.readLine();
      while (line.isEmpty()) line = old.readLine();
      assertThat(line).matches("\\$\\d+");
      assertThat(old.readRaw(Integer.parseInt(line.substring(1)))).startsWith("REDIS0010");
      master.call("SPOP", "nothing");
      master.call("SET", "b", "2", "EX", "100");
      assertThat(old.read().toString()).isEqualTo("*2[$6:SELECT, $1:0]");
      assertThat(old.read().toString()).startsWith("*5[$3:SET, $1:b, $1:2, $4:PXAT, $13:");
    }
  }

  @Test
  void replicaThatWantsAReply_isClosed() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port())) {
      for (String command : List.of("PING", "GET a", "XINFO HELP")) {
        try (RespSocket replica = new RespSocket(server.port())) {
          replica.send("PSYNC", "?", "-1");
          master.awaitInfo("state=online");
          replica.send(List.of(command.split(" ")));
          assertThat(replica.readToEnd()).doesNotContain("PONG").doesNotContain("-ERR");
        }
        master.awaitInfo("connected_slaves:0");
      }
    }
  }

  @Test
  void slowReplica_keepsTheStreamUntilItIsClosed() throws Exception {
    try (RedisServer server = TestServers.replicating("repl-backlog-size", "16kb");
        RespSocket master = new RespSocket(server.port());
        RespSocket slow = new RespSocket(server.port())) {
      slow.send("PSYNC", "?", "-1");
      master.awaitInfo("state=online");
      String value = "x".repeat(1 << 20);
      for (int i = 0; i < 40; i++) master.call("SET", "a", value);
      long kept = Long.parseLong(Fact.of(master, "mem_total_replication_buffers"));
      assertThat(kept).isGreaterThan(10 << 20);
      assertThat(Fact.of(master, "repl_backlog_histlen")).isEqualTo(Long.toString(kept));
      master.call("CONFIG", "SET", "client-output-buffer-limit", "replica 0 1mb 1");
      master.awaitInfo("connected_slaves:0");
      assertThat(Long.parseLong(Fact.of(master, "mem_total_replication_buffers")))
          .isLessThan(64 << 10);
    }
  }

  @Test
  void replicaThatDoesNotReadItsFullSync_isClosed() throws Exception {
    try (RedisServer server = TestServers.replicating("repl-timeout", "1", "rdbcompression", "no");
        RespSocket master = new RespSocket(server.port());
        RespSocket stuck = new RespSocket(server.port())) {
      master.call("DEBUG", "POPULATE", "100", "key", "1000000");
      stuck.call("REPLCONF", "capa", "eof");
      stuck.send("PSYNC", "?", "-1");
      master.awaitInfo("state=wait_bgsave");
      assertThat(Fact.of(master, "rdb_bgsave_in_progress")).isEqualTo("1");
      master.awaitInfo("connected_slaves:0");
      master.awaitInfo("rdb_bgsave_in_progress:0");
    }
  }
}
