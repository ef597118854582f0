package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Jedis meets the states of a server that need no rule of a fault. */
@Timeout(60)
class ServerStatesTest {

  private static Jedis jedis(TestServer server) {
    return new Jedis(server.host(), server.port());
  }

  private static void assertRefused(Jedis jedis, String error) {
    assertThatThrownBy(() -> jedis.set("k", "v"))
        .isInstanceOf(JedisDataException.class)
        .hasMessageStartingWith(error);
    assertThat(jedis.get("k")).isNull();
  }

  @Test
  void tooFewReplicas_refuseWrites() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.configSet("min-replicas-to-write", "1");
      assertRefused(jedis, "NOREPLICAS");
    }
  }

  @Test
  void replica_refusesWrites() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.replicaof("127.0.0.1", 1);
      assertRefused(jedis, "READONLY");
    }
  }

  @Test
  void fullMemory_refusesWrites() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.configSet("maxmemory", "1");
      assertRefused(jedis, "OOM");
    }
  }

  @Test
  void serverThatHasEnded_refusesConnections_untilTheReset() {
    try (TestServer server = TestServer.start()) {
      try (Jedis jedis = jedis(server)) {
        jedis.shutdown();
        assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
      }
      try (Jedis jedis = jedis(server)) {
        assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
      }
      server.reset();
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  void fullDisk_refusesWrites(@TempDir Path folder) {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    try (RedisServer server =
            RedisServer.builder()
                .port(0)
                .disk(disk)
                .option("dir", folder.toString())
                .option("appendonly", "yes")
                .start();
        Jedis jedis = new Jedis("127.0.0.1", server.port())) {
      disk.room(0);
      jedis.set("first", "v"); // written a moment later
      NodeProcess.await("full", () -> jedis.info("persistence").contains("write_status:err"));
      assertRefused(jedis, "MISCONF Errors writing to the AOF file");
      disk.heal();
    }
  }

  @Test
  void clockThatJumps_endsKeys() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.setex("k", 3600, "v");
      server.clock().advance(Duration.ofDays(1));
      assertThat(jedis.get("k")).isNull();
    }
  }
}
