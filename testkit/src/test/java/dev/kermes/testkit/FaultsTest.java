package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** Jedis meets the faults of commands. */
class FaultsTest {

  /** Long enough for every reply that is not held back by a fault. */
  private static final int PATIENT = 20_000;

  private static final int IMPATIENT = 100;
  private static final Duration LONG = Duration.ofMinutes(10);

  private final TestServer server = TestServer.start();
  private final Faults faults = server.faults();

  @AfterEach
  void close() {
    server.close();
  }

  private Jedis jedis() {
    return new Jedis(server.host(), server.port(), PATIENT);
  }

  /** A connected client that soon gives up waiting for a reply. */
  private Jedis impatientJedis() {
    Jedis jedis = jedis();
    jedis.ping();
    jedis.getConnection().setSoTimeout(IMPATIENT);
    return jedis;
  }

  /** A client whose commands meet no faults. */
  private Jedis observer() {
    String url = server.directUrl();
    return new Jedis(URI.create(url), PATIENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "READONLY You can't write against a read only replica.",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "NOAUTH Authentication required."
      })
  void error_isThatOfTheRule_andTheCommandIsNotExecuted(String message) {
    faults.on("SET").error(message);
    try (Jedis jedis = jedis()) {
      assertThatThrownBy(() -> jedis.set("k", "v"))
          .isInstanceOf(JedisDataException.class)
          .hasMessage(message);
      assertThat(jedis.get("k")).isNull();
    }
  }

  @Test
  void errorMoved_leadsToTheOtherNode() {
    faults.on("GET").error("MOVED 3999 127.0.0.1:6381");
    try (Jedis jedis = jedis()) {
      assertThatThrownBy(() -> jedis.get("k"))
          .isInstanceOfSatisfying(
              JedisMovedDataException.class,
              moved -> assertThat(moved.getTargetNode().getPort()).isEqualTo(6381));
    }
  }

  @Test
  void errorAsk_leadsToTheOtherNode() {
    faults.on("GET").error("ASK 3999 127.0.0.1:6381");
    try (Jedis jedis = jedis()) {
      assertThatThrownBy(() -> jedis.get("k")).isInstanceOf(JedisAskDataException.class);
    }
  }

  @Test
  void error_inTransaction_failsIt() {
    faults.on("INCR").key("b").error("OOM command not allowed");
    try (Jedis jedis = jedis();
        Transaction transaction = jedis.multi()) {
      transaction.incr("a");
      transaction.incr("b");
      assertThatThrownBy(transaction::exec).hasMessageContaining("EXECABORT");
      assertThat(jedis.get("a")).isNull();
    }
  }

  @Test
  void error_ofExec_endsTheTransaction() {
    faults.on("EXEC").error("LOADING Redis is loading the dataset in memory");
    try (Jedis jedis = jedis();
        Transaction transaction = jedis.multi()) {
      transaction.incr("a");
      assertThatThrownBy(transaction::exec).hasMessageStartingWith("LOADING");
      assertThat(jedis.incr("a")).isEqualTo(1);
    }
  }

  @Test
  void error_inPipeline_isTheReplyOfItsCommand() {
    faults.on("INCR").nth(2).error("BUSY later");
    try (Jedis jedis = jedis()) {
      Pipeline pipeline = jedis.pipelined();
      List<Response<Long>> replies = new ArrayList<>();
      for (int i = 0; i < 3; i++) replies.add(pipeline.incr("n"));
      pipeline.sync();
      assertThat(replies.get(0).get()).isEqualTo(1);
      assertThatThrownBy(replies.get(1)::get).hasMessage("BUSY later");
      assertThat(replies.get(2).get()).isEqualTo(2);
    }
  }

  @Test
  void reply_replacesThatOfTheServer() {
    faults.on("SET").reply("OK");
    try (Jedis jedis = jedis()) {
      assertThat(jedis.set("k", "v")).isEqualTo("OK");
      assertThat(jedis.get("k")).isNull();
    }
  }

  @Test
  void delay_outlastsTheClientsTimeout() {
    faults.on("GET").delay(LONG);
    try (Jedis jedis = impatientJedis()) {
      assertThatThrownBy(() -> jedis.get("k"))
          .isInstanceOf(JedisConnectionException.class)
          .hasMessageContaining("timed out");
    }
  }

  @Test
  void delay_passes() {
    FaultRule rule = faults.on("GET").delay(Duration.ofMillis(1), Duration.ofMillis(1));
    try (Jedis jedis = jedis()) {
      jedis.set("k", "v");
      assertThat(jedis.get("k")).isEqualTo("v");
    }
    assertThat(rule.hits()).isEqualTo(1);
  }

  @Test
  void loseReply_executesTheCommand_andStaysSilent() {
    faults.on("INCR").loseReply();
    try (Jedis jedis = impatientJedis();
        Jedis observer = observer()) {
      assertThatThrownBy(() -> jedis.incr("n")).hasMessageContaining("timed out");
      assertThat(observer.get("n")).isEqualTo("1");
    }
  }

  @Test
  void disconnectBeforeReply_ofTheSecondExec_executesIt() {
    faults.on("EXEC").nth(2).disconnectBeforeReply();
    try (Jedis jedis = jedis();
        Jedis observer = observer()) {
      increment(jedis);
      assertThatThrownBy(() -> increment(jedis)).isInstanceOf(JedisConnectionException.class);
      assertThat(observer.get("n")).isEqualTo("2");
    }
  }

  private static void increment(Jedis jedis) {
    try (Transaction transaction = jedis.multi()) {
      transaction.incr("n");
      transaction.exec();
    }
  }

  @Test
  void disconnectAfterReply_failsTheNextCommand() {
    faults.on("INCR").disconnectAfterReply();
    try (Jedis jedis = jedis()) {
      assertThat(jedis.incr("n")).isEqualTo(1);
      assertThatThrownBy(() -> jedis.get("n")).isInstanceOf(JedisConnectionException.class);
    }
  }

  @Test
  void halfReply_endsInTheMiddle() {
    faults.on("GET").halfReply();
    try (Jedis jedis = jedis()) {
      jedis.set("k", "v".repeat(100_000));
      assertThatThrownBy(() -> jedis.get("k"))
          .isInstanceOf(JedisConnectionException.class)
          .hasMessageContaining("end of stream");
    }
  }

  @Test
  void freeze_stopsRepliesAndNewConnections() {
    try (Jedis early = impatientJedis()) {
      faults.freeze();
      assertThatThrownBy(early::ping).hasMessageContaining("timed out");
      assertThatThrownBy(() -> new Jedis(server.host(), server.port(), IMPATIENT))
          .hasMessageContaining("timed out");
    }
    faults.thaw();
    try (Jedis jedis = jedis()) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void disconnectAll_closesConnections() {
    try (Jedis jedis = jedis()) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      faults.disconnectAll();
      assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
    }
    try (Jedis jedis = jedis()) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  // Conditions

  @Test
  void key_matchesAnyKeyOfTheCommand() {
    FaultRule rule = faults.onAny().key("user:?*").error("BUSY later");
    try (Jedis jedis = jedis()) {
      jedis.set("user:", "v");
      jedis.set("order:user:1", "v");
      assertThatThrownBy(() -> jedis.mget("order:user:1", "user:1")).hasMessage("BUSY later");
    }
    assertThat(rule.hits()).isEqualTo(1);
  }

  @Test
  void client_matchesTheNameOfTheConnection() {
    faults.on("PING").client("worker").error("BUSY later");
    try (Jedis jedis = jedis();
        Jedis worker = jedis()) {
      worker.clientSetname("worker");
      assertThat(jedis.ping()).isEqualTo("PONG");
      assertThatThrownBy(worker::ping).hasMessage("BUSY later");
    }
  }

  @Test
  void times_endsTheRule() {
    faults.on("PING").times(2).error("BUSY later");
    try (Jedis jedis = jedis()) {
      assertThatThrownBy(jedis::ping).hasMessage("BUSY later");
      assertThatThrownBy(jedis::ping).hasMessage("BUSY later");
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void firstRuleThatApplies_decides() {
    faults.on("GET").nth(1).error("BUSY first");
    faults.onAny().error("BUSY second");
    try (Jedis jedis = jedis()) {
      assertThatThrownBy(() -> jedis.get("k")).hasMessage("BUSY first");
      assertThatThrownBy(() -> jedis.get("k")).hasMessage("BUSY second");
    }
  }

  @Test
  void subcommand_hasRulesOfItsOwn() {
    faults.on("client getname").error("BUSY later");
    try (Jedis jedis = jedis()) {
      assertThat(jedis.clientId()).isPositive();
      assertThatThrownBy(jedis::clientGetname).hasMessage("BUSY later");
    }
  }

  @Test
  void probability_isThatOfTheSeed() {
    List<Boolean> first = failures();
    List<Boolean> second = failures();
    assertThat(first).contains(true, false).isEqualTo(second);
  }

  private static List<Boolean> failures() {
    List<Boolean> failures = new ArrayList<>();
    try (TestServer seeded = TestServer.builder().seed(7).start();
        Jedis jedis = new Jedis(seeded.host(), seeded.port(), PATIENT)) {
      seeded.faults().on("GET").probability(0.5).error("BUSY later");
      for (int i = 0; i < 50; i++) failures.add(isRefused(jedis));
    }
    return failures;
  }

  private static boolean isRefused(Jedis jedis) {
    try {
      jedis.get("k");
      return false;
    } catch (JedisDataException e) {
      return true;
    }
  }

  @Test
  void jitter_isThatOfTheSeed_andBounded() {
    assertThat(delays(3)).isEqualTo(delays(3)).doesNotHaveDuplicates();
    assertThat(delays(3))
        .allSatisfy(each -> assertThat(each).isBetween(Duration.ofMillis(5), Duration.ofMillis(7)));
  }

  private static List<Duration> delays(long seed) {
    Matches matches = new Matches(new Random(seed));
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      delays.add(matches.delay(Duration.ofMillis(5), Duration.ofMillis(2)).delay());
    }
    return delays;
  }

  // Wrong use

  @Test
  void wrongUse_isExplained() {
    assertThatThrownBy(() -> faults.on("GTE")).hasMessage("unknown command: name=GTE");
    assertThatThrownBy(() -> faults.on("GET key")).hasMessage("unknown command: name=GET key");
    assertThatThrownBy(() -> faults.on("CLIENT"))
        .hasMessageStartingWith("CLIENT has subcommands: name one of them, such as CLIENT ");
    assertThatThrownBy(() -> faults.on("PING").key("k")).hasMessage("PING has no keys: pattern=k");
    assertThatThrownBy(() -> faults.on("GET").nth(0)).hasMessage("matches count from 1: nth=0");
    assertThatThrownBy(() -> faults.on("GET").times(0)).hasMessage("at least once: times=0");
    assertThatThrownBy(() -> faults.on("GET").probability(2))
        .hasMessage("a probability is above 0 and at most 1: 2.0");
    assertThatThrownBy(() -> faults.on("GET").error(" ")).hasMessageContaining("one line of text");
    assertThatThrownBy(() -> faults.on("GET").error("A\r\nB"))
        .hasMessageContaining("one line of text");
    assertThatThrownBy(() -> faults.on("GET").delay(Duration.ofMillis(-1)))
        .hasMessage("delay is negative: PT-0.001S");
    FaultRule complete = faults.on("GET").error("BUSY later");
    assertThatThrownBy(() -> complete.nth(2))
        .hasMessage("the fault comes last: set conditions before it");
    assertThatThrownBy(() -> faults.push("MOVING"))
        .hasMessageContaining("no connection speaks RESP3");
  }
}
