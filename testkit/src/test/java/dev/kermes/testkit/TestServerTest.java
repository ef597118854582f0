package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import dev.kermes.client.SetOptions;
import dev.kermes.testing.KermesThreads;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

class TestServerTest {

  private static Jedis jedis(TestServer server) {
    return new Jedis(server.host(), server.port(), 20_000);
  }

  @Test
  void clock_movesTheTimeOfKeys() {
    try (TestServer server = TestServer.start()) {
      server.client().blocking().set("session", "ann", new SetOptions().ex(60));
      server.clock().advance(Duration.ofSeconds(59));
      assertThat(server.client().blocking().get("session")).isEqualTo("ann");
      server.clock().advance(Duration.ofSeconds(2));
      assertThat(server.client().blocking().get("session")).isNull();
    }
  }

  @Test
  void clock_ofServerInRealTime_isRefused() {
    try (TestServer server = TestServer.builder().realTime().start()) {
      assertThatThrownBy(server::clock)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("real time");
    }
  }

  @Test
  void url_leadsOtherClientsToTheServer() {
    try (TestServer server = TestServer.start();
        Jedis jedis = new Jedis(URI.create(server.url()));
        RedisClient direct = RedisClient.open(server.directUrl())) {
      jedis.set("k", "v");
      assertThat(direct.blocking().get("k")).isEqualTo("v");
    }
  }

  @Test
  void option_isSet_andAnUnknownOneIsRefused() {
    try (TestServer server = TestServer.builder().option("maxmemory", "10mb").start();
        Jedis jedis = jedis(server)) {
      assertThat(jedis.configGet("maxmemory")).containsEntry("maxmemory", "10485760");
    }
    assertThatThrownBy(() -> TestServer.builder().option("maxmemori", "1").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxmemori");
  }

  // reset

  @Test
  void reset_deletesDataScriptsAndFunctions() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.set("k", "v");
      jedis.select(3);
      jedis.set("k", "v");
      String sha = jedis.scriptLoad("return 1");
      jedis.functionLoad("#!lua name=lib\nredis.register_function('f', function() return 1 end)");
      server.reset();
      assertThat(jedis.info("keyspace")).doesNotContain("keys=");
      assertThat(jedis.scriptExists(sha)).isFalse();
      assertThat(jedis.functionList()).isEmpty();
    }
  }

  @Test
  void reset_restoresOptionsAndUsers() {
    try (TestServer server = TestServer.builder().option("maxmemory", "10mb").start();
        Jedis jedis = jedis(server)) {
      jedis.configSet("maxmemory", "1");
      jedis.configSet("min-replicas-to-write", "2");
      jedis.configSet("notify-keyspace-events", "KEA");
      jedis.aclSetUser("ann", "on", ">secret", "~a:*", "+get");
      jedis.configSet("requirepass", "secret");
      jedis.aclSetUser("default", "-set", "(~b:* +get)");
      server.reset();
      assertThat(jedis.aclUsers()).containsExactly("default");
      assertThat(jedis.aclList())
          .containsExactly("user default on nopass sanitize-payload ~* &* +@all");
      assertThat(jedis.configGet("maxmemory")).containsEntry("maxmemory", "10485760");
      assertThat(jedis.configGet("notify-keyspace-events")).containsValue("");
      assertThat(jedis.set("k", "v")).isEqualTo("OK");
    }
  }

  @Test
  void reset_closesConnectionsWithState_andKeepsOthers() throws IOException {
    try (TestServer server = TestServer.start();
        Jedis idle = jedis(server);
        RespSocket subscriber = new RespSocket(server.port());
        RespSocket transaction = new RespSocket(server.port());
        RespSocket blocked = new RespSocket(server.port())) {
      long id = idle.clientId();
      subscriber.sendRaw("SUBSCRIBE news\r\n");
      transaction.sendRaw("MULTI\r\n");
      blocked.sendRaw("BLPOP jobs 0\r\n");
      await(idle, "blocked_clients:1");
      expect(subscriber, "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
      expect(transaction, "+OK\r\n");
      server.reset();
      assertThat(subscriber.readToEnd()).isEmpty();
      assertThat(transaction.readToEnd()).isEmpty();
      assertThat(blocked.readToEnd()).isEmpty();
      assertThat(idle.clientId()).isEqualTo(id);
    }
  }

  private static void expect(RespSocket socket, String bytes) throws IOException {
    assertThat(socket.readRaw(bytes.length())).isEqualTo(bytes);
  }

  private static void await(Jedis jedis, String fact) {
    while (!jedis.info("clients").contains(fact)) Thread.onSpinWait();
  }

  @Test
  void reset_endsReplication() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.replicaof("127.0.0.1", 1);
      server.reset();
      assertThat(jedis.set("k", "v")).isEqualTo("OK");
    }
  }

  @Test
  void reset_removesFaults() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      server.faults().onAny().error("BUSY later");
      server.faults().freeze();
      server.reset();
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void reset_afterShutdown_startsAServerAtTheSamePort() {
    try (TestServer server = TestServer.start()) {
      int port = server.port();
      try (Jedis jedis = jedis(server)) {
        jedis.shutdown();
      }
      server.reset();
      assertThat(server.port()).isEqualTo(port);
      try (Jedis jedis = jedis(server)) {
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
      server.clock().advance(Duration.ofSeconds(1));
    }
  }

  // report

  @Test
  void report_hasCommandsRepliesFaultsAndKeys() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.set("visits", "1");
      jedis.pexpire("visits", 5000);
      server.faults().on("GET").error("BUSY later");
      assertThatThrownBy(() -> jedis.get("visits")).hasMessage("BUSY later");
      assertThat(server.report().lines())
          .contains(
              "Redis at 127.0.0.1:" + server.port(),
              "  #1  SET visits 1 -> OK",
              "  #1  PEXPIRE visits 5000 -> 1",
              "  #1  GET visits -> (error) BUSY later  [fault: replaced]",
              "keys: 1 of 1",
              "  visits: string, expires in 5000 ms");
    }
  }

  @Test
  void report_isBounded_andHidesPasswords() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      for (int i = 0; i < 200; i++) jedis.set("key" + i, "v".repeat(1000));
      jedis.configSet("masterauth", "secret");
      assertThatThrownBy(() -> jedis.auth("ann", "secret"));
      String report = server.report();
      assertThat(report.lines().count()).isLessThan(110);
      assertThat(report)
          .contains("keys: 50 of 200")
          .contains("... (1000 bytes) -> OK")
          .contains("AUTH (arguments are not shown)")
          .contains("CONFIG (arguments are not shown)")
          .doesNotContain("secret");
    }
  }

  @Test
  void report_ofServerThatIsGone_saysSo() {
    try (TestServer server = TestServer.start()) {
      try (Jedis jedis = jedis(server)) {
        jedis.shutdown();
      }
      assertThat(server.report()).contains("keys: the server cannot list them");
    }
  }

  // Bytes

  @Test
  void inlineCommandsAndBrokenOnes_areAnsweredAsByTheServer() throws IOException {
    try (TestServer server = TestServer.start();
        RespSocket client = new RespSocket(server.port())) {
      client.sendRaw("SET k \"a b\"\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\nGET\r\n");
      expect(client, "+OK\r\n$3\r\na b\r\n-ERR Protocol error: expected '$', got 'G'\r\n");
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void monitor_seesCommands() throws IOException {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server);
        RespSocket monitor = new RespSocket(server.port())) {
      monitor.sendRaw("MONITOR\r\n");
      expect(monitor, "+OK\r\n");
      jedis.set("k", "v");
      assertThat(monitor.readLine()).contains("\"SET\" \"k\" \"v\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"OFF", "SKIP"})
  void clientReply_doesNotShiftReplies(String mode) throws IOException {
    try (TestServer server = TestServer.start();
        RespSocket client = new RespSocket(server.port())) {
      client.sendRaw(
          "PING\r\nCLIENT REPLY " + mode + "\r\nECHO a\r\nCLIENT REPLY ON\r\nECHO b\r\n");
      expect(client, "+PONG\r\n+OK\r\n$1\r\nb\r\n");
    }
  }

  // The end

  @Test
  void close_leavesNoThread() throws InterruptedException {
    startAndStop();
    Set<Thread> running = KermesThreads.running();
    List<String> before = threads();
    for (int i = 0; i < 20; i++) startAndStop();
    assertThat(KermesThreads.leftSince(running)).isEmpty();
    assertThat(threads()).isSubsetOf(before);
  }

  private static void startAndStop() {
    try (TestServer server = TestServer.start();
        Jedis jedis = jedis(server)) {
      jedis.ping();
      server.client().blocking().ping();
      server.faults().on("GET").delay(Duration.ofMinutes(10));
      server.client().async().get("k");
    }
  }

  /** The names of all threads but those that the JVM or Netty share. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.matches("(ForkJoinPool|VirtualThread|globalEventExecutor).*"))
        .sorted()
        .toList();
  }
}
