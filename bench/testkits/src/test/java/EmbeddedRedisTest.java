import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

class EmbeddedRedisTest {
  private static final int PORT = 16379;
  private static RedisServer server;
  private Jedis jedis;

  @BeforeAll
  static void start() throws IOException {
    server = new RedisServer(PORT);
    server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
  }

  @BeforeEach
  void connect() {
    jedis = new Jedis("127.0.0.1", PORT);
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
  void token_expires() throws InterruptedException {
    jedis.psetex("token", 100, "t");
    Thread.sleep(150);
    assertNull(jedis.get("token"));
  }
}
