package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replies of a node, compared with those of a redis-server that is the only node of its cluster.
 */
@Timeout(60)
class ClusterComparisonTest {

  private static final String UNKNOWN = "0".repeat(40);

  /** Two errors have other words as of Redis 8.0, and in Valkey words of its own. */
  private static final boolean HAS_NEW_WORDS =
      RealRedis.release().isSince(8, 0) && !RealRedis.release().isValkey();

  private static RealRedis redis;
  private static KermesCluster cluster;
  private static RespSocket real;
  private static RespSocket ours;
  private static String realId;
  private static String ourId;

  @BeforeAll
  static void start() throws IOException {
    redis =
        RealRedis.startOn(
            Ports.freeForCluster(),
            "--cluster-enabled",
            "yes",
            "--cluster-require-full-coverage",
            "no");
    cluster =
        KermesCluster.builder().masters(1).option("cluster-require-full-coverage", "no").start();
    real = new RespSocket(redis.port());
    ours = new RespSocket(cluster.node(0).port());
    real.call("CLUSTER", "ADDSLOTSRANGE", "0", "12181", "12183", "16383"); // all but that of foo
    ours.call("CLUSTER", "DELSLOTS", "12182");
    real.await("cluster_state:ok", "CLUSTER", "INFO");
    realId = real.call("CLUSTER", "MYID").payload();
    ourId = ours.call("CLUSTER", "MYID").payload();
  }

  @AfterAll
  static void stop() throws IOException {
    real.close();
    ours.close();
    redis.close();
    cluster.close();
  }

  /** Sends the same words to both; {@code <id>} is the id of the node. */
  private static void compare(String... words) throws IOException {
    String expected = ask(real, realId, words);
    assertThat(ask(ours, ourId, words)).as(String.join(" ", words)).isEqualTo(expected);
  }

  private static String ask(RespSocket socket, String id, String... words) throws IOException {
    List<String> own = List.of(words).stream().map(word -> word.replace("<id>", id)).toList();
    return socket.call(own).toString().replace(id, "<id>");
  }

  private static void compareAll(String... lines) throws IOException {
    for (String line : lines) compare(line.split(" "));
  }

  @Test
  void keys() throws IOException {
    compareAll(
        "GET foo",
        "SET foo 1",
        "MGET a b",
        "MGET foo a",
        "MGET a foo",
        "MSET {a}1 x {a}2 y",
        "MGET {a}1 {a}2",
        "DEL {a}1 {b}1",
        "SINTERSTORE {a}d {a}1 b",
        "ZUNION 2 a b",
        "ZUNION 9 a b",
        "SORT {a}1 STORE b",
        "XREAD STREAMS a b 0 0",
        "RENAME a b",
        "SSUBSCRIBE a b",
        "SPUBLISH a m",
        "SPUBLISH foo m",
        "PUBLISH foo m",
        "WATCH a b",
        "WATCH foo",
        "OBJECT ENCODING foo",
        "TOUCH foo",
        "KEYS nothing",
        "DBSIZE");
  }

  @Test
  void databases() throws IOException {
    compareAll(
        "SELECT 0",
        "SELECT 1",
        "SELECT 99",
        "MOVE a 1",
        "SWAPDB 0 1",
        "COPY a {a}1 DB 0",
        "REPLICAOF 127.0.0.1 1",
        "REPLICAOF NO ONE",
        "FAILOVER",
        "READONLY",
        "READWRITE",
        "ASKING",
        "GET a");
    if (HAS_NEW_WORDS) compare("COPY", "a", "{a}1", "DB", "1");
  }

  @Test
  void transactions() throws IOException {
    compareAll("MULTI", "SET a 1", "SET b 1", "EXEC", "EXEC", "MULTI", "SET foo 1", "EXEC");
    compareAll("MULTI", "PING", "SET {a}x 1", "INCR {a}x", "EXEC", "MULTI", "DISCARD", "MULTI");
    compareAll("MGET a b", "DISCARD", "GET {a}x", "DEL {a}x");
  }

  @Test
  void scripts() throws IOException {
    compare("EVAL", "return 1", "0");
    compare("EVAL", "return 1", "1", "foo");
    compare("EVAL", "return 1", "2", "a", "b");
    if (HAS_NEW_WORDS) compare("EVAL", "return redis.call('get', 'foo')", "0");
    compare("EVAL", "return redis.call('get', 'a')", "0");
    compare("EVAL", "return redis.call('get', 'b')", "1", "a");
    if (HAS_NEW_WORDS) compare("EVAL", "return redis.pcall('get', 'foo')['err']", "0");
    compare("EVAL", "#!lua\nreturn redis.call('get', 'b')", "1", "a");
    compare("EVAL", "#!lua\nredis.call('get', 'b'); return redis.call('get', 'a')", "0");
    compare("EVAL", "#!lua flags=allow-cross-slot-keys\nreturn redis.call('get', 'b')", "1", "a");
    compare("EVAL", "#!lua flags=no-cluster\nreturn 1", "0");
  }

  @Test
  void slots() throws IOException {
    compareAll(
        "CLUSTER KEYSLOT somekey",
        "CLUSTER COUNTKEYSINSLOT 0",
        "CLUSTER COUNTKEYSINSLOT x",
        "CLUSTER COUNTKEYSINSLOT -1",
        "CLUSTER GETKEYSINSLOT 0 1",
        "CLUSTER GETKEYSINSLOT 0 -1",
        "CLUSTER GETKEYSINSLOT 16384 1",
        "CLUSTER GETKEYSINSLOT x 1",
        "CLUSTER ADDSLOTS x",
        "CLUSTER ADDSLOTS 16384",
        "CLUSTER ADDSLOTS 1",
        "CLUSTER ADDSLOTS 12182 12182",
        "CLUSTER DELSLOTS 12182",
        "CLUSTER DELSLOTS -1",
        "CLUSTER ADDSLOTSRANGE 5 1",
        "CLUSTER ADDSLOTSRANGE 1 2 3",
        "CLUSTER ADDSLOTSRANGE 1 2",
        "CLUSTER DELSLOTSRANGE 12182 12182",
        "CLUSTER DELSLOTSRANGE 1 x");
  }

  @Test
  void slotStats() throws IOException {
    if (!RealRedis.release().isValkey()) return; // Redis has it since 8.2
    compareAll(
        "CLUSTER SLOT-STATS",
        "CLUSTER SLOT-STATS WHATEVER 1",
        "CLUSTER SLOT-STATS SLOTSRANGE 1",
        "CLUSTER SLOT-STATS SLOTSRANGE 1 2",
        "CLUSTER SLOT-STATS SLOTSRANGE 12181 12183",
        "CLUSTER SLOT-STATS SLOTSRANGE 5 4",
        "CLUSTER SLOT-STATS SLOTSRANGE 0 16384",
        "CLUSTER SLOT-STATS SLOTSRANGE x 1",
        "CLUSTER SLOT-STATS SLOTSRANGE 1 2 3",
        "CLUSTER SLOT-STATS ORDERBY WHATEVER",
        "CLUSTER SLOT-STATS ORDERBY CPU-USEC",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT LIMIT 0",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT LIMIT x",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT LIMIT 1 LIMIT 2",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT ASC DESC",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT LIMIT",
        "CLUSTER SLOT-STATS ORDERBY KEY-COUNT WHATEVER",
        "CLUSTER SLOT-STATS ORDERBY key-count limit 3 asc",
        "CLUSTER SLOT-STATS ORDERBY key-count desc limit 3");
  }

  @Test
  void setslot() throws IOException {
    compareAll(
        "CLUSTER SETSLOT x STABLE",
        "CLUSTER SETSLOT 16384 STABLE",
        "CLUSTER SETSLOT 1 NODE",
        "CLUSTER SETSLOT 1 NODE " + UNKNOWN,
        "CLUSTER SETSLOT 12182 MIGRATING <id>",
        "CLUSTER SETSLOT 1 MIGRATING " + UNKNOWN,
        "CLUSTER SETSLOT 1 IMPORTING <id>",
        "CLUSTER SETSLOT 12182 IMPORTING " + UNKNOWN,
        "CLUSTER SETSLOT 1 STABLE",
        "CLUSTER SETSLOT 1 WHATEVER",
        "CLUSTER SETSLOT 1 NODE <id>");
  }

  @Test
  void nodes() throws IOException {
    compareAll(
        "CLUSTER REPLICAS <id>",
        "CLUSTER SLAVES " + UNKNOWN,
        "CLUSTER REPLICATE <id>",
        "CLUSTER REPLICATE " + UNKNOWN,
        "CLUSTER FORGET <id>",
        "CLUSTER FORGET " + UNKNOWN,
        "CLUSTER FAILOVER",
        "CLUSTER FAILOVER FORCE",
        "CLUSTER FAILOVER WHATEVER",
        "CLUSTER COUNT-FAILURE-REPORTS <id>",
        "CLUSTER COUNT-FAILURE-REPORTS " + UNKNOWN,
        "CLUSTER RESET WHATEVER",
        "CLUSTER SET-CONFIG-EPOCH x",
        "CLUSTER SET-CONFIG-EPOCH -1",
        "CLUSTER LINKS",
        "CLUSTER SAVECONFIG",
        "CLUSTER WHATEVER",
        "CLUSTER");
  }

  @Test
  void occupiedNode_isNotResetOrFlushed() throws IOException {
    compareAll("SET a 1", "CLUSTER RESET", "CLUSTER FLUSHSLOTS", "DEL a");
  }

  @Test
  void views_haveTheSameShape() throws IOException {
    for (String view : List.of("SLOTS", "SHARDS")) {
      assertThat(ours.call("CLUSTER", view).shape().toString())
          .as(view)
          .isEqualTo(real.call("CLUSTER", view).shape().toString());
    }
    assertThat(fields(ours)).containsAll(fields(real));
  }

  private static List<String> fields(RespSocket socket) throws IOException {
    return socket
        .call("CLUSTER", "INFO")
        .payload()
        .lines()
        .map(line -> line.split(":")[0])
        .toList();
  }
}
