package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.FaultyProxy;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replication whose connections are lost again and again, in the full sync and in the stream. */
final class ReplicationFaultsTest {

  private static final int ROUNDS = 6;

  @TempDir private Path folder;

  private RealRedis real(String... options) throws Exception {
    return RealRedis.start(List.of(options));
  }

  @Test
  void ourReplicas_haveTheSameData() throws Exception {
    try (RedisServer server = TestServers.replicating("repl-backlog-size", "100kb");
        FaultyProxy proxy = new FaultyProxy(server.port());
        RedisServer middle = TestServers.replicating("replicaof", "127.0.0.1 " + proxy.port());
        FaultyProxy between = new FaultyProxy(middle.port());
        RedisServer end = TestServers.replicating("replicaof", "127.0.0.1 " + between.port());
        RespSocket master = new RespSocket(server.port());
        RespSocket second = new RespSocket(middle.port());
        RespSocket third = new RespSocket(end.port())) {
      disturb(master, new Random(1), proxy, between);
      for (RespSocket each : List.of(second, third)) {
        ReplicaLag.awaitNone(master, each);
        assertThat(each.call("DEBUG", "DIGEST")).isEqualTo(master.call("DEBUG", "DIGEST"));
      }
    }
  }

  @Test
  void redisAndOurs_haveTheSameData() throws Exception {
    String folderName = folder.toString();
    try (RedisServer server = TestServers.replicating();
        FaultyProxy proxy = new FaultyProxy(server.port());
        RealRedis real = real("--dir", folderName, "--replicaof", "127.0.0.1 " + proxy.port());
        FaultyProxy between = new FaultyProxy(real.port());
        RedisServer end = TestServers.replicating("replicaof", "127.0.0.1 " + between.port());
        RespSocket master = new RespSocket(server.port());
        RespSocket second = new RespSocket(real.port());
        RespSocket third = new RespSocket(end.port())) {
      disturb(master, new Random(2), proxy, between);
      ReplicaLag.awaitNone(master, second);
      ReplicaLag.awaitNone(master, third);
      assertThat(KeyspaceState.of(second)).isEqualTo(KeyspaceState.of(master));
      assertThat(third.call("DEBUG", "DIGEST")).isEqualTo(master.call("DEBUG", "DIGEST"));
    }
  }

  /** Writes at random while connections are lost at random; at the end the proxies lose no more. */
  private static void disturb(RespSocket master, Random random, FaultyProxy... proxies)
      throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      FaultyProxy proxy = proxies[random.nextInt(proxies.length)];
      proxy.loseAfter(1 + random.nextInt(20_000));
      proxy.lose();
      RandomData.fill(master, random);
      if (random.nextBoolean()) proxy.cut();
      RandomData.fill(master, random);
      proxy.heal();
    }
  }
}
