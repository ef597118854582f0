package dev.kermes.server.writelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyTimes;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RecordedLog;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.comparison.DifferentialServers;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the commands of the write log have the same effect on another server, at another
 * time.
 */
final class WriteLogTest {

  /** Commands that are too new to be compared with Redis 7.0, or that follow the clock. */
  private static final List<String> NEWER =
      List.of(
          "HSET k e e e e",
          "HSET k e e",
          "HEXPIRE k x FIELDS 2 e e",
          "HPEXPIRE k x NX FIELDS 1 e",
          "HEXPIREAT k at FIELDS 2 e e",
          "HPEXPIREAT k at XX FIELDS 1 e",
          "HPERSIST k FIELDS 2 e e",
          "HGETEX k EX x FIELDS 2 e e",
          "HGETEX k PXAT at FIELDS 1 e",
          "HGETEX k PERSIST FIELDS 1 e",
          "HGETDEL k FIELDS 2 e e",
          "HSETEX k EX x FIELDS 1 e e",
          "HSETEX k FNX PXAT at FIELDS 2 e e e e",
          "HSETEX k FXX KEEPTTL FIELDS 1 e e",
          "HINCRBYFLOAT k 1 u",
          "HINCRBY k 1 n",
          "HRANDFIELD k",
          "HDEL k e e",
          "DEL k",
          "SET s1 e EX x GET",
          "SET s1 e PXAT at NX",
          "SET s1 e KEEPTTL GET",
          "SET s1 e IFEQ e GET",
          "GETEX s1 EX x",
          "GETEX s1 EXAT at",
          "GETEX s1 PERSIST",
          "GETDEL s1",
          "DELEX s1 IFEQ e",
          "DELIFEQ s1 e",
          "MSETEX 2 s1 e s2 e EX x",
          "MSETEX 1 s2 e XX EXAT at",
          "INCREX n1 BYINT n UBOUND 50 EX x",
          "INCREX n1 BYFLOAT u PERSIST",
          "SETEX s2 x e",
          "PSETEX s2 x e",
          "INCRBYFLOAT n1 u",
          "SADD set e e e e",
          "SPOP set",
          "SPOP set 2",
          "SPOP set 50",
          "SRANDMEMBER set",
          "SORT set BY nosort STORE list",
          "XADD st * f e",
          "XADD st MAXLEN ~ 7 * f e",
          "XADD st NOMKSTREAM MINID ~ r LIMIT 5 * f e",
          "XADD st IDMP who e * f e",
          "XADD st IDMPAUTO who * f e",
          "XADD st 5-* f e",
          "XTRIM st MAXLEN ~ 5",
          "XTRIM st MAXLEN ~ 3 DELREF",
          "XGROUP CREATE st grp 0 MKSTREAM",
          "XGROUP CREATECONSUMER st grp who",
          "XREADGROUP GROUP grp who COUNT 2 STREAMS st >",
          "XREADGROUP GROUP grp who NOACK COUNT 1 STREAMS st >",
          "XREADGROUP GROUP grp who CLAIM 0 COUNT 2 STREAMS st >",
          "XAUTOCLAIM st grp who 0 - COUNT 3",
          "XAUTOCLAIM st grp who 0 - JUSTID",
          "LMOVEM list list side side COUNT 2 BULK",
          "BLMOVEM list list side side 0.001 EXACTLY 2 OBO",
          "RPUSH list e e",
          "HIMPORT PREPARE fs e1 e2",
          "HIMPORT SET k fs e e",
          "PFADD hll e e",
          "PFCOUNT hll",
          "FLUSHDB",
          "SWAPDB 0 1",
          "COPY list list2 DB 2 REPLACE",
          "PUBLISH e e");

  private RedisServer first;
  private RedisServer second;

  @BeforeEach
  void start() {
    first = DifferentialServers.ours();
    second = DifferentialServers.ours();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @Test
  void abandonedUnit_isHiddenWhole_andNoOtherOne() {
    StringBuilder seen = new StringBuilder();
    WriteLog log = new WriteLog();
    log.add(
        new LogSink() {
          @Override
          public int audience() {
            return FILE;
          }

          @Override
          public void append(byte[] bytes, int offset, int length) {
            seen.append(RecordedLog.linesOf(Arrays.copyOfRange(bytes, offset, offset + length)));
          }
        });
    log.append(0, List.of(bytes("before")));
    log.abandonUnit();
    log.append(0, List.of(bytes("behind")));
    log.endUnit();
    log.abandonUnit(); // without an op: its end is never asked for
    log.append(0, List.of(bytes("next")));
    log.endUnit();
    assertThat(seen).hasToString("[SELECT 0, next]");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest(name = "{0} commands, replayed")
  @ValueSource(
      strings = {
        "list",
        "hash",
        "set",
        "zset",
        "stream",
        "streamgroup",
        "string",
        "bitmap",
        "hyperloglog",
        "geo",
        "key",
        "sort",
        "transaction"
      })
  void randomCommands_replayedGiveTheSameData(String family) throws IOException {
    replayed(family, FamilyTemplates.of(family));
  }

  @Test
  void newerCommands_replayedGiveTheSameData() throws IOException {
    replayed("newer", NEWER);
  }

  private void replayed(String family, List<String> templates) throws IOException {
    Random random = new Random(Long.getLong("kermes.differential.seed", family.hashCode()));
    CommandTemplates commands = new CommandTemplates(random, family, templates);
    try (RecordedLog log = new RecordedLog(first);
        RespSocket client = new RespSocket(first.port())) {
      client.call("SET", "string", "a string");
      client.call("RPUSH", "alist", "a", "b");
      for (int i = 0; i < 3000; i++) {
        for (List<String> command : commands.next()) client.call(command);
      }
      log.replayOn(second);
    }
    assertSameData();
  }

  private void assertSameData() throws IOException {
    assertThat(dataOf(second)).isEqualTo(dataOf(first));
  }

  private static Map<String, String> dataOf(RedisServer server) throws IOException {
    try (RespSocket client = new RespSocket(server.port())) {
      client.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      Map<String, String> data = new TreeMap<>(KeyspaceState.of(client));
      KeyTimes.of(client).forEach((key, time) -> data.put(key + " ends", time));
      return data;
    }
  }

  private static List<String> logOf(RedisServer server, String... commands) throws IOException {
    try (RecordedLog log = new RecordedLog(server);
        RespSocket client = new RespSocket(server.port())) {
      for (String command : commands) client.call(List.of(command.split(" ")));
      List<String> lines = new ArrayList<>(log.lines());
      if (!lines.isEmpty() && lines.get(0).equals("SELECT 0")) lines.remove(0);
      return lines;
    }
  }

  @Test
  void transaction_staysTogether() throws IOException {
    assertThat(logOf(first, "MULTI", "SET a 1", "GET a", "INCR a", "EXEC"))
        .containsExactly("MULTI", "SET a 1", "INCR a", "EXEC");
    assertThat(logOf(first, "MULTI", "SET a 1", "GET a", "EXEC")).containsExactly("SET a 1");
  }

  @Test
  void otherDatabase_isSelectedFirst() throws IOException {
    assertThat(logOf(first, "SET a 1", "SELECT 3", "SET a 2", "SET b 3", "SELECT 0", "GET a"))
        .containsExactly("SET a 1", "SELECT 3", "SET a 2", "SET b 3");
  }

  @Test
  void script_isLoggedByItsEffects() throws IOException {
    try (RecordedLog log = new RecordedLog(first);
        RespSocket client = new RespSocket(first.port())) {
      client.call("EVAL", "redis.call('SET','a',1) redis.call('INCR','a') return 1", "0");
      assertThat(log.lines()).containsExactly("SELECT 0", "MULTI", "SET a 1", "INCR a", "EXEC");
      client.call("EVAL", "return redis.call('get','a')", "0");
      assertThat(log.lines()).hasSize(5);
    }
  }

  @Test
  void blockedClient_isLoggedWhenServed() throws IOException, InterruptedException {
    try (RecordedLog log = new RecordedLog(first);
        RespSocket waiting = new RespSocket(first.port());
        RespSocket client = new RespSocket(first.port())) {
      waiting.send("BLPOP", "list", "0");
      client.awaitInfo("blocked_clients:1");
      client.call("RPUSH", "list", "a", "b");
      waiting.read();
      assertThat(log.lines()).containsExactly("SELECT 0", "RPUSH list a b", "LPOP list");
    }
  }

  @Test
  void message_isForReplicasOnly() throws IOException {
    try (RecordedLog file = new RecordedLog(first);
        RecordedLog replica = new RecordedLog(first, LogSink.REPLICAS);
        RespSocket client = new RespSocket(first.port())) {
      client.call("MULTI");
      client.call("SET", "a", "1");
      client.call("PUBLISH", "channel", "message");
      client.call("EXEC");
      assertThat(file.lines()).containsExactly("SELECT 0", "SET a 1");
      assertThat(replica.lines())
          .containsExactly("SELECT 0", "MULTI", "SET a 1", "PUBLISH channel message", "EXEC");
    }
  }

  @Test
  void script_choosesWhoIsTold() throws IOException {
    String script =
        "redis.call('set', 'a', '1') redis.set_repl(redis.REPL_NONE) redis.call('set', 'b', '2')"
            + "redis.set_repl(redis.REPL_AOF) redis.call('set', 'c', '3')"
            + "redis.set_repl(redis.REPL_REPLICA) redis.call('set', 'd', '4')";
    try (RecordedLog file = new RecordedLog(first);
        RecordedLog replica = new RecordedLog(first, LogSink.REPLICAS);
        RespSocket client = new RespSocket(first.port())) {
      client.call("EVAL", script, "0");
      client.call("SET", "e", "5");
      assertThat(client.call("MGET", "a", "b", "c", "d").toString())
          .isEqualTo("*4[$1:1, $1:2, $1:3, $1:4]");
      assertThat(file.lines())
          .containsExactly("SELECT 0", "MULTI", "set a 1", "set c 3", "EXEC", "SET e 5");
      assertThat(replica.lines())
          .containsExactly("SELECT 0", "MULTI", "set a 1", "set d 4", "EXEC", "SET e 5");
    }
  }

  @Test
  void expiry_isLoggedAsDeletion() throws IOException {
    ManualClock clock = Clock.manual(1_000_000);
    try (RedisServer server = TestServers.with().clock(clock).start();
        RedisServer copy = TestServers.with().clock(clock).start();
        RecordedLog log = new RecordedLog(server);
        RespSocket client = new RespSocket(server.port())) {
      client.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      client.call("SET", "a", "1", "PX", "100");
      client.call("HSET", "h", "f", "1", "g", "2");
      client.call("HPEXPIRE", "h", "100", "FIELDS", "1", "f");
      clock.advance(Duration.ofMillis(200));
      client.call("GET", "a");
      client.call("HGET", "h", "f");
      client.call("SET", "b", "2");
      assertThat(log.lines())
          .containsExactly(
              "SELECT 0",
              "SET a 1 PXAT 1000100",
              "HSET h f 1 g 2",
              "HPEXPIREAT h 1000100 FIELDS 1 f",
              "DEL a",
              "HDEL h f",
              "SET b 2");
      log.replayOn(copy);
      assertThat(dataOf(copy)).isEqualTo(dataOf(server));
    }
  }

  /** The deletions are independent, so that a replica can serve other clients between them. */
  @Test
  void keysThatAreComeAcross_makeNoTransaction() throws IOException {
    ManualClock clock = Clock.manual(1_000_000);
    try (RedisServer server = TestServers.with().clock(clock).start();
        RecordedLog log = new RecordedLog(server);
        RespSocket client = new RespSocket(server.port())) {
      client.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      client.call("SET", "a", "1", "PX", "100");
      client.call("SET", "b", "1", "PX", "100");
      clock.advance(Duration.ofMillis(200));
      client.call("SCAN", "0");
      assertThat(log.lines().subList(3, 5)).containsExactlyInAnyOrder("DEL a", "DEL b");
      assertThat(log.lines()).hasSize(5);
    }
  }

  @Test
  void keysThatMakeRoom_goOneByOne() throws IOException {
    try (RecordedLog log = new RecordedLog(first);
        RespSocket client = new RespSocket(first.port())) {
      for (int i = 0; i < 200; i++) client.call("SET", "key" + i, "x".repeat(1000));
      client.call("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
      client.call("CONFIG", "SET", "maxmemory-eviction-tenacity", "100"); // however long it takes
      client.call("CONFIG", "SET", "maxmemory", "1");
      client.call("SET", "one", "more");
      assertThat(log.lines()).contains("DEL key0", "DEL key199").doesNotContain("MULTI");
    }
  }

  @Test
  void manyPoppedMembers_areRemovedInParts() throws IOException {
    try (RecordedLog log = new RecordedLog(first);
        RespSocket client = new RespSocket(first.port())) {
      String[] sadd = new String[2002];
      for (int i = 0; i < sadd.length; i++) sadd[i] = "" + i;
      sadd[0] = "SADD";
      sadd[1] = "set";
      client.call(sadd);
      client.call("SPOP", "set", "1025");
      List<String> lines = log.lines();
      assertThat(lines.stream().filter(line -> line.startsWith("SREM set ")))
          .extracting(line -> line.split(" ").length - 2)
          .containsExactly(1024, 1);
      assertThat(lines).contains("MULTI", "EXEC");
    }
  }

  @Test
  void lazyDeletions_areCalledUnlink() throws IOException {
    ManualClock clock = Clock.manual(1_000_000);
    try (RedisServer server = TestServers.with().clock(clock).start();
        RecordedLog log = new RecordedLog(server);
        RespSocket client = new RespSocket(server.port())) {
      client.call("CONFIG", "SET", "lazyfree-lazy-expire", "yes");
      client.call("SET", "a", "1", "PX", "100");
      client.call("SADD", "set", "1");
      client.call("SPOP", "set", "5");
      client.call("CONFIG", "SET", "lazyfree-lazy-server-del", "yes");
      client.call("SADD", "set", "1");
      client.call("SPOP", "set", "5");
      clock.advance(Duration.ofMillis(200));
      client.call("GET", "a");
      assertThat(log.lines()).containsSubsequence("DEL set", "UNLINK set", "UNLINK a");
    }
  }

  @Test
  void newConsumer_comesWithWhatItClaims() throws IOException {
    assertThat(
            logOf(
                first,
                "XADD st 1-1 f v",
                "XGROUP CREATE st grp 0",
                "XREADGROUP GROUP grp one STREAMS st >",
                "XREADGROUP GROUP grp two STREAMS st >"))
        .satisfiesExactly(
            add -> assertThat(add).startsWith("XADD"),
            create -> assertThat(create).startsWith("XGROUP CREATE st"),
            multi -> assertThat(multi).isEqualTo("MULTI"),
            claim -> assertThat(claim).startsWith("XCLAIM st grp one"),
            read -> assertThat(read).startsWith("XGROUP SETID st grp 1-1"),
            exec -> assertThat(exec).isEqualTo("EXEC"),
            consumer -> assertThat(consumer).isEqualTo("XGROUP CREATECONSUMER st grp two"));
  }
}
