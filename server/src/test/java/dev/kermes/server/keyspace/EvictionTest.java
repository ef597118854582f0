package dev.kermes.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.Engines;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** maxmemory: what is evicted when there is no room, and how memory is accounted for. */
final class EvictionTest {

  private static final String VALUE = "x".repeat(1000);

  private final ManualClock clock = Clock.manual(1_700_000_000_000L);
  private final RedisServer server = TestServers.with().clock(clock).seed(7).start();
  private RespSocket client;

  @BeforeEach
  void connect() throws IOException {
    client = new RespSocket(server.port());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private long info(String name) throws IOException {
    String text = client.call("INFO").text();
    String line =
        text.lines().filter(each -> each.startsWith(name + ":")).findFirst().orElseThrow();
    return Long.parseLong(line.substring(name.length() + 1));
  }

  private void limitTo(long moreBytes, String policy) throws IOException {
    long limit = info("used_memory") + moreBytes;
    client.call("CONFIG", "SET", "maxmemory-policy", policy, "maxmemory", Long.toString(limit));
  }

  @Test
  void noeviction_refusesWhatNeedsMemory() throws IOException {
    String large = VALUE.repeat(4); // more than the client's buffers may grow
    client.call("SET", "a", large);
    limitTo(-1, "noeviction");
    String refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
    assertThat(client.call("SET", "b", "1")).hasToString(refusal);
    assertThat(client.call("GET", "a")).hasToString("$4000:" + large);
    assertThat(client.call("DEL", "a")).hasToString(":1");
    assertThat(client.call("SET", "b", "1")).hasToString("+OK");
  }

  @Test
  void noeviction_freesWhatHasExpired_beforeItRefuses() throws IOException {
    Engines.of(server).keyspace().withLock(() -> Engines.of(server).activeExpiry().on(false));
    for (int i = 0; i < 100; i++) client.call("SET", "due:" + i, VALUE, "PX", "50");
    clock.advance(Duration.ofMillis(60));
    Engines.of(server)
        .keyspace()
        .withLock(() -> {
          Engines.of(server).pauseCron(true);
          Engines.of(server).activeExpiry().on(true);
        });
    limitTo(-1, "noeviction");
    assertThat(client.call("SET", "b", "1")).hasToString("+OK");
  }

  private void fillHeap() throws IOException {
    long limit = info("used_memory") - 1;
    Engines.of(server)
        .keyspace()
        .withLock(() -> Engines.of(server).keyspace().memory().heapLimit(limit));
  }

  @ParameterizedTest
  @ValueSource(strings = {"noeviction", "allkeys-lru"})
  void fullHeap_refusesWhatNeedsMemory_evictsNothing(String policy) throws IOException {
    client.call("CONFIG", "SET", "maxmemory-policy", policy);
    client.call("SET", "a", VALUE);
    fillHeap();
    assertThat(client.call("SET", "b", "1").text())
        .startsWith("OOM command not allowed when used memory > the limit of the heap")
        .contains("-Xmx");
    assertThat(client.call("MEMORY", "DOCTOR").text()).contains("-Xmx");
    assertThat(client.call("GET", "a")).hasToString("$1000:" + VALUE);
    assertThat(info("maxmemory")).isZero();
    assertThat(info("evicted_keys")).isZero();
    assertThat(client.call("DEL", "a")).hasToString(":1");
    assertThat(client.call("SET", "b", "1")).hasToString("+OK");
  }

  @Test
  void fullHeap_belowMaxmemory_evictsIfThePolicyDoes() throws IOException {
    limitTo(1_000_000_000, "allkeys-lru");
    client.call("SET", "a", VALUE);
    fillHeap();
    assertThat(client.call("SET", "b", VALUE)).hasToString("+OK");
    assertThat(info("evicted_keys")).isPositive();
    client.call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
    assertThat(client.call("SET", "c", VALUE.repeat(9))).hasToString("+OK");
    assertThat(client.call("SET", "d", "1").text())
        .startsWith("OOM command not allowed when used memory > the limit of the heap");
  }

  @Test
  void fullHeap_refusesFlaggedScripts_namingTheHeap() throws IOException {
    client.call("SET", "a", VALUE);
    fillHeap();
    assertThat(client.call("EVAL", "#!lua\nreturn 1", "0").text())
        .startsWith("OOM allow-oom flag is not set on the script")
        .contains("-Xmx")
        .doesNotContain("'maxmemory'\r");
    client.call("CONFIG", "SET", "maxmemory", "1");
    assertThat(client.call("EVAL", "#!lua\nreturn 1", "0"))
        .hasToString(
            "-OOM allow-oom flag is not set on the script, can not run it when used memory >"
                + " 'maxmemory'");
  }

  @Test
  void fullHeap_refusesTransactionsAndScripts() throws IOException {
    client.call("SET", "a", VALUE);
    fillHeap();
    client.call("MULTI");
    assertThat(client.call("SET", "b", "1").text()).startsWith("OOM ");
    assertThat(client.call("EXEC").text()).startsWith("EXECABORT ");
    assertThat(client.call("EVAL", "return redis.call('SET', 'b', 1)", "0").text())
        .startsWith("OOM ")
        .contains("-Xmx");
    assertThat(client.call("EXISTS", "b")).hasToString(":0");
  }

  @Test
  void fullHeap_isSeenWithinAMebibyteOfInput() throws IOException {
    client.call("SET", "a", VALUE);
    long limit = info("used_memory") + 10_000;
    Engines.of(server)
        .keyspace()
        .withLock(() -> Engines.of(server).keyspace().memory().heapLimit(limit));
    int taken = 0;
    while (client.call("SET", "key:" + taken, VALUE).toString().equals("+OK")) taken++;
    assertThat(taken).isBetween(5, 1100); // the clock is manual: no check is due by time
  }

  @ParameterizedTest
  @ValueSource(strings = {"allkeys-lru", "allkeys-lfu", "allkeys-random", "allkeys-lrm"})
  void allkeys_staysWithinTheLimit(String policy) throws IOException {
    limitTo(100_000, policy);
    long limit = info("maxmemory");
    for (int i = 0; i < 300; i++) client.call("SET", "key:" + i, VALUE);
    assertThat(info("used_memory")).isLessThan(limit + 3000);
    assertThat(info("evicted_keys")).isBetween(150L, 299L);
    assertThat(info("evicted_keys") + Long.parseLong(client.call("DBSIZE").text())).isEqualTo(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl", "volatile-lrm"})
  void volatile_leavesKeysThatDoNotExpire(String policy) throws IOException {
    for (int i = 0; i < 50; i++) client.call("SET", "lasting:" + i, VALUE);
    limitTo(50_000, policy);
    for (int i = 0; i < 200; i++) client.call("SET", "fleeting:" + i, VALUE, "EX", "1000");
    assertThat(info("evicted_keys")).isGreaterThan(100);
    for (int i = 0; i < 50; i++) {
      assertThat(client.call("EXISTS", "lasting:" + i)).hasToString(":1");
    }
  }

  @Test
  void lru_keepsWhatIsUsed() throws IOException {
    for (int i = 0; i < 50; i++) client.call("SET", "old:" + i, VALUE);
    clock.advance(Duration.ofSeconds(100));
    for (int i = 0; i < 25; i++) client.call("GET", "old:" + i);
    clock.advance(Duration.ofSeconds(100));
    limitTo(100, "allkeys-lru");
    client.call("CONFIG", "SET", "maxmemory-samples", "64");
    for (int i = 0; i < 20; i++) client.call("SET", "new:" + i, VALUE);
    int kept = 0;
    for (int i = 0; i < 25; i++)
      kept += client.call("EXISTS", "old:" + i).toString().equals(":1") ? 1 : 0;
    assertThat(kept).isEqualTo(25);
  }

  @Test
  void lfu_countsUses_andForgetsThem() throws IOException {
    client.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu", "lfu-log-factor", "0");
    client.call("SET", "a", "1");
    assertThat(client.call("OBJECT", "FREQ", "a")).hasToString(":5");
    for (int i = 0; i < 10; i++) client.call("GET", "a");
    assertThat(client.call("OBJECT", "FREQ", "a")).hasToString(":15");
    clock.advance(Duration.ofMinutes(4));
    assertThat(client.call("OBJECT", "FREQ", "a")).hasToString(":11");
    assertThat(client.call("OBJECT", "IDLETIME", "a").toString())
        .startsWith("-ERR An LFU maxmemory policy is selected, idle time not tracked.");
  }

  @Test
  void debugObject_tellsWhenAKeyWasUsed() throws IOException {
    client.call("SET", "a", "1");
    String used = client.call("DEBUG", "OBJECT", "a").text();
    clock.advance(Duration.ofSeconds(3));
    assertThat(client.call("DEBUG", "OBJECT", "a").text()).endsWith(" lru_seconds_idle:3");
    client.call("CLIENT", "NO-TOUCH", "ON");
    client.call("TOUCH", "a");
    assertThat(client.call("DEBUG", "OBJECT", "a").text())
        .endsWith(" lru_seconds_idle:0")
        .isNotEqualTo(used);
  }

  @Test
  void flushall_insideMulti_freesNothingInTheBackground() throws IOException {
    client.call("SET", "a", "1");
    client.call("MULTI");
    client.call("FLUSHALL");
    client.call("EXEC");
    assertThat(client.call("INFO", "memory").text()).contains("lazyfreed_objects:0\r\n");
    client.call("SET", "a", "1");
    client.call("FLUSHALL");
    assertThat(client.call("INFO", "memory").text()).contains("lazyfreed_objects:1\r\n");
  }

  @Test
  void sortStore_longList_isAQuicklist() throws IOException {
    client.call("CONFIG", "SET", "list-max-listpack-size", "2");
    client.call("RPUSH", "l", "3", "1", "2");
    client.call("SORT", "l", "STORE", "d");
    assertThat(client.call("OBJECT", "ENCODING", "d")).hasToString("$9:quicklist");
  }

  @Test
  @DisplayName("client tracking don't cause eviction feedback loop")
  void invalidations_areNoReasonToEvict() throws IOException {
    client.call("CONFIG", "SET", "maxmemory-eviction-tenacity", "100");
    client.call("CONFIG", "SET", "maxmemory-clients", "100mb");
    for (int i = 0; i < 200; i++) client.call("SET", "x".repeat(1000) + i, "1");
    List<RespSocket> readers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RespSocket reader = new RespSocket(server.port());
      reader.call("HELLO", "3");
      reader.call("CLIENT", "TRACKING", "ON", "BCAST");
      readers.add(reader);
    }
    limitTo(-20_000, "allkeys-lru");
    assertThat(client.call("DBSIZE").toString()).matches(":1[789]\\d");
    for (RespSocket reader : readers) reader.close();
  }

  @Test
  @DisplayName("Clients are evicted before keys are")
  void clients_goBeforeKeys() throws IOException {
    client.call("CLIENT", "NO-EVICT", "ON");
    for (int i = 0; i < 100; i++) client.call("SETRANGE", "k" + i, "9999", "x");
    limitTo(1_500_000, "allkeys-lru");
    client.call("CONFIG", "SET", "maxmemory-clients", "500kb");
    List<RespSocket> subscribers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RespSocket subscriber = new RespSocket(server.port());
      subscriber.call("SUBSCRIBE", "c");
      subscribers.add(subscriber);
    }
    String message = "x".repeat(300_000);
    while (info("evicted_clients") < 4) client.call("PUBLISH", "c", message);
    assertThat(info("evicted_keys")).isZero();
    for (RespSocket subscriber : subscribers) subscriber.close();
  }

  @Test
  @DisplayName("Small integers are shared where Redis would share them")
  void refcount_ofSmallIntegers() throws IOException {
    String shared = ":2147483647";
    for (String value : List.of("0", "7", "9999")) {
      client.call("SET", "k", value);
      assertThat(client.call("OBJECT", "REFCOUNT", "k")).hasToString(shared);
    }
    for (String value : List.of("10000", "-1", "01", "1.0", "a", "")) {
      client.call("SET", "k", value);
      assertThat(client.call("OBJECT", "REFCOUNT", "k")).as(value).hasToString(":1");
    }
    client.call("SET", "k", "1");
    limitTo(1 << 20, "allkeys-random");
    assertThat(client.call("OBJECT", "REFCOUNT", "k")).hasToString(shared);
    for (String policy : List.of("allkeys-lru", "volatile-lfu", "allkeys-lrm")) {
      limitTo(1 << 20, policy);
      assertThat(client.call("OBJECT", "REFCOUNT", "k")).as(policy).hasToString(":1");
    }
  }

  @Test
  void evicted_isPublished() throws IOException {
    client.call("CONFIG", "SET", "notify-keyspace-events", "Ee");
    RespSocket subscriber = new RespSocket(server.port());
    subscriber.call("SUBSCRIBE", "__keyevent@0__:evicted");
    client.call("SET", "a", VALUE);
    limitTo(-1, "allkeys-lru");
    client.call("SET", "b", "1");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $22:__keyevent@0__:evicted, $1:a]");
    subscriber.close();
  }

  @Test
  void account_returnsToWhatItWas() throws IOException {
    client.call("SET", "kept", "x"); // a database without keys counts as nothing
    long before = info("used_memory_dataset");
    for (int i = 0; i < 1000; i++) {
      String text = VALUE + i;
      client.call("SET", "string", text);
      client.call("RPUSH", "list", text);
      client.call("SADD", "set", text);
      client.call("HSET", "hash", text, text);
      client.call("ZADD", "zset", "1", text);
      client.call("XADD", "stream", "*", "field", text);
    }
    assertThat(info("used_memory_dataset") - before).isBetween(6_000_000L, 9_000_000L);
    client.call("DEL", "string", "list", "set", "hash", "zset", "stream");
    assertThat(info("used_memory_dataset")).isBetween(before, before + 1000);
  }
}
