package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.SetOptions;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.GuideBlocks;
import dev.kermes.testkit.junit.KermesClusterTest;
import dev.kermes.testkit.junit.KermesExtension;
import dev.kermes.testkit.junit.KermesTest;
import dev.kermes.testkit.junit.RedisUrl;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The code of docs/testing.md; see {@link GuideBlocks}. */
@Timeout(60)
class TestkitGuideTest {

  @Test
  void guide_saysWhatIsTestedHere() throws IOException {
    GuideBlocks.of(TestkitGuideTest.class).areThoseOf("testing.md");
  }

  @Nested
  // guide: junit
  @KermesTest
  class VisitsTest {
    @Test
    void visits_areCounted(RedisClient redis) {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }
  }

  // end

  @Nested
  // guide: cluster
  @KermesClusterTest(masters = 3, replicas = 1)
  class FailoverTest {
    @Test
    void visits_surviveTheirMaster(KermesCluster cluster, RedisClient redis) {
      redis.blocking().set("visits", "1");

      cluster.failover(cluster.replicasOf(cluster.masterOf(KermesCluster.slot("visits"))).get(0));

      assertThat(redis.blocking().get("visits")).isEqualTo("1");
    }
  }

  // end

  @Nested
  class OptionsTest {
    // guide: registered
    @RegisterExtension
    static final KermesExtension REDIS =
        KermesExtension.of(TestServer.builder().option("maxmemory", "10mb").seed(1));

    // end

    @Test
    void option_isSet(RedisClient redis) {
      assertThat(redis.blocking().configGet("maxmemory")).containsEntry("maxmemory", "10485760");
    }
  }

  @Test
  void server() {
    // guide: server
    try (TestServer server = TestServer.start();
        Jedis jedis = new Jedis(server.host(), server.port())) {
      jedis.set("greeting", "hello");
      server.reset();
      assertThat(jedis.exists("greeting")).isFalse();
    }
    // end
  }

  @Test
  void clock() {
    try (TestServer server = TestServer.start()) {
      // guide: clock
      RedisOptions options = RedisOptions.url(server.url()).clock(server.clock()::nanos).build();
      try (RedisClient redis = RedisClient.open(options)) {
        server.faults().on("GET").loseReply();
        var reply = redis.async().get("k");

        server.clock().advance(Duration.ofSeconds(10)); // the timeout of a command

        assertThatThrownBy(reply::join).hasCauseInstanceOf(CommandTimeoutException.class);
      }
      // end
    }
  }

  @Test
  void crash() {
    // guide: crash
    try (TestServer server = TestServer.builder().onDisk().start()) {
      try (Jedis jedis = new Jedis(server.host(), server.port())) {
        jedis.set("synced", "1");
        jedis.waitAOF(1, 0, 0);
        server.holdSyncs();
        jedis.set("unsynced", "1");
        server.crash(); // starts again at the same port
      }
      try (Jedis jedis = new Jedis(server.host(), server.port())) {
        assertThat(jedis.exists("synced")).isTrue();
        assertThat(jedis.exists("unsynced")).isFalse();
      }
    }
    // end
  }

  @Nested
  @KermesTest
  class ParametersTest {
    // guide: expiry
    @Test
    void token_expires(RedisClient redis, ManualClock clock) {
      redis.blocking().set("token", "t", new SetOptions().ex(3600));

      clock.advance(Duration.ofMinutes(59));
      assertThat(redis.blocking().get("token")).isEqualTo("t");

      clock.advance(Duration.ofMinutes(2));
      assertThat(redis.blocking().get("token")).isNull();
    }

    // end

    // guide: blocking
    @Test
    void emptyQueue_endsTheWait(RedisClient redis, ManualClock clock) {
      var popped = redis.async().blpop("jobs", 30);
      while (!redis.blocking().info("clients").contains("blocked_clients:1")) Thread.onSpinWait();

      clock.advance(Duration.ofSeconds(31));

      assertThat(popped.toCompletableFuture().join()).isNull(); // nothing came in time
    }

    // end

    // guide: faults
    @Test
    void order_isSentOnce(Faults faults, @RedisUrl String url) {
      faults.on("EXEC").nth(1).disconnectBeforeReply(); // executed, but the client cannot know

      Orders orders = new Orders(url);
      orders.send("order-1");

      assertThat(orders.sent()).isEqualTo(1);
    }

    // end

    @Test
    void maintenance_isAccepted(Faults faults, TestServer server) {
      // guide: maintenance
      faults.on("CLIENT MAINT_NOTIFICATIONS").reply("OK");
      // end
      try (Jedis jedis = new Jedis(server.host(), server.port())) {
        Object reply =
            jedis.sendCommand(() -> "CLIENT".getBytes(US_ASCII), "MAINT_NOTIFICATIONS", "ON");
        assertThat((byte[]) reply).asString().isEqualTo("OK");
      }
    }
  }

  /** An application that may repeat an order without sending it twice. */
  private record Orders(String url) {
    void send(String id) {
      try {
        sendOnce(id);
      } catch (JedisConnectionException e) {
        sendOnce(id);
      }
    }

    private void sendOnce(String id) {
      try (Jedis jedis = new Jedis(URI.create(url));
          Transaction transaction = jedis.multi()) {
        transaction.sadd("orders", id);
        transaction.exec();
      }
    }

    long sent() {
      try (Jedis jedis = new Jedis(URI.create(url))) {
        return jedis.scard("orders");
      }
    }
  }
}
