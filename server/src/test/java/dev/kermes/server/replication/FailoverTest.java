package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.RedisServer;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FAILOVER from our server to a redis-server, back again, and between two of our servers. */
final class FailoverTest {

  @TempDir private Path folder;

  private RealRedis realReplicaOf(int port) throws Exception {
    return RealRedis.start(List.of("--dir", folder.toString(), "--replicaof", "127.0.0.1 " + port));
  }

  private static void awaitRoles(RespSocket leader, RespSocket follower) throws IOException {
    leader.awaitInfo("role:master");
    follower.awaitInfo("role:slave");
    ReplicaLag.awaitNone(leader, follower);
    for (RespSocket each : List.of(leader, follower)) {
      assertThat(Fact.of(each, "master_failover_state")).isEqualTo("no-failover");
    }
  }

  @Test
  void ours_handsOverToRedis_andGetsItBack() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket ours = new RespSocket(server.port());
        RealRedis real = realReplicaOf(server.port());
        RespSocket their = new RespSocket(real.port())) {
      ReplicaLag.awaitNone(ours, their);
      RandomData.fill(ours, new Random(1));
      assertThat(ours.call("FAILOVER").toString()).isEqualTo("+OK");
      awaitRoles(their, ours);
      assertThat(Fact.of(their, "sync_full")).isEqualTo("0");
      assertThat(KeyspaceState.of(ours)).isEqualTo(KeyspaceState.of(their));
      assertThat(ours.call("SET", "a", "1").text()).startsWith("READONLY");
      assertThat(their.call("FAILOVER", "TO", "127.0.0.1", "" + server.port()).toString())
          .isEqualTo("+OK");
      awaitRoles(ours, their);
      assertThat(Fact.of(ours, "sync_full")).isEqualTo("1"); // only the initial one
      assertThat(ours.call("SET", "a", "1").toString()).isEqualTo("+OK");
    }
  }

  @Test
  void writesUnderWay_areNotLost() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = TestServers.replicating("replicaof", "127.0.0.1 " + first.port());
        RedisServer third = TestServers.replicating("replicaof", "127.0.0.1 " + first.port());
        RespSocket master = new RespSocket(first.port());
        RespSocket replica = new RespSocket(second.port());
        RespSocket other = new RespSocket(third.port())) {
      ReplicaLag.awaitNone(master, replica);
      ReplicaLag.awaitNone(master, other);
      CompletableFuture<Long> writer = increment(first.port());
      master.await("\\d+:[1-9]\\d*", "GET", "counter");
      master.call("FAILOVER", "TO", "127.0.0.1", "" + second.port(), "TIMEOUT", "20000");
      long last = writer.get();
      awaitRoles(replica, master);
      ReplicaLag.awaitNone(replica, other); // through the old master
      for (RespSocket each : List.of(master, replica, other)) {
        assertThat(each.call("GET", "counter").text()).endsWith(":" + last);
      }
      assertThat(replica.call("INCR", "counter").toString()).isEqualTo(":" + (last + 1));
      assertThat(Fact.of(replica, "sync_full")).isEqualTo("0");
    }
  }

  /** Increments a counter until the server refuses; returns the last reply. */
  private static CompletableFuture<Long> increment(int port) {
    return CompletableFuture.supplyAsync(() -> {
      try (RespSocket client = new RespSocket(port)) {
        RespReply reply = client.call("INCR", "counter");
        long last = 0;
        while (reply.type() == ':') {
          last = Long.parseLong(reply.text());
          reply = client.call("INCR", "counter");
        }
        assertThat(reply.text()).startsWith("READONLY");
        return last;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Test
  void waitingClients_areSentAway() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = TestServers.replicating("replicaof", "127.0.0.1 " + first.port());
        RespSocket master = new RespSocket(first.port());
        RespSocket waiting = new RespSocket(first.port());
        RespSocket replica = new RespSocket(second.port())) {
      ReplicaLag.awaitNone(master, replica);
      waiting.send("BLPOP", "list", "0");
      master.awaitInfo("blocked_clients:1");
      master.call("FAILOVER");
      assertThat(waiting.read().text()).startsWith("UNBLOCKED");
      assertThat(Fact.of(master, "master_failover_state")).isEqualTo("no-failover");
      awaitRoles(replica, master);
    }
  }

  @Test
  void waitingClients_stay_whenItIsGivenUp() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket popping = new RespSocket(server.port());
        RespSocket counting = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server)) {
      master.call("SET", "a", "1");
      master.awaitInfo("state=online");
      popping.send("BLPOP", "list", "0");
      counting.send("WAIT", "1", "300");
      master.awaitInfo("blocked_clients:2");
      master.call("FAILOVER", "TO", "127.0.0.1", "1", "FORCE", "TIMEOUT", "50");
      master.awaitInfo("master_failover_state:failover-in-progress");
      assertThat(counting.read().toString()).isEqualTo(":0");
      assertThat(Fact.of(master, "blocked_clients")).isEqualTo("1");
      assertThat(master.call("FAILOVER", "ABORT").toString()).isEqualTo("+OK");
      assertThat(master.call("RPUSH", "list", "x").toString()).isEqualTo(":1");
      assertThat(popping.read().elements()).hasSize(2);
      assertThat(replica.readRaw(4)).isEqualTo("*2\r\n");
    }
  }

  // Clients that know REDIRECT

  private static RespSocket redirected(RedisServer server) throws IOException {
    RespSocket client = new RespSocket(server.port());
    assertThat(client.call("CLIENT", "CAPA", "redirect").toString()).isEqualTo("+OK");
    return client;
  }

  @Test
  void replica_sendsThemToItsMaster() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = TestServers.replicating();
        RespSocket replica = new RespSocket(second.port());
        RespSocket client = redirected(second);
        RespSocket queuing = redirected(second);
        RespSocket master = new RespSocket(first.port())) {
      queuing.call("MULTI");
      assertThat(queuing.call("SET", "a", "1").toString()).isEqualTo("+QUEUED");
      replica.call("REPLICAOF", "127.0.0.1", "" + first.port());
      ReplicaLag.awaitNone(master, replica);
      String elsewhere = "-REDIRECT 127.0.0.1:" + first.port();
      assertThat(queuing.call("EXEC").toString()).isEqualTo(elsewhere);
      assertThat(queuing.call("EXEC").toString()).isEqualTo("-ERR EXEC without MULTI");
      queuing.call("MULTI");
      assertThat(queuing.call("SET", "a", "1").toString()).isEqualTo(elsewhere);
      assertThat(queuing.call("EXEC").text()).startsWith("EXECABORT");
      assertThat(client.call("SET", "a", "1").toString()).isEqualTo(elsewhere);
      assertThat(client.call("GET", "a").toString()).isEqualTo(elsewhere);
      assertThat(client.call("PING").toString()).isEqualTo("+PONG");
      assertThat(client.call("READONLY").toString()).isEqualTo("+OK");
      assertThat(client.call("GET", "a").toString()).isEqualTo("$-1");
      assertThat(client.call("SET", "a", "1").toString()).isEqualTo(elsewhere);
      assertThat(client.call("READWRITE").toString()).isEqualTo("+OK");
      assertThat(client.call("GET", "a").toString()).isEqualTo(elsewhere);
      assertThat(replica.call("SET", "a", "1").text()).startsWith("READONLY");
      assertThat(replica.call("READONLY", "now").text()).startsWith("ERR wrong number");
    }
  }

  @Test
  void whoWaits_isSentOnWhenThereIsAnotherMaster() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = TestServers.replicating("replicaof", "127.0.0.1 " + first.port());
        RespSocket master = new RespSocket(first.port());
        RespSocket replica = new RespSocket(second.port());
        RespSocket popping = redirected(first);
        RespSocket reading = redirected(first);
        RespSocket plain = new RespSocket(first.port())) {
      ReplicaLag.awaitNone(master, replica);
      popping.send("BLPOP", "list", "0");
      reading.call("READONLY");
      reading.send("XREAD", "BLOCK", "0", "STREAMS", "stream", "0");
      plain.send("BLPOP", "list", "0");
      master.awaitInfo("blocked_clients:3");
      master.call("FAILOVER");
      assertThat(plain.read().text()).startsWith("UNBLOCKED");
      String elsewhere = "-REDIRECT 127.0.0.1:" + second.port();
      assertThat(popping.read().toString()).isEqualTo(elsewhere);
      awaitRoles(replica, master);
      master.awaitInfo("blocked_clients:1");
      replica.call("XADD", "stream", "1-1", "a", "b");
      assertThat(reading.read().elements()).hasSize(1);
    }
  }

  @Test
  void whoComesDuringTheHandOver_waitsForItsEnd() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket client = redirected(server);
        RespSocket replica = silentReplicaOf(server)) {
      master.call("SET", "a", "1");
      master.awaitInfo("state=online");
      master.call("FAILOVER", "TO", "127.0.0.1", "1", "FORCE", "TIMEOUT", "50");
      master.awaitInfo("master_failover_state:failover-in-progress");
      client.send("GET", "a");
      master.awaitInfo("blocked_clients:1");
      assertThat(master.call("FAILOVER", "ABORT").toString()).isEqualTo("+OK");
      assertThat(client.read().toString()).isEqualTo("$1:1");
      assertThat(replica.readRaw(4)).isEqualTo("*2\r\n");
    }
  }

  @Test
  void writesDuringTheHandOverOfACluster_waitForItsEnd() throws IOException {
    Topology topology = new Topology(RandomGenerator.getDefault());
    ClusterNode self = topology.newNode();
    ClusterNode next = topology.newNode();
    next.listens(1, 0);
    BitSet slots = new BitSet();
    slots.set(0, HashSlots.COUNT);
    topology.assign(slots, self);
    topology.replicate(next, self);
    try (RedisServer server = TestServers.with("repl-diskless-sync-delay", "0").node(self).start();
        RespSocket master = new RespSocket(server.port());
        RespSocket client = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server)) {
      master.awaitInfo("state=online");
      self.running().handOver(next);
      master.awaitInfo("master_failover_state:waiting-for-sync");
      replica.send("REPLCONF", "ACK", Fact.of(master, "master_repl_offset"));
      master.awaitInfo("master_failover_state:failover-in-progress");
      client.send("SET", "a", "1");
      master.awaitInfo("blocked_clients:1");
    }
  }

  // Replicas that do not answer

  /** The connection of a replica that never acknowledges its offset. */
  private static RespSocket silentReplicaOf(RedisServer server) throws IOException {
    RespSocket replica = new RespSocket(server.port());
    replica.call("REPLCONF", "listening-port", "1");
    replica.sendRaw("PSYNC ? -1\r\n");
    String line = replica.readLine();
    while (!line.startsWith("$")) line = replica.readLine();
    replica.readRaw(Integer.parseInt(line.substring(1)));
    return replica;
  }

  @Test
  void failover_waits_untilItIsAborted() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server)) {
      writer.call("SET", "a", "1");
      master.awaitInfo("state=online");
      assertThat(master.call("FAILOVER").toString()).isEqualTo("+OK");
      assertThat(Fact.of(master, "master_failover_state")).isEqualTo("waiting-for-sync");
      assertThat(Fact.of(master, "paused_reason")).isEqualTo("failover_in_progress");
      writer.send("SET", "a", "2");
      master.awaitInfo("blocked_clients:1");
      assertThat(master.call("GET", "a").toString()).isEqualTo("$1:1");
      assertThat(master.call("FAILOVER").toString())
          .isEqualTo("-ERR FAILOVER already in progress.");
      assertThat(master.call("REPLICAOF", "NO", "ONE").toString())
          .isEqualTo("-ERR REPLICAOF not allowed while failing over.");
      assertThat(reply(server, "PSYNC", "?", "-1"))
          .isEqualTo("-NOMASTERLINK Can't SYNC while failing over");
      assertThat(master.call("FAILOVER", "ABORT").toString()).isEqualTo("+OK");
      assertThat(writer.read().toString()).isEqualTo("+OK");
      assertThat(Fact.of(master, "master_failover_state")).isEqualTo("no-failover");
      assertThat(replica.readRaw(4)).isEqualTo("*2\r\n");
    }
  }

  private static String reply(RedisServer server, String... command) throws IOException {
    try (RespSocket socket = new RespSocket(server.port())) {
      return socket.call(command).toString();
    }
  }

  @Test
  void failover_givesUp_whenItsTimeIsOver() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server)) {
      master.call("SET", "a", "1");
      master.awaitInfo("state=online");
      master.call("FAILOVER", "TIMEOUT", "50");
      assertThat(master.call("SET", "a", "2").toString()).isEqualTo("+OK"); // after the timeout
      assertThat(Fact.of(master, "master_failover_state")).isEqualTo("no-failover");
      assertThat(Fact.of(master, "role")).isEqualTo("master");
      assertThat(replica.readRaw(4)).isEqualTo("*2\r\n");
    }
  }

  @Test
  void forcedFailover_goesOn_untilItIsAborted() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server)) {
      master.call("SET", "a", "1");
      master.awaitInfo("state=online");
      master.call("FAILOVER", "TO", "127.0.0.1", "1", "FORCE", "TIMEOUT", "50");
      master.awaitInfo("master_failover_state:failover-in-progress");
      assertThat(Fact.of(master, "role")).isEqualTo("slave");
      assertThat(master.call("FAILOVER", "ABORT").toString()).isEqualTo("+OK");
      assertThat(Fact.of(master, "role")).isEqualTo("master");
      assertThat(master.call("SET", "a", "2").toString()).isEqualTo("+OK");
      assertThat(replica.readRaw(4)).isEqualTo("*2\r\n");
    }
  }

  @Test
  void targetThatRefuses_leavesEverythingAsItWas() throws IOException {
    try (RedisServer server = TestServers.replicating();
        RedisServer stranger = TestServers.replicating();
        RespSocket master = new RespSocket(server.port());
        RespSocket replica = new RespSocket(server.port())) {
      replica.call("REPLCONF", "listening-port", "" + stranger.port());
      replica.sendRaw("PSYNC ? -1\r\n");
      master.call("SET", "a", "1");
      master.awaitInfo("state=online");
      master.call("FAILOVER", "TO", "127.0.0.1", "" + stranger.port(), "FORCE", "TIMEOUT", "50");
      assertThat(master.call("SET", "a", "2").toString()).matches("\\+OK|-READONLY.*");
      master.awaitInfo("master_failover_state:no-failover");
      assertThat(Fact.of(master, "role")).isEqualTo("master");
      assertThat(master.call("SET", "a", "3").toString()).isEqualTo("+OK");
    }
  }

  // Mistakes

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FAILOVER",
        "FAILOVER ABORT",
        "FAILOVER ABORT FORCE",
        "FAILOVER TO 127.0.0.1",
        "FAILOVER TO 127.0.0.1 x",
        "FAILOVER TO 127.0.0.1 1",
        "FAILOVER TIMEOUT 0",
        "FAILOVER TIMEOUT x",
        "FAILOVER FORCE",
        "FAILOVER FORCE FORCE",
        "PSYNC ? -1 FAILOVER"
      })
  void mistakes_areToldAsByRedis(String command) throws Exception {
    try (RedisServer server = TestServers.replicating();
        RealRedis real = RealRedis.start();
        RespSocket ours = new RespSocket(server.port());
        RespSocket their = new RespSocket(real.port())) {
      String[] words = command.split(" ");
      assertThat(ours.call(words).toString()).isEqualTo(their.call(words).toString());
    }
  }

  @Test
  void mistakesWithReplicas_areToldAsByRedis() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RedisServer second = TestServers.replicating("replicaof", "127.0.0.1 " + server.port());
        RespSocket master = new RespSocket(server.port());
        RespSocket replica = new RespSocket(second.port())) {
      ReplicaLag.awaitNone(master, replica);
      assertThat(master.call("FAILOVER", "FORCE").toString())
          .isEqualTo(
              "-ERR FAILOVER with force option requires both a timeout and target HOST and IP.");
      assertThat(master.call("FAILOVER", "TO", "127.0.0.1", "1").toString())
          .isEqualTo("-ERR FAILOVER target HOST and PORT is not a replica.");
      assertThat(replica.call("FAILOVER").toString())
          .isEqualTo("-ERR FAILOVER is not valid when server is a replica.");
      assertThat(replica.call("PSYNC", "x", "1", "FAILOVER").toString())
          .isEqualTo("-ERR PSYNC FAILOVER replid must match my replid.");
    }
  }
}
