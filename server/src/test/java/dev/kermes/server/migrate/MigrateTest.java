package dev.kermes.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.RecordedLog;
import dev.kermes.testing.Fact;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MIGRATE to and from a redis-server, to our own server, and to targets that a test plays. */
final class MigrateTest extends CommandTest {

  private static RealRedis redis;

  private RespSocket their;

  @BeforeAll
  static void startRedis() throws IOException, InterruptedException {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void connectToRedis() throws IOException {
    their = new RespSocket(redis.port());
    their.call("FLUSHALL");
  }

  @AfterEach
  void leaveRedis() throws IOException {
    their.close();
  }

  private static String migrate(RespSocket from, int port, String rest) throws IOException {
    List<String> command = new ArrayList<>(List.of("MIGRATE", "127.0.0.1", "" + port));
    command.addAll(List.of(rest.split(" ")));
    command.replaceAll(word -> word.equals("\"\"") ? "" : word);
    return from.call(command).toString();
  }

  private String migrate(String rest) throws IOException {
    return migrate(socket, redis.port(), rest);
  }

  // Values that arrive

  @Test
  void allTypes_goToRedisAndComeBack() throws IOException {
    for (int i = 0; i < 3; i++) RandomData.fill(socket, new Random(i));
    call("SELECT 0");
    Map<String, String> before = KeyspaceState.of(socket);
    assertThat(before).hasSizeGreaterThan(10);
    moveAll(socket, redis.port());
    assertThat(KeyspaceState.of(their)).isEqualTo(before);
    assertThat(KeyspaceState.of(socket)).isEmpty();
    moveAll(their, server.port());
    assertThat(KeyspaceState.of(socket)).isEqualTo(before);
    assertThat(KeyspaceState.of(their)).isEmpty();
  }

  private static void moveAll(RespSocket from, int port) throws IOException {
    for (int database = 0; database < 16; database++) {
      from.call("SELECT", "" + database);
      List<String> command =
          new ArrayList<>(List.of("MIGRATE", "127.0.0.1", "" + port, "", "" + database, "5000"));
      command.add("KEYS");
      for (RespReply name : from.call("KEYS", "*").elements()) {
        command.add(name.text().substring(name.text().indexOf(':') + 1));
      }
      assertThat(from.call(command).toString()).isIn("+OK", "+NOKEY");
    }
    from.call("SELECT", "0");
  }

  @Test
  void timeToLive_goesAlong() throws IOException {
    call("SET a 1 PX 90000");
    call("SET b 2");
    assertThat(migrate("\"\" 5 1000 KEYS a b none")).isEqualTo("+OK");
    their.call("SELECT", "5");
    assertThat(Long.parseLong(their.call("PTTL", "a").text())).isBetween(60_000L, 90_000L);
    assertThat(their.call("PTTL", "b").toString()).isEqualTo(":-1");
    assertThat(call("EXISTS a b")).isEqualTo(":0");
  }

  @Test
  void copyAndReplace() throws IOException {
    call("SET a 1");
    assertThat(migrate("a 0 1000 COPY")).isEqualTo("+OK");
    assertThat(call("GET a")).isEqualTo("$1:1");
    call("SET a 2");
    assertThat(migrate("a 0 1000 COPY"))
        .isEqualTo(
            "-ERR Target instance replied with error: BUSYKEY Target key name already exists.");
    assertThat(migrate("a 0 1000 copy replace")).isEqualTo("+OK");
    assertThat(their.call("GET", "a").toString()).isEqualTo("$1:2");
  }

  @Test
  void keyThatIsThereAlready_staysHere_theOthersGo() throws IOException {
    their.call("SET", "b", "old");
    call("MSET a 1 b 2 c 3");
    assertThat(migrate("\"\" 0 1000 KEYS a b c"))
        .isEqualTo(
            "-ERR Target instance replied with error: BUSYKEY Target key name already exists.");
    assertThat(call("KEYS *")).isEqualTo("*1[$1:b]");
    assertThat(their.call("MGET", "a", "b", "c").toString()).isEqualTo("*3[$1:1, $3:old, $1:3]");
  }

  @Test
  void anotherDatabaseOfTheSameServer_isATargetToo() throws IOException {
    call("SET a 1");
    assertThat(migrate(socket, server.port(), "a 3 1000")).isEqualTo("+OK");
    assertThat(call("EXISTS a")).isEqualTo(":0");
    call("SELECT 3");
    assertThat(call("GET a")).isEqualTo("$1:1");
  }

  @Test
  void goneKeys_areDeletedForReplicasAndSubscribers() throws IOException {
    try (RespSocket subscriber = new RespSocket(server.port());
        RecordedLog log = new RecordedLog(server)) {
      call("CONFIG SET notify-keyspace-events KA");
      subscriber.call("PSUBSCRIBE", "*");
      call("MSET a 1 b 2");
      call("WATCH a");
      assertThat(migrate("\"\" 0 1000 KEYS a b")).isEqualTo("+OK");
      assertThat(log.lines()).endsWith("DEL a b");
      String events = "";
      for (int i = 0; i < 4; i++) events += subscriber.read().elements().getLast().text() + " ";
      assertThat(events).isEqualTo("3:set 3:set 3:del 3:del ");
    }
  }

  // Mistakes

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none 0 1000",
        "\"\" 0 1000",
        "\"\" 0 1000 KEYS",
        "\"\" 0 1000 KEYS none none",
        "a 0 1000 KEYS a",
        "a x 1000",
        "a 0 x",
        "a 0 1000 WHATEVER",
        "a 0 1000 AUTH",
        "a 0 1000 AUTH2 user",
        "a 99 1000",
        "a -1 1000 COPY",
        "a 0 1000 AUTH2 nobody wrong",
        "a 0 -5 COPY REPLACE"
      })
  void mistakes_areToldAsByRedis(String rest) throws IOException {
    try (RealRedis target = RealRedis.start();
        RedisServer same = RedisServer.start();
        RespSocket ours = new RespSocket(same.port());
        RespSocket targets = new RespSocket(target.port())) {
      their.call("SET", "a", "1");
      ours.call("SET", "a", "1");
      String expected = migrate(their, target.port(), rest);
      targets.call("FLUSHALL");
      assertThat(migrate(ours, target.port(), rest)).isEqualTo(expected);
      assertThat(ours.call("GET", "a").toString()).isEqualTo("$1:1");
    }
  }

  @Test
  void password_isAskedForByTheTarget() throws Exception {
    try (RealRedis target = RealRedis.start(List.of("--requirepass", "secret"))) {
      call("CONFIG SET slowlog-log-slower-than 0");
      call("SET a 1");
      String error = "-ERR Target instance replied with error: ";
      assertThat(migrate(socket, target.port(), "a 0 1000")).startsWith(error + "NOAUTH");
      assertThat(migrate(socket, target.port(), "a 0 1000 AUTH x")).startsWith(error + "WRONGPASS");
      assertThat(call("GET a")).isEqualTo("$1:1");
      assertThat(migrate(socket, target.port(), "a 0 1000 AUTH secret COPY")).isEqualTo("+OK");
      assertThat(migrate(socket, target.port(), "a 1 1000 AUTH2 default secret")).isEqualTo("+OK");
      assertThat(call("SLOWLOG GET")).contains("AUTH2, $10:(redacted), $10:(redacted)");
      assertThat(call("SLOWLOG GET")).doesNotContain("secret");
    }
  }

  @Test
  void transactionsAndScripts_cannotWait() throws IOException {
    call("SET a 1");
    call("MULTI");
    assertThat(migrate("a 0 1000")).isEqualTo("+QUEUED");
    assertThat(call("EXEC")).startsWith("*1[-ERR MIGRATE waits for the target");
    assertThat(call("GET a")).isEqualTo("$1:1");
  }

  // Targets that fail

  @Test
  void nobodyThere_isAnError() throws IOException {
    call("SET a 1");
    int port = Ports.free();
    assertThat(migrate(socket, port, "a 0 1000"))
        .isEqualTo("-IOERR error or timeout writing to target instance");
    assertThat(call("GET a")).isEqualTo("$1:1");
  }

  @Test
  void silentTarget_holdsUpItsCallerOnly() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("SET a 1");
      socket.send("MIGRATE", "127.0.0.1", "" + listener.getLocalPort(), "a", "0", "500");
      new Target(listener).expect("SELECT 0");
      assertThat(other.call("GET", "a").toString()).isEqualTo("$1:1");
      assertThat(other.call("SET", "b", "1").toString()).isEqualTo("+OK");
      assertThat(socket.read().toString())
          .isEqualTo("-IOERR error or timeout reading to target instance");
      assertThat(call("GET a")).isEqualTo("$1:1");
    }
  }

  @Test
  void targetThatReadsNothing_isGivenUp() throws IOException {
    try (ServerSocket listener = listener()) {
      byte[] noise = new byte[30_000_000];
      new Random(1).nextBytes(noise);
      socket.call("SET", "a", new String(noise, StandardCharsets.ISO_8859_1));
      Target unused = migrating(socket, listener, "a", "0", "500");
      assertThat(socket.read().toString())
          .isEqualTo("-IOERR error or timeout writing to target instance");
      assertThat(call("STRLEN a")).isEqualTo(":30000000");
    }
  }

  @Test
  void targetThatIsLostHalfway_keepsWhatItHasTaken() throws IOException {
    try (ServerSocket listener = listener()) {
      call("MSET a 1 b 2");
      Target target = migrating(socket, listener, "", "0", "5000", "KEYS", "a", "b");
      target.expect("RESTORE a 0 .*", "+OK");
      target.hangUp();
      assertThat(socket.read().toString())
          .isEqualTo("-IOERR error or timeout reading to target instance");
      assertThat(call("KEYS *")).isEqualTo("*1[$1:b]");
    }
  }

  // Keys that change during MIGRATE

  @Test
  void changedKey_isSentAgain_whileWritesWait() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("RPUSH a first");
      Target target = migrating(socket, listener, "a", "0", "5000");
      other.call("RPUSH", "a", "second");
      target.expect("RESTORE a 0 .*first.*", "+OK");
      target.expect("RESTORE a 0 .*first.*second.* REPLACE");
      other.send("RPUSH", "a", "third");
      try (RespSocket reader = new RespSocket(server.port())) {
        reader.await("paused_reason:migrate_in_progress", "INFO", "clients");
        assertThat(reader.call("LRANGE", "a", "0", "-1").toString())
            .isEqualTo("*2[$5:first, $6:second]");
      }
      target.reply("+OK");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(other.read().toString()).isEqualTo(":1"); // the key was gone
      assertThat(other.call("LRANGE", "a", "0", "-1").toString()).isEqualTo("*1[$5:third]");
    }
  }

  @Test
  void deletedKey_isDeletedThere() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("SET a 1");
      Target target = migrating(socket, listener, "a", "0", "5000");
      other.call("DEL", "a");
      target.expect("RESTORE a 0 .*", "+OK");
      target.expect("DEL a", ":1");
      assertThat(socket.read().toString()).isEqualTo("+NOKEY");
    }
  }

  @Test
  void keyThatHadGoneAndIsBackWithTheSameValue_isSentAgain() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("SADD a 1");
      Target target = migrating(socket, listener, "a", "0", "5000");
      other.call("DEL", "a");
      other.call("SADD", "a", "1");
      target.expect("RESTORE a 0 .*", "+OK");
      target.expect("RESTORE a 0 .* REPLACE", "+OK");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(call("EXISTS a")).isEqualTo(":0");
    }
  }

  @Test
  void keyThatIsCopied_mayBeChanged() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("SET a 1");
      Target target = migrating(socket, listener, "a", "0", "5000", "COPY");
      other.call("SET", "a", "2");
      target.expect("RESTORE a 0 .*", "+OK");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(call("GET a")).isEqualTo("$1:2");
    }
  }

  @Test
  void callerThatHasLeft_keepsNoKeyHere() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      Target target;
      try (RespSocket caller = new RespSocket(server.port())) {
        caller.call("SET", "a", "1");
        target = migrating(caller, listener, "a", "0", "5000");
      }
      other.await("connected_clients:2\r", "INFO", "clients");
      target.expect("RESTORE a 0 .*", "+OK");
      other.await("0", "EXISTS", "a");
    }
  }

  @Test
  void pauseOfWrites_keepsTheKeyUntilItsEnd() throws IOException {
    try (ServerSocket listener = listener();
        RespSocket other = new RespSocket(server.port())) {
      call("SET a 1");
      Target target = migrating(socket, listener, "a", "0", "5000");
      other.call("CLIENT", "PAUSE", "100000", "WRITE");
      target.expect("RESTORE a 0 .*", "+OK");
      other.await("migrate_cached_sockets:1", "INFO", "stats");
      assertThat(other.call("EXISTS", "a").toString()).isEqualTo(":1");
      other.call("CLIENT", "UNPAUSE");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(call("EXISTS a")).isEqualTo(":0");
    }
  }

  // Connections that are kept

  @Test
  void connection_isKeptForTenSeconds() throws IOException {
    call("MSET a 1 b 2");
    long before = Long.parseLong(Fact.of(their, "total_connections_received"));
    assertThat(migrate("a 0 1000")).isEqualTo("+OK");
    assertThat(migrate("b 3 1000")).isEqualTo("+OK");
    assertThat(Long.parseLong(Fact.of(their, "total_connections_received"))).isEqualTo(before + 1);
    assertThat(Fact.of(socket, "migrate_cached_sockets")).isEqualTo("1");
    their.call("SELECT", "3");
    assertThat(their.call("GET", "b").toString()).isEqualTo("$1:2");
    advance(10_001);
    socket.await("migrate_cached_sockets:0", "INFO", "stats");
  }

  @Test
  void keptConnectionThatTheTargetHasClosed_isReplaced() throws IOException {
    call("MSET a 1 b 2");
    assertThat(migrate("a 0 1000")).isEqualTo("+OK");
    their.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    assertThat(migrate("b 0 1000")).isEqualTo("+OK");
    assertThat(their.call("GET", "b").toString()).isEqualTo("$1:2");
  }

  private static ServerSocket listener() throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    listener.setSoTimeout(20_000);
    return listener;
  }

  /**
   * A target to which a MIGRATE of {@code words} has connected and on which it has selected a
   * database.
   */
  private static Target migrating(RespSocket caller, ServerSocket listener, String... words)
      throws IOException {
    List<String> command =
        new ArrayList<>(List.of("MIGRATE", "127.0.0.1", "" + listener.getLocalPort()));
    command.addAll(List.of(words));
    caller.send(command.toArray(String[]::new));
    Target target = new Target(listener);
    target.expect("SELECT 0", "+OK");
    return target;
  }

  /** A target that takes its replies from the test. */
  private static final class Target {
    private final RespSocket connection;

    Target(ServerSocket listener) throws IOException {
      Socket peer = listener.accept();
      peer.setSoTimeout(20_000);
      connection = new RespSocket(peer, peer.getInputStream(), peer.getOutputStream());
    }

    /** Reads a command, which must match the pattern, and replies to it. */
    void expect(String pattern, String reply) throws IOException {
      expect(pattern);
      reply(reply);
    }

    void expect(String pattern) throws IOException {
      List<String> words = new ArrayList<>();
      for (RespReply word : connection.read().elements()) {
        words.add(word.text().substring(word.text().indexOf(':') + 1));
      }
      assertThat(String.join(" ", words)).matches("(?s)" + pattern);
    }

    void reply(String line) throws IOException {
      connection.sendRaw(line + "\r\n");
    }

    void hangUp() throws IOException {
      connection.close();
    }
  }
}
