package dev.kermes.server.command.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.rdb.Crc64;
import dev.kermes.server.rdb.DumpSamples;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.comparison.CliLine;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DUMP and RESTORE, on our server and between it and a redis-server. */
final class DumpTest extends CommandTest {

  private static final int COMMANDS = 1500;
  private static final int VERSION_REDIS_7_0 = 10;

  private static RealRedis redis;

  @BeforeAll
  static void startRedis() throws IOException, InterruptedException {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"string", "bitmap", "hyperloglog", "list", "set", "hash", "zset", "geo", "stream"})
  void values_movedToRedisAndBack_areAsBefore(String family) throws IOException {
    try (RespSocket their = new RespSocket(redis.port())) {
      their.call("FLUSHALL");
      fill(family);
      Map<String, String> before = KeyspaceState.of(socket);
      assertThat(before).isNotEmpty();
      move(socket, their);
      assertThat(KeyspaceState.of(their)).isEqualTo(before);
      call("FLUSHALL");
      move(their, socket);
      assertThat(KeyspaceState.of(socket)).isEqualTo(before);
    }
  }

  /** The expected values come from Redis 7.0. */
  @ParameterizedTest
  @MethodSource("formsOfRedis")
  void earlierForms_areReadAsRedisReadsThem(Map.Entry<String, byte[]> sample) throws IOException {
    String dump = new String(sample.getValue(), ISO_8859_1);
    try (RespSocket their = new RespSocket(redis.port())) {
      assertThat(their.call("RESTORE", "k", "0", dump, "REPLACE")).hasToString("+OK");
      assertThat(socket.call("RESTORE", "k", "0", dump)).hasToString("+OK");
      assertThat(KeyspaceState.describe(socket, "k")).isEqualTo(KeyspaceState.describe(their, "k"));
    }
  }

  static Stream<Map.Entry<String, byte[]>> formsOfRedis() {
    return DumpSamples.all().entrySet().stream()
        .filter(each -> DumpSamples.version(each.getValue()) <= VERSION_REDIS_7_0);
  }

  private void fill(String family) throws IOException {
    CommandTemplates templates =
        new CommandTemplates(new Random(1), family, FamilyTemplates.of(family));
    for (int sent = 0; sent < COMMANDS; sent++) {
      for (List<String> command : templates.next()) {
        if (!CommandTemplates.waits(command)) socket.call(command);
      }
    }
  }

  private static void move(RespSocket from, RespSocket to) throws IOException {
    for (RespReply name : from.call("KEYS", "*").elements()) {
      String key = payload(name);
      String ttl = from.call("PTTL", key).text();
      String dump = payload(from.call("DUMP", key));
      RespReply reply = to.call("RESTORE", key, ttl.startsWith("-") ? "0" : ttl, dump);
      assertThat(reply.toString()).as(key).isEqualTo("+OK");
    }
  }

  private static String payload(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }

  // Forms that Redis 7.0 does not know

  @Test
  void fieldsThatExpire_comeBackWithTheirTimes() throws IOException {
    call("HSET h a 1 b 2 c 3");
    call("HPEXPIREAT h 4102444800000 FIELDS 2 a c");
    restoreAs("copy", dump("h"));
    assertThat(call("HPEXPIRETIME copy FIELDS 3 a b c"))
        .isEqualTo("*3[:4102444800000, :-1, :4102444800000]");
    assertThat(call("OBJECT ENCODING copy")).isEqualTo("$10:listpackex");
  }

  @Test
  void arrays_comeBackWithTheirHoles() throws IOException {
    call("ARSET a 0 x");
    call("ARSET a 5 -7");
    call("ARSET a 18446744073709551614 last");
    restoreAs("copy", dump("a"));
    assertThat(call("ARCOUNT copy")).isEqualTo(":3");
    assertThat(call("ARMGET copy 0 4 5 18446744073709551614"))
        .isEqualTo("*4[$1:x, $-1, $2:-7, $4:last]");
  }

  @Test
  void entriesGivenBack_comeBackAsThat() throws IOException {
    call("XADD s 1-1 a b");
    call("XADD s IDMP p i 2-1 a b");
    call("XGROUP CREATE s g 0");
    call("XREADGROUP GROUP g c STREAMS s >");
    call("XNACK s g FAIL IDS 1 1-1");
    String facts = call("XINFO STREAM s FULL");
    restoreAs("copy", dump("s"));
    assertThat(call("XINFO STREAM copy FULL")).isEqualTo(facts);
  }

  private String dump(String key) throws IOException {
    return payload(socket.call("DUMP", key));
  }

  private void restoreAs(String key, String dump) throws IOException {
    assertThat(socket.call("RESTORE", key, "0", dump).toString()).isEqualTo("+OK");
  }

  // Options and mistakes

  @Test
  void dumpOfALaterVersion_isTakenIfAskedTo() throws IOException {
    call("SET a 1");
    byte[] dump = dump("a").getBytes(ISO_8859_1);
    dump[dump.length - 10] = (byte) 222;
    long sum = Crc64.of(dump, dump.length - 8);
    for (int i = 0; i < 8; i++) dump[dump.length - 8 + i] = (byte) (sum >> 8 * i);
    String later = new String(dump, ISO_8859_1);
    assertThat(socket.call("RESTORE", "b", "0", later).toString())
        .isEqualTo("-ERR DUMP payload version or checksum are wrong");
    assertThat(call("CONFIG SET rdb-version-check loose")).startsWith("-ERR CONFIG SET failed");
    call("CONFIG SET rdb-version-check relaxed");
    restoreAs("b", later);
    assertThat(call("GET b")).isEqualTo("$1:1");
    call("CONFIG SET rdb-version-check strict");
  }

  @Test
  void absentKey_hasNoDump() throws IOException {
    assertThat(call("DUMP none")).isEqualTo("$-1");
  }

  @Test
  void restore_overAnotherKey_needsReplace() throws IOException {
    call("SET a new");
    call("SET b old");
    String dump = dump("a");
    assertThat(socket.call("RESTORE", "b", "0", dump).toString())
        .isEqualTo("-BUSYKEY Target key name already exists.");
    assertThat(socket.call("RESTORE", "b", "0", dump, "REPLACE").toString()).isEqualTo("+OK");
    assertThat(call("GET b")).isEqualTo("$3:new");
  }

  @Test
  void restore_setsTheTimeToLive() throws IOException {
    call("RPUSH l a");
    String dump = dump("l");
    socket.call("RESTORE", "relative", "5000", dump);
    socket.call("RESTORE", "absolute", Long.toString(START + 7000), dump, "ABSTTL");
    assertThat(call("PTTL relative")).isEqualTo(":5000");
    assertThat(call("PTTL absolute")).isEqualTo(":7000");
    advance(6000);
    assertThat(call("EXISTS relative absolute")).isEqualTo(":1");
  }

  @Test
  void restore_ofWhatHasExpired_leavesNothing() throws IOException {
    call("SET a 1");
    String dump = dump("a");
    String past = Long.toString(START - 1);
    assertThat(socket.call("RESTORE", "b", past, dump, "ABSTTL").toString()).isEqualTo("+OK");
    assertThat(socket.call("RESTORE", "a", past, dump, "ABSTTL", "REPLACE").toString())
        .isEqualTo("+OK");
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void restore_setsWhatThePolicyAsksFor() throws IOException {
    call("SET a 1");
    String dump = dump("a");
    socket.call("RESTORE", "b", "0", dump, "IDLETIME", "1000");
    assertThat(call("OBJECT IDLETIME b")).isEqualTo(":1000");
    call("CONFIG SET maxmemory-policy allkeys-lfu");
    socket.call("RESTORE", "c", "0", dump, "FREQ", "100");
    assertThat(call("OBJECT FREQ c")).isEqualTo(":100");
  }

  @Test
  void restore_withMistakes_repliesAsRedisDoes() throws IOException {
    call("SET a 1");
    String dump = dump("a");
    List<List<String>> mistakes =
        List.of(
            List.of("RESTORE", "b", "0"),
            List.of("RESTORE", "b", "x", dump),
            List.of("RESTORE", "b", "-1", dump),
            List.of("RESTORE", "b", "0", dump, "NOSUCH"),
            List.of("RESTORE", "b", "0", dump, "IDLETIME"),
            List.of("RESTORE", "b", "0", dump, "IDLETIME", "-1"),
            List.of("RESTORE", "b", "0", dump, "IDLETIME", "x"),
            List.of("RESTORE", "b", "0", dump, "FREQ", "256"),
            List.of("RESTORE", "b", "0", dump, "FREQ", "1", "IDLETIME", "1"),
            List.of("RESTORE", "b", "0", ""),
            List.of("RESTORE", "b", "0", "short"),
            List.of("RESTORE", "b", "0", dump + "x"),
            List.of("RESTORE", "b", "0", dump.substring(1)));
    try (RespSocket their = new RespSocket(redis.port())) {
      their.call("FLUSHALL");
      for (List<String> mistake : mistakes) {
        assertThat(socket.call(mistake).toString())
            .as(CliLine.of(mistake))
            .isEqualTo(their.call(mistake).toString())
            .startsWith("-");
      }
    }
  }

  @Test
  void hashTagsAndSecrets_inManyKeys_keepTheirNames() throws IOException {
    List<String> names = new ArrayList<>(List.of("", "\0\r\n", "ÿ", "a b"));
    for (String name : names) socket.call("SET", name, name + "'s");
    for (String name : names) {
      String dump = dump(name);
      socket.call("DEL", name);
      restoreAs(name, dump);
      assertThat(payload(socket.call("GET", name))).isEqualTo(name + "'s");
    }
  }
}
