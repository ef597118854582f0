package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import dev.kermes.server.RedisServer;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import redis.clients.jedis.Jedis;

/**
 * Tests against a server that the property names; here it is one of ours that the kit did not
 * start.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RealServerTest {

  private final RedisServer real =
      RedisServer.builder().port(0).option("requirepass", "p@ss").start();
  private final RedisClient owner = RedisClient.open("redis://:p%40ss@127.0.0.1:" + real.port());

  @BeforeEach
  void name() {
    System.setProperty(TestServer.URL_PROPERTY, "redis://:p%40ss@localhost:" + real.port() + "/2");
  }

  @AfterEach
  void close() {
    System.clearProperty(TestServer.URL_PROPERTY);
    System.clearProperty(TestServer.OVERWRITE_PROPERTY);
    owner.close();
    real.close();
  }

  @Test
  void commandsAndFaults_work_andTheEndIsClean() {
    try (TestServer server = TestServer.start()) {
      try (Jedis jedis = new Jedis(server.url())) {
        jedis.set("k", "v");
        server.faults().on("GET").times(1).error("BUSY later");
        assertThatThrownBy(() -> jedis.get("k")).hasMessage("BUSY later");
        assertThat(jedis.get("k")).isEqualTo("v");
        jedis.configSet("maxmemory", "10mb");
      }
      assertThat(server.report()).contains("k: string").doesNotContain("p@ss", "p%40ss");
      assertThat(owner.blocking().info("keyspace")).contains("db2:keys=1");
    }
    assertThat(owner.blocking().info("keyspace")).doesNotContain("keys=");
    assertThat(owner.blocking().configGet("maxmemory")).containsEntry("maxmemory", "0");
  }

  @Test
  void clock_isRefused() {
    try (TestServer server = TestServer.start()) {
      assertThatThrownBy(server::clock)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "the clock of a real server cannot be moved; tests that move it need the embedded"
                  + " server: run them without kermes.test.url, which names localhost:"
                  + real.port());
    }
  }

  @Test
  void options_areRefused() {
    assertThatThrownBy(() -> TestServer.builder().option("maxmemory", "1mb").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "options need the embedded server, but kermes.test.url names a real one:"
                + " options=[maxmemory]");
  }

  @Test
  void data_areNotDeletedUnasked() {
    owner.blocking().set("precious", "v");
    assertThatThrownBy(TestServer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "tests delete all data of the real server, but it has some: localhost:"
                + real.port()
                + "; to allow it, set kermes.test.overwrite=true");
    System.setProperty(TestServer.OVERWRITE_PROPERTY, "true");
    TestServer.start().close();
    assertThat(owner.blocking().get("precious")).isNull();
  }

  @Test
  void serverThatIsGone_isNamed() {
    real.close();
    assertThatThrownBy(TestServer::start)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("no Redis at localhost:" + real.port());
  }

  @Test
  void serverThatEndsDuringTheTests_cannotBeReset() {
    TestServer server = TestServer.start();
    real.close();
    assertThatThrownBy(server::reset)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the real server cannot be reset: server=localhost:");
    assertThatThrownBy(server::close).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void malformedUrl_isExplained() {
    System.setProperty(TestServer.URL_PROPERTY, "rediss://localhost");
    assertThatThrownBy(TestServer::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "kermes.test.url is not of the form redis://[user:password@]host[:port][/database],"
                + " without TLS: url=rediss://localhost");
  }
}
