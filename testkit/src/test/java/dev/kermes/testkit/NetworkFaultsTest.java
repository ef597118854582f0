package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Jedis and Lettuce meet the faults of a network. */
class NetworkFaultsTest {

  private static final int PATIENT = 20_000;

  private final TestServer server = TestServer.start();
  private final Faults faults = server.faults();

  @AfterEach
  void close() {
    server.close();
  }

  private Jedis jedis() {
    return new Jedis(server.host(), server.port(), PATIENT);
  }

  @Test
  void slice_bringsRepliesInPieces() {
    String value = "v".repeat(100);
    try (Jedis jedis = jedis()) {
      faults.slice(1, Duration.ofMillis(1));
      jedis.set("k", value);
      long began = System.nanoTime();
      assertThat(jedis.get("k")).isEqualTo(value);
      long millis = (System.nanoTime() - began) / 1_000_000;
      assertThat(millis).isGreaterThanOrEqualTo(100); // a pause after each byte of the value
      assertThat(jedis.get("other")).isNull();
    }
  }

  @Test
  void slice_withoutAPause_isWithoutHarm() {
    String value = "v".repeat(100_000);
    try (Jedis jedis = jedis()) {
      faults.slice(7, Duration.ZERO);
      jedis.set("k", value);
      assertThat(jedis.get("k")).isEqualTo(value);
    }
  }

  @Test
  void bandwidth_outlastsTheTimeoutOfACommand() {
    try (RedisClient direct = RedisClient.open(server.directUrl())) {
      direct.blocking().set("k", "v".repeat(1_000_000));
    }
    io.lettuce.core.RedisClient lettuce =
        io.lettuce.core.RedisClient.create(RedisURI.create(server.url()));
    try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
      assertThat(connection.sync().strlen("k")).isEqualTo(1_000_000);
      connection.setTimeout(Duration.ofMillis(200));
      faults.bandwidth(10_000);
      assertThatThrownBy(() -> connection.sync().get("k"))
          .isInstanceOf(RedisCommandTimeoutException.class);
    } finally {
      lettuce.shutdown(Duration.ZERO, Duration.ofSeconds(10));
    }
  }

  @Test
  void clear_endsTheSlowNetwork() {
    try (Jedis jedis = jedis()) {
      jedis.set("k", "v".repeat(1_000_000));
      faults.bandwidth(1);
      faults.clear();
      assertThat(jedis.get("k")).hasSize(1_000_000);
    }
  }

  @Test
  void resetAll_isSeenAsAReset() {
    Jedis broken = jedis(); // to close it would fail as well
    assertThat(broken.ping()).isEqualTo("PONG");
    faults.resetAll();
    assertThatThrownBy(broken::ping)
        .isInstanceOf(JedisConnectionException.class)
        .rootCause()
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    try (Jedis jedis = jedis()) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void wrongUse_isExplained() {
    assertThatThrownBy(() -> faults.slice(0, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a piece has bytes: bytes=0");
    assertThatThrownBy(() -> faults.slice(1, Duration.ofMillis(-1)))
        .hasMessage("pause is negative: PT-0.001S");
    assertThatThrownBy(() -> faults.bandwidth(0)).hasMessage("a rate is positive: bytes=0");
  }
}
