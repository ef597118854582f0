package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.params.SetParams;

/** Jedis meets a server that has lost power. */
@Timeout(60)
class CrashTest {

  private static Jedis jedis(TestServer server) {
    return new Jedis(server.host(), server.port(), 20_000);
  }

  @Test
  void crash_losesAcknowledgedWritesSinceTheLastSync() {
    try (TestServer server = TestServer.builder().onDisk().start()) {
      int port = server.port();
      try (Jedis jedis = jedis(server)) {
        jedis.set("kept", "1");
        assertThat(jedis.waitAOF(1, 0, 0).getKey()).isEqualTo(1);
        server.holdSyncs();
        assertThat(jedis.set("kept", "2")).isEqualTo("OK");
        assertThat(jedis.incr("lost")).isEqualTo(1);
        server.crash();
        assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
      }
      assertThat(server.port()).isEqualTo(port);
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.get("kept")).isEqualTo("1");
        assertThat(jedis.exists("lost")).isFalse();
      }
    }
  }

  @Test
  void crash_keepsTheClock() {
    try (TestServer server = TestServer.builder().onDisk().start()) {
      try (Jedis jedis = jedis(server)) {
        jedis.set("session", "ann", new SetParams().ex(60));
        jedis.waitAOF(1, 0, 0);
      }
      server.crash();
      server.clock().advance(Duration.ofSeconds(59));
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.get("session")).isEqualTo("ann");
        server.clock().advance(Duration.ofSeconds(2)); // a clock that jumps
        assertThat(jedis.get("session")).isNull();
      }
    }
  }

  @Test
  void reset_afterCrash_leavesNothing_andSyncsAgain() {
    try (TestServer server = TestServer.builder().onDisk().start()) {
      try (Jedis jedis = jedis(server)) {
        jedis.set("k", "v");
        jedis.waitAOF(1, 0, 0);
      }
      server.crash();
      server.holdSyncs();
      server.reset();
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.exists("k")).isFalse();
        jedis.set("k", "w");
        assertThat(jedis.waitAOF(1, 0, 0).getKey()).isEqualTo(1);
      }
      server.crash();
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.get("k")).isEqualTo("w");
      }
    }
  }

  @Test
  void crash_withoutADisk_isRefused() {
    try (TestServer server = TestServer.start()) {
      assertThatThrownBy(server::crash)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the server keeps no files: start it by builder().onDisk()");
      assertThatThrownBy(server::holdSyncs).isInstanceOf(IllegalStateException.class);
    }
  }
}
