package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our server as the replica of a redis-server. */
final class ReplicaTest {

  private static RedisServer replicaOf(int port, String... options) {
    return TestServers.with(options).option("replicaof", "127.0.0.1 " + port).start();
  }

  @TempDir private Path folder;

  private RealRedis master(String... options) throws IOException, InterruptedException {
    String[] all = {"--repl-diskless-sync-delay", "0", "--dir", folder.toString()};
    return RealRedis.start(Stream.of(all, options).flatMap(Arrays::stream).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no"})
  void fullSyncAndStream_bringTheMastersData(String diskless) throws Exception {
    try (RealRedis real = master("--repl-diskless-sync", diskless);
        RespSocket master = new RespSocket(real.port())) {
      RandomData.fill(master, new Random(1));
      try (RedisServer server = replicaOf(real.port());
          RespSocket replica = new RespSocket(server.port())) {
        replica.awaitInfo("master_link_status:up");
        Map<String, String> copied = KeyspaceState.of(master);
        assertThat(KeyspaceState.of(replica)).isEqualTo(copied);
        RandomData.fill(master, new Random(2));
        ReplicaLag.awaitNone(master, replica);
        Map<String, String> streamed = KeyspaceState.of(master);
        assertThat(streamed).isNotEqualTo(copied);
        assertThat(KeyspaceState.of(replica)).isEqualTo(streamed);
        master.awaitInfo("state=online");
      }
    }
  }

  @Test
  void lostLink_isMadeAgainAndOnlyTheRestIsSent() throws Exception {
    try (RealRedis real = master();
        RespSocket master = new RespSocket(real.port());
        RedisServer server = replicaOf(real.port());
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      master.call("SELECT", "3");
      master.call("SET", "a", "1");
      ReplicaLag.awaitNone(master, replica);
      assertThat(master.call("CLIENT", "KILL", "TYPE", "replica").toString()).isEqualTo(":1");
      master.call("SET", "b", "2");
      ReplicaLag.awaitNone(master, replica);
      replica.call("SELECT", "3");
      assertThat(replica.call("GET", "b").toString()).isEqualTo("$1:2");
      master.awaitInfo("sync_partial_ok:1");
    }
  }

  @Test
  void replica_refusesWritesUntilItIsPromoted() throws Exception {
    try (RealRedis real = master();
        RespSocket master = new RespSocket(real.port());
        RedisServer server = replicaOf(real.port());
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      master.call("SET", "a", "1");
      ReplicaLag.awaitNone(master, replica);
      String refusal = "-READONLY You can't write against a read only replica.";
      assertThat(replica.call("SET", "a", "2").toString()).isEqualTo(refusal);
      assertThat(replica.call("EVAL", "return redis.call('set','a','2')", "0").toString())
          .startsWith("-READONLY You can't write against a read only replica.");
      assertThat(replica.call("REPLICAOF", "NO", "ONE").toString()).isEqualTo("+OK");
      assertThat(replica.call("SET", "a", "2").toString()).isEqualTo("+OK");
      assertThat(replica.call("ROLE").elements().getFirst().text()).isEqualTo("6:master");
      assertThat(replica.call("GET", "a").toString()).isEqualTo("$1:2");
      assertThat(replica.call("REPLICAOF", "127.0.0.1", "" + real.port()).toString())
          .isEqualTo("+OK");
      replica.awaitInfo("master_link_status:up");
      assertThat(replica.call("GET", "a").toString()).isEqualTo("$1:1");
    }
  }

  @Test
  void dueKeys_areGoneForClientsAndStayForTheMaster() throws Exception {
    try (RealRedis real = master("--enable-debug-command", "yes");
        RespSocket master = new RespSocket(real.port());
        RedisServer server = replicaOf(real.port());
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      master.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      master.call("SET", "a", "1", "PX", "1");
      ReplicaLag.awaitNone(master, replica);
      replica.await("-1", "GET", "a");
      assertThat(replica.call("DBSIZE").toString()).isEqualTo(":1");
      master.await("-1", "GET", "a"); // the master expires a key a millisecond later
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("DBSIZE").toString()).isEqualTo(":0");
    }
  }

  @Test
  void commandsOfTheStream_areCountedLikeThoseOfClients() throws Exception {
    try (RedisServer other = TestServers.replicating();
        RespSocket master = new RespSocket(other.port());
        RedisServer server = replicaOf(other.port());
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      replica.call("CONFIG", "RESETSTAT");
      replica.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
      master.call("GETSET", "a", "1");
      master.call("RPUSH", "l", "x");
      master.call("MULTI");
      master.call("SET", "a", "2");
      master.call("SET", "a", "3");
      master.call("EXEC");
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("INFO", "commandstats").text())
          .contains("cmdstat_set:calls=3,", "cmdstat_rpush:calls=1,", "cmdstat_exec:calls=1,");
      assertThat(replica.call("SLOWLOG", "GET").toString()).contains("$5:RPUSH");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"client-query-buffer-limit", "proto-max-bulk-len"})
  void commandOfTheStream_mayBeLongerThanThoseOfClients(String limit) throws Exception {
    try (RedisServer other = TestServers.replicating();
        RespSocket master = new RespSocket(other.port());
        RedisServer server = replicaOf(other.port(), limit, "1mb");
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      master.call("SET", "a", "x".repeat(3_000_000));
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("STRLEN", "a")).hasToString(":3000000");
      master.call("APPEND", "a", "x");
      master.call("SETRANGE", "a", "3500000", "x");
      master.call("SETBIT", "a", "32000000", "1");
      master.call("BITFIELD", "a", "SET", "u8", "40000000", "1");
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("STRLEN", "a")).hasToString(":5000001");
      assertThat(Fact.of(master, "sync_full")).isEqualTo("1");
      assertThat(Fact.of(replica, "client_query_buffer_limit_disconnections")).isEqualTo("0");
    }
  }

  @Test
  void password_isSentToTheMaster() throws Exception {
    try (RealRedis real = master("--requirepass", "secret");
        RespSocket master = new RespSocket(real.port());
        RedisServer server = replicaOf(real.port(), "masterauth", "wrong");
        RespSocket replica = new RespSocket(server.port())) {
      master.call("AUTH", "secret");
      master.call("SET", "a", "1");
      assertThat(replica.call("ROLE").elements().get(3).text()).isNotEqualTo("9:connected");
      replica.call("CONFIG", "SET", "masterauth", "secret");
      replica.awaitInfo("master_link_status:up");
      assertThat(replica.call("GET", "a").toString()).isEqualTo("$1:1");
    }
  }

  @Test
  void staleData_areServedOnlyIfTheyMay() throws Exception {
    try (RedisServer server = replicaOf(1);
        RespSocket replica = new RespSocket(server.port())) {
      assertThat(replica.call("GET", "a").toString()).doesNotStartWith("-");
      replica.call("CONFIG", "SET", "replica-serve-stale-data", "no");
      assertThat(replica.call("GET", "a").toString())
          .isEqualTo(
              "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.");
      assertThat(replica.call("PING").toString()).startsWith("-MASTERDOWN");
      assertThat(replica.call("ROLE").elements().getFirst().text()).isEqualTo("5:slave");
    }
  }

  @Test
  void writableReplica_endsTheKeysOfItsOwnClients() throws Exception {
    try (RedisServer other = TestServers.replicating();
        RespSocket master = new RespSocket(other.port());
        RedisServer server = replicaOf(other.port(), "replica-read-only", "no");
        RespSocket replica = new RespSocket(server.port())) {
      master.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      master.call("SET", "masters", "1", "PX", "1");
      master.call("SET", "both", "1");
      ReplicaLag.awaitNone(master, replica);
      replica.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      replica.call("SET", "a", "1", "PX", "1");
      replica.call("SADD", "b", "1");
      replica.call("PEXPIRE", "b", "1");
      replica.call("PEXPIRE", "both", "1");
      assertThat(Fact.of(replica, "slave_expires_tracked_keys")).isEqualTo("3");
      assertThat(replica.call("DBSIZE")).hasToString(":4");
      replica.call("DEBUG", "SET-ACTIVE-EXPIRE", "1");
      replica.await(":?1", "DBSIZE");
      assertThat(replica.call("KEYS", "*").elements()).isEmpty(); // the key left is the master's
      replica.awaitInfo("slave_expires_tracked_keys:0");
    }
  }

  @Test
  void failedCommandOfTheStream_mayEndTheReplica() throws Exception {
    try (RedisServer other = TestServers.replicating();
        RespSocket master = new RespSocket(other.port());
        RedisServer server = replicaOf(other.port(), "replica-read-only", "no");
        RespSocket replica = new RespSocket(server.port())) {
      replica.awaitInfo("master_link_status:up");
      replica.call("SET", "n", "text");
      master.call("INCR", "n");
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("GET", "n")).hasToString("$4:text");
      assertThat(master.call("DEBUG", "REPLICATE", "no-such-command", "a")).hasToString("+OK");
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("PING")).hasToString("+PONG");
      assertThat(replica.call("CONFIG", "SET", "propagation-error-behavior", "panic"))
          .hasToString("+OK");
      master.call("INCR", "n");
      ReplicaLag.awaitNone(master, replica);
      assertThat(replica.call("CONFIG", "SET", "replica-read-only", "yes")).hasToString("+OK");
      master.call("INCR", "n");
      server.awaitClosed();
    }
  }
}
