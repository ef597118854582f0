import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

@KermesTest
class KermesTestkitTest {
  private Jedis jedis;

  @BeforeEach
  void connect(TestServer server) {
    jedis = new Jedis(server.host(), server.port());
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
  void token_expires(ManualClock clock) {
    jedis.setex("token", 3600, "t");
    clock.advance(Duration.ofHours(2));
    assertNull(jedis.get("token"));
  }
}
