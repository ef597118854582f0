package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.FaultyProxy;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults during full syncs of 30 MB, far more than the master produces ahead of the slowest
 * replica. A replica disconnects halfway, stops reading, follows no master for a while, or is
 * disconnected for having been silent or slow too long.
 */
final class FullSyncFaultsTest {

  private static final int ROUNDS = 12;
  private static final int KEYS = 3000;
  private static final int VALUE_LENGTH = 10_000;

  /** A replica, and the proxy through which it reaches its master. */
  private record Follower(RespSocket replica, FaultyProxy way) {

    void follow() throws IOException {
      replica.call("REPLICAOF", "127.0.0.1", Integer.toString(way.port()));
    }

    void followNobody() throws IOException {
      replica.call("REPLICAOF", "NO", "ONE");
    }
  }

  @TempDir private Path folder;

  private static RedisServer.Builder impatient(String... options) {
    return TestServers.with(options)
        .option("repl-timeout", "2")
        .option("repl-ping-replica-period", "1")
        .option("repl-diskless-sync-delay", "0");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void replicas_haveTheSameDataAtTheEnd(int seed) throws Exception {
    String[] options = {
      "rdbcompression", "no",
      "repl-backlog-size", "64kb",
      "client-output-buffer-limit", "replica 16mb 4mb 1"
    };
    try (RedisServer server = impatient(options).start();
        FaultyProxy toDisk = new FaultyProxy(server.port());
        FaultyProxy toSwap = new FaultyProxy(server.port());
        FaultyProxy toReal = new FaultyProxy(server.port());
        RedisServer onDisk = impatient().start();
        RedisServer swapping = impatient("repl-diskless-load", "swapdb").start();
        RealRedis real =
            RealRedis.start(List.of("--dir", folder.toString(), "--repl-timeout", "2"));
        FaultyProxy toEnd = new FaultyProxy(onDisk.port());
        RedisServer end = impatient().start();
        RespSocket master = new RespSocket(server.port());
        RespSocket first = new RespSocket(onDisk.port());
        RespSocket second = new RespSocket(swapping.port());
        RespSocket third = new RespSocket(real.port());
        RespSocket last = new RespSocket(end.port())) {
      master.call(
          "DEBUG", "POPULATE", Integer.toString(KEYS), "key", Integer.toString(VALUE_LENGTH));
      List<Follower> followers =
          List.of(
              new Follower(first, toDisk),
              new Follower(second, toSwap),
              new Follower(third, toReal),
              new Follower(last, toEnd));
      for (Follower each : followers) each.follow();
      Random random = new Random(seed);
      for (int round = 0; round < ROUNDS; round++) {
        hurt(followers.get(random.nextInt(followers.size())), master, random);
      }
      assertNewReplicaHasAll(server, master);
      for (Follower each : followers) ReplicaLag.awaitNone(master, each.replica());
      for (RespSocket each : List.of(first, second, last)) assertSameDigest(master, each);
      assertThat(KeyspaceState.of(third)).isEqualTo(KeyspaceState.of(master));
    }
  }

  /** Causes one fault, writes while it lasts, and ends it. */
  private static void hurt(Follower follower, RespSocket master, Random random) throws Exception {
    FaultyProxy way = follower.way();
    long millis = random.nextInt(1000);
    switch (random.nextInt(5)) {
      case 0 -> way.lose();
      case 1 -> {
        way.loseAfter(random.nextInt(KEYS * VALUE_LENGTH));
        way.lose();
      }
      case 2 -> {
        way.stall();
        way.lose(); // so that a full sync begins that the replica does not read
        millis += 2000; // longer than the master waits
      }
      case 3 -> {
        way.stall();
        millis += 2000;
      }
      default -> follower.followNobody();
    }
    write(master, random, System.nanoTime() + millis * 1_000_000);
    way.heal();
    follower.follow();
  }

  private static void write(RespSocket master, Random random, long untilNanos) throws Exception {
    String piece = "x".repeat(1000);
    while (System.nanoTime() < untilNanos) {
      String key = "key:" + random.nextInt(KEYS);
      String offset = Integer.toString(random.nextInt(VALUE_LENGTH - piece.length()));
      master.call("SETRANGE", key, offset, piece);
      Thread.sleep(random.nextInt(3));
    }
  }

  private static void assertNewReplicaHasAll(RedisServer server, RespSocket master)
      throws IOException {
    try (RedisServer fresh = impatient("replicaof", "127.0.0.1 " + server.port()).start();
        RespSocket replica = new RespSocket(fresh.port())) {
      ReplicaLag.awaitNone(master, replica);
      assertSameDigest(master, replica);
    }
  }

  private static void assertSameDigest(RespSocket master, RespSocket replica) throws IOException {
    assertThat(replica.call("DEBUG", "DIGEST")).isEqualTo(master.call("DEBUG", "DIGEST"));
  }
}
