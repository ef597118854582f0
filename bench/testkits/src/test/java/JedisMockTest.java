import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.github.fppt.jedismock.RedisServer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

class JedisMockTest {
  private static RedisServer server;
  private Jedis jedis;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.newRedisServer().start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
  }

  @BeforeEach
  void connect() {
    jedis = new Jedis(server.getHost(), server.getBindPort());
    jedis.flushAll();
  }

  @AfterEach
  void close() {
    jedis.close();
  }

  @Test
  void visits_areCounted() {
    assertEquals(1, jedis.incr("visits"));
  }

  @Test
  void token_expires() {
    jedis.setex("token", 3600, "t");
    server.setClock(Clock.offset(server.getClock(), Duration.ofHours(2)));
    assertNull(jedis.get("token"));
  }
}
