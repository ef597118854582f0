package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.TestIdentity;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisSentinelPool;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Jedis and Lettuce meet faults on connections with TLS. */
@Timeout(60)
class TlsFaultsTest {

  private static final int IMPATIENT = 100;

  @TempDir static Path folder;
  private static TestIdentity identity;
  private static SSLContext context;
  private static JedisClientConfig config;

  @BeforeAll
  static void createIdentity() throws Exception {
    identity = TestIdentity.ofLocalhost(folder);
    context = identity.serverContext(identity);
    config =
        DefaultJedisClientConfig.builder()
            .ssl(true)
            .sslSocketFactory(identity.clientContext().getSocketFactory())
            .build();
  }

  private static TestServer server() {
    return TestServer.builder().tls(context).start();
  }

  private static Jedis jedis(TestServer server) {
    return new Jedis(new HostAndPort(server.host(), server.port()), config);
  }

  // One server

  @Test
  void faultsOfCommands() {
    try (TestServer server = server();
        Jedis jedis = jedis(server)) {
      server.faults().on("GET").nth(2).error("LOADING later");
      server.faults().on("INCR").disconnectBeforeReply();
      assertThat(jedis.set("k", "v".repeat(100_000))).isEqualTo("OK");
      assertThat(jedis.get("k")).hasSize(100_000);
      assertThatThrownBy(() -> jedis.get("k")).hasMessage("LOADING later");
      assertThatThrownBy(() -> jedis.incr("n")).isInstanceOf(JedisConnectionException.class);
      assertThat(server.client().blocking().get("n")).isEqualTo("1");
      assertThat(server.report()).contains("INCR n -> 1  [fault: ");
    }
  }

  @Test
  void halfReply_endsInTheMiddle() {
    try (TestServer server = server();
        Jedis jedis = jedis(server)) {
      jedis.set("k", "v".repeat(100_000));
      server.faults().on("GET").halfReply();
      assertThatThrownBy(() -> jedis.get("k")).isInstanceOf(JedisConnectionException.class);
    }
  }

  @Test
  void faultsOfTheNetwork() {
    try (TestServer server = server();
        Jedis jedis = jedis(server)) {
      server.faults().slice(7, Duration.ZERO);
      jedis.set("k", "v".repeat(1000));
      assertThat(jedis.get("k")).hasSize(1000);
      server.faults().freeze();
      jedis.getConnection().setSoTimeout(IMPATIENT);
      assertThatThrownBy(jedis::ping).hasMessageContaining("timed out");
      server.faults().thaw();
    }
  }

  @Test
  void endOfAllConnections() {
    try (TestServer server = server()) {
      Jedis broken = jedis(server); // to close it would fail as well
      assertThat(broken.ping()).isEqualTo("PONG");
      server.faults().resetAll();
      assertThatThrownBy(broken::ping).isInstanceOf(JedisConnectionException.class);
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  void lettuce_reconnects() throws Exception {
    try (TestServer server = server()) {
      io.lettuce.core.RedisClient lettuce =
          io.lettuce.core.RedisClient.create(RedisURI.create(server.url()));
      SslOptions trust = SslOptions.builder().trustManager(identity.pem(folder).toFile()).build();
      lettuce.setOptions(ClientOptions.builder().sslOptions(trust).build());
      try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
        connection.sync().set("k", "v");
        server.faults().disconnectAll();
        assertThat(connection.sync().get("k")).isEqualTo("v");
      } finally {
        lettuce.shutdown(Duration.ZERO, Duration.ofSeconds(10));
      }
    }
  }

  @Test
  void clientWithoutTls_isRefused() {
    try (TestServer server = server();
        Jedis jedis = new Jedis(server.host(), server.port())) {
      assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
    }
  }

  // Several nodes

  @Test
  void cluster_redirectsToNodesWithTls_andHasFaultsAndLag() {
    KermesCluster.Builder builder = KermesCluster.builder().masters(2).replicas(1).tls(context);
    try (KermesCluster cluster = builder.start()) {
      HostAndPort first = new HostAndPort("127.0.0.1", cluster.node(0).port());
      try (JedisCluster jedis = new JedisCluster(Set.of(first), config)) {
        for (int i = 0; i < 100; i++) jedis.set("key" + i, "v");
        KermesCluster.Node master = cluster.masterOf(KermesCluster.slot("key0"));
        cluster.faults().on("GET").port(master.port()).times(1).error("BUSY later");
        assertThatThrownBy(() -> jedis.get("key0")).hasMessage("BUSY later");
        cluster.lag(cluster.replicasOf(master).get(0), 1);
        jedis.set("key0", "lost");
        cluster.kill(master);
        assertThat(jedis.get("key0")).isEqualTo("v");
        assertThat(cluster.client().blocking().get("key0")).isEqualTo("v");
        assertThat(cluster.node(1).url()).startsWith("rediss://");
      }
    }
  }

  @Test
  void sentinels_andTheirMaster_haveFaults() {
    try (KermesSentinel sentinel = KermesSentinel.builder().tls(context).start();
        JedisSentinelPool pool = pool(sentinel)) {
      sentinel.faults().on("GET").times(1).error("BUSY later");
      try (Jedis jedis = pool.getResource()) {
        jedis.set("k", "v");
        assertThatThrownBy(() -> jedis.get("k")).hasMessage("BUSY later");
      }
      assertThat(sentinel.client().blocking().get("k")).isEqualTo("v");
    }
  }

  private static JedisSentinelPool pool(KermesSentinel sentinel) {
    HostAndPort first = new HostAndPort("127.0.0.1", sentinel.sentinel(0).port());
    return new JedisSentinelPool(sentinel.masterName(), Set.of(first), config, config);
  }
}
