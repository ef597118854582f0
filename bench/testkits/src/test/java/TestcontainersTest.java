import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import redis.clients.jedis.Jedis;

@Testcontainers
class TestcontainersTest {
  @Container
  private static final GenericContainer<?> REDIS =
      new GenericContainer<>("redis:8-alpine").withExposedPorts(6379);

  private Jedis jedis;

  @BeforeEach
  void connect() {
    jedis = new Jedis(REDIS.getHost(), REDIS.getFirstMappedPort());
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
