package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of docs/growing.md, done with real servers. */
final class HandOverTest {

  private static final int SLOTS = 16_384;

  @TempDir private Path folder;

  private RealRedis real(String... options) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--dir", folder.toString()));
    all.addAll(List.of(options));
    return RealRedis.start(all);
  }

  private RealRedis realReplicaOf(int port) throws IOException, InterruptedException {
    return real("--replicaof", "127.0.0.1 " + port, "--repl-diskless-sync-delay", "0");
  }

  @Test
  void embedded_toStandalone_toRedis_toSentinel_underLoad() throws Exception {
    try (RedisServer embedded = TestServers.replicating();
        RespSocket first = new RespSocket(embedded.port())) {
      RandomData.fill(first, new Random(1));
      try (RedisServer standalone =
          TestServers.replicating("replicaof", "127.0.0.1 " + embedded.port())) {
        handOver(embedded.port(), standalone.port());
        try (RealRedis master = realReplicaOf(standalone.port())) {
          handOver(standalone.port(), master.port());
          standalone.closeWithoutSaving();
          watch(master);
        }
      }
    }
  }

  /** Makes the replica the master while a client writes, and compares their data. */
  private static void handOver(int from, int to) throws Exception {
    try (RespSocket old = new RespSocket(from);
        RespSocket fresh = new RespSocket(to)) {
      ReplicaLag.awaitNone(old, fresh);
      String counter = "counter at " + from;
      CompletableFuture<Long> writer = increment(from, counter);
      old.await("\\d+:[1-9]\\d*", "GET", counter);
      String reply =
          old.call("FAILOVER", "TO", "127.0.0.1", "" + to, "TIMEOUT", "20000").toString();
      assertThat(reply).isEqualTo("+OK");
      long last = writer.get();
      fresh.awaitInfo("role:master");
      ReplicaLag.awaitNone(fresh, old);
      assertThat(fresh.call("GET", counter).text()).endsWith(":" + last);
      assertThat(KeyspaceState.of(old)).isEqualTo(KeyspaceState.of(fresh));
      assertThat(fresh.call("INCR", counter).toString()).isEqualTo(":" + (last + 1));
    }
  }

  /** Increments a counter until the server refuses; returns the last reply. */
  private static CompletableFuture<Long> increment(int port, String counter) {
    return CompletableFuture.supplyAsync(() -> {
      try (RespSocket client = new RespSocket(port)) {
        long last = 0;
        RespReply reply = client.call("INCR", counter);
        while (reply.type() == ':') {
          last = Long.parseLong(reply.text());
          reply = client.call("INCR", counter);
        }
        return last;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Gives a master a replica and a sentinel, closes the master, and waits for the promotion. */
  private void watch(RealRedis master) throws Exception {
    try (RedisServer replica = TestServers.replicating("replicaof", "127.0.0.1 " + master.port());
        RespSocket old = new RespSocket(master.port());
        RealRedis sentinel = SentinelFailoverTest.watch(master.port());
        RespSocket watcher = new RespSocket(sentinel.port())) {
      SentinelFailoverTest.awaitLinked(watcher);
      Map<String, String> before = KeyspaceState.of(old);
      master.close();
      watcher.awaitInfo("address=127.0.0.1:" + replica.port());
      try (RespSocket promoted = new RespSocket(replica.port())) { // older connections are closed
        promoted.awaitInfo("role:master");
        assertThat(KeyspaceState.of(promoted)).isEqualTo(before);
      }
    }
  }

  @Test
  void standalone_toCluster_keyByKey() throws Exception {
    int bus = Ports.free();
    try (RedisServer server = TestServers.replicating();
        RespSocket old = new RespSocket(server.port());
        RealRedis low = member("low", Ports.free());
        RealRedis high = member("high", bus);
        RespSocket lowMember = new RespSocket(low.port());
        RespSocket highMember = new RespSocket(high.port())) {
      lowMember.call("CLUSTER", "ADDSLOTSRANGE", "0", "" + (SLOTS / 2 - 1));
      highMember.call("CLUSTER", "ADDSLOTSRANGE", "" + SLOTS / 2, "" + (SLOTS - 1));
      lowMember.call("CLUSTER", "MEET", "127.0.0.1", "" + high.port(), "" + bus);
      for (RespSocket each : List.of(lowMember, highMember)) {
        each.await("cluster_state:ok", "CLUSTER", "INFO");
      }
      RandomData.fill(old, new Random(2));
      Map<String, String> before = ofDatabase0(old);
      old.call("SELECT", "0");
      for (RespReply name : old.call("KEYS", "*").elements()) {
        String key = name.text().substring(name.text().indexOf(':') + 1);
        long slot = Long.parseLong(lowMember.call("CLUSTER", "KEYSLOT", key).text());
        String port = "" + (slot < SLOTS / 2 ? low : high).port();
        assertThat(old.call("MIGRATE", "127.0.0.1", port, "", "0", "5000", "KEYS", key).toString())
            .isEqualTo("+OK");
      }
      Map<String, String> after = ofDatabase0(lowMember);
      after.putAll(ofDatabase0(highMember));
      assertThat(after).isEqualTo(before);
      assertThat(ofDatabase0(old)).isEmpty();
    }
  }

  private static Map<String, String> ofDatabase0(RespSocket redis) throws IOException {
    Map<String, String> state = new TreeMap<>(KeyspaceState.of(redis));
    state.keySet().removeIf(key -> !key.startsWith("0/"));
    return state;
  }

  private RealRedis member(String name, int bus) throws IOException, InterruptedException {
    String config = folder.resolve(name + ".conf").toString();
    return real(
        "--cluster-enabled", "yes", "--cluster-config-file", config, "--cluster-port", "" + bus);
  }
}
