package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sentinel of Redis watches our servers, alone and together with redis-servers. */
final class SentinelFailoverTest {

  @TempDir private Path folder;

  /** Starts a sentinel of a master. */
  static RealRedis watch(int masterPort) {
    return RealRedis.startSentinel(
        "sentinel monitor it 127.0.0.1 %d 1".formatted(masterPort),
        "sentinel down-after-milliseconds it 1000",
        "sentinel failover-timeout it 20000");
  }

  /**
   * Closes the master once the sentinel knows its replica, and waits for the replica's promotion.
   */
  private static void failOver(RealRedis sentinel, AutoCloseable master, int replicaPort)
      throws Exception {
    try (RespSocket watcher = new RespSocket(sentinel.port())) {
      awaitLinked(watcher);
      master.close();
      watcher.awaitInfo("address=127.0.0.1:" + replicaPort);
    }
    try (RespSocket promoted = new RespSocket(replicaPort)) {
      assertThat(Fact.of(promoted, "role")).isEqualTo("master");
      assertThat(promoted.call("GET", "a").toString()).isEqualTo("$1:1");
      assertThat(promoted.call("SET", "a", "2").toString()).isEqualTo("+OK");
    }
  }

  /** Waits until a sentinel knows a replica that has all data. */
  static void awaitLinked(RespSocket watcher) throws IOException {
    String reply = "";
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!reply.contains("$18:master-link-status, $2:ok")) {
      reply = watcher.call("SENTINEL", "REPLICAS", "it").toString();
      if (System.nanoTime() > deadline) throw new IOException("replica not linked: " + reply);
    }
  }

  private static void store(int port) throws IOException {
    try (RespSocket redis = new RespSocket(port)) {
      assertThat(redis.call("SET", "a", "1").toString()).isEqualTo("+OK");
    }
  }

  @Test
  void oursReplacesOurs() throws Exception {
    try (RedisServer master = TestServers.replicating()) {
      store(master.port());
      try (RedisServer replica =
          TestServers.replicating("replicaof", "127.0.0.1 " + master.port())) {
        try (RealRedis sentinel = watch(master.port())) {
          failOver(sentinel, master, replica.port());
        }
      }
    }
  }

  @Test
  void redisReplacesOurs() throws Exception {
    try (RedisServer master = TestServers.replicating()) {
      store(master.port());
      try (RealRedis replica = real("--replicaof", "127.0.0.1 " + master.port())) {
        try (RealRedis sentinel = watch(master.port())) {
          failOver(sentinel, master, replica.port());
        }
      }
    }
  }

  @Test
  void oursReplacesRedis() throws Exception {
    try (RealRedis master = real("--repl-diskless-sync-delay", "0")) {
      store(master.port());
      try (RedisServer replica =
          TestServers.replicating("replicaof", "127.0.0.1 " + master.port())) {
        try (RealRedis sentinel = watch(master.port())) {
          failOver(sentinel, master, replica.port());
        }
      }
    }
  }

  private RealRedis real(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--dir", folder.toString()));
    all.addAll(List.of(options));
    return RealRedis.start(all);
  }
}
