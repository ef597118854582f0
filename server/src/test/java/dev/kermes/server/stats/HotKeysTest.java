package dev.kermes.server.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HOTKEYS of Redis 8.6: which keys take most time and traffic. */
final class HotKeysTest extends CommandTest {

  /** SET k v and +OK, as they go over the wire. */
  private static final int SET_BYTES = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n+OK\r\n".length();

  @Test
  void get_tellsTheTrafficOfKeys_theLargestFirst() throws IOException {
    call("SET big " + "x".repeat(1000));
    assertThat(call("HOTKEYS START METRICS 1 NET")).isEqualTo("+OK");
    call("SET k v");
    call("SET k v");
    call("SET l v");
    call("PING");
    call("GET big");
    String get = "*2\r\n$3\r\nGET\r\n$3\r\nbig\r\n$1000\r\n\r\n";
    int big = get.length() + 1000;
    assertThat(net()).containsExactly("big", big, "k", 2 * SET_BYTES, "l", SET_BYTES);
    assertThat(number("total-net-bytes")).isEqualTo(3 * SET_BYTES + big);
    assertThat(number("net-bytes-all-commands-all-slots")).isEqualTo(3 * SET_BYTES + big);
  }

  @Test
  void get_ofNet_hasTheseFields() throws IOException {
    call("HOTKEYS START METRICS 1 NET SAMPLE 1");
    advance(7);
    assertThat(call("HOTKEYS GET"))
        .isEqualTo(
            "*1[*18[$15:tracking-active, :1, $12:sample-ratio, :1,"
                + " $14:selected-slots, *1[*2[:0, :16383]],"
                + " $25:all-commands-all-slots-us, :0,"
                + " $32:net-bytes-all-commands-all-slots, :0,"
                + " $29:collection-start-time-unix-ms, :"
                + START
                + ", $22:collection-duration-ms, :7,"
                + " $15:total-net-bytes, :0, $12:by-net-bytes, *0]]");
  }

  @Test
  void get_inResp3_isAnArrayOfOneMap() throws IOException {
    call("HELLO 3");
    assertThat(call("HOTKEYS GET")).isEqualTo("_");
    assertThat(call("HOTKEYS STOP")).isEqualTo("_");
    call("HOTKEYS START METRICS 2 NET CPU");
    assertThat(call("HOTKEYS GET")).startsWith("*1[%12[$15:tracking-active, :1");
  }

  @Test
  void get_ofCpu_tellsTheTimeOfKeys() throws IOException {
    try (RedisServer timed = TestServers.with().start();
        RespSocket client = new RespSocket(timed.port())) {
      client.call("HOTKEYS", "START", "METRICS", "1", "CPU");
      for (int i = 0; i < 100; i++) client.call("SET", "k", "v");
      String found = client.call("HOTKEYS", "GET").toString();
      assertThat(found).matches(".*by-cpu-time-us, \\*2\\[\\$1:k, :[1-9][0-9]*\\]\\]\\]");
      assertThat(found).matches(".*total-cpu-time-user-ms, :[0-9]+, .*");
      assertThat(found).contains("total-cpu-time-sys-ms, :0,");
      assertThat(found).doesNotContain("by-net-bytes", "total-net-bytes");
    }
  }

  @Test
  void commandOfManyKeys_isDividedAmongThem() throws IOException {
    call("HOTKEYS START METRICS 1 NET");
    call("MSET a 1 b 2");
    List<Object> found = net();
    assertThat(found.get(1)).isEqualTo(found.get(3));
    assertThat(List.of(found.get(0), found.get(2))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void script_countsAsOneCommand_transactionAsItsCommands() throws IOException {
    call("HOTKEYS START METRICS 1 NET");
    socket.call("EVAL", "redis.call('SET', 'inner', 1) return 1", "1", "x");
    call("MULTI");
    call("SET y 1");
    call("EXEC");
    assertThat(net()).hasSize(4).contains("x", "y");
  }

  @Test
  void blockedCommand_countsWhatItGets() throws IOException {
    call("HOTKEYS START METRICS 1 NET");
    try (RespSocket other = new RespSocket(server.port())) {
      other.send("BLPOP", "l", "0");
      socket.awaitInfo("blocked_clients:1\r\n");
      call("RPUSH l " + "x".repeat(500));
      other.read();
    }
    assertThat((int) net().get(1)).isGreaterThan(1000);
  }

  @Test
  void longReply_countsWhole() throws IOException {
    for (int i = 0; i < 100; i++) call("RPUSH l" + " x".repeat(100));
    call("HOTKEYS START METRICS 1 NET");
    call("LRANGE l 0 -1");
    assertThat((int) net().get(1)).isGreaterThan(10_000 * "$1\r\nx\r\n".length());
  }

  @Test
  void sample_looksAtSomeCommands_butCountsAll() throws IOException {
    call("HOTKEYS START METRICS 1 NET SAMPLE 2147483647");
    for (int i = 0; i < 10; i++) call("SET k v");
    assertThat(net()).isEmpty();
    assertThat(number("net-bytes-all-commands-all-slots")).isEqualTo(10L * SET_BYTES);
    assertThat(number("sample-ratio")).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void count_boundsTheKeysTold() throws IOException {
    call("HOTKEYS START METRICS 1 NET COUNT 3");
    for (int i = 0; i < 5000; i++) call("SET k" + i % 700 + " v");
    assertThat(net()).hasSize(6);
  }

  @Test
  void duration_endsItByItself() throws IOException {
    call("HOTKEYS START METRICS 1 NET DURATION 2");
    advance(1999);
    call("SET k v");
    assertThat(number("tracking-active")).isEqualTo(1);
    advance(1000);
    call("SET l v");
    assertThat(number("tracking-active")).isZero();
    assertThat(number("collection-duration-ms")).isEqualTo(2000);
    assertThat(net()).containsExactly("k", SET_BYTES);
    assertThat(call("HOTKEYS STOP")).isEqualTo("$-1");
    assertThat(call("HOTKEYS RESET")).isEqualTo("+OK");
  }

  @Test
  void stop_keepsWhatWasFound_untilResetOrTheNextStart() throws IOException {
    assertThat(call("HOTKEYS STOP")).isEqualTo("$-1");
    assertThat(call("HOTKEYS GET")).isEqualTo("$-1");
    assertThat(call("HOTKEYS RESET")).isEqualTo("+OK");
    call("HOTKEYS START METRICS 1 NET");
    assertThat(call("HOTKEYS START METRICS 1 NET"))
        .isEqualTo("-ERR hotkey tracking session already in progress");
    assertThat(call("HOTKEYS RESET"))
        .isEqualTo("-ERR hotkey tracking session in progress, stop tracking first");
    call("SET k v");
    assertThat(call("HOTKEYS STOP")).isEqualTo("+OK");
    call("SET l v");
    assertThat(net()).containsExactly("k", SET_BYTES);
    call("HOTKEYS START METRICS 1 NET");
    assertThat(net()).isEmpty();
    call("HOTKEYS STOP");
    call("HOTKEYS RESET");
    assertThat(call("HOTKEYS GET")).isEqualTo("$-1");
  }

  @ParameterizedTest
  @CsvSource({
    "'', METRICS parameter is required",
    "METRICS, METRICS parameter is required",
    "COUNT 1 METRICS 1 CPU, METRICS parameter is required",
    "METRICS 0, METRICS count must be > 0 and <= 2",
    "METRICS x CPU, METRICS count must be > 0 and <= 2",
    "METRICS 3 CPU NET, METRICS count must be > 0 and <= 2",
    "METRICS 2 CPU, METRICS count does not match number of metric types provided",
    "METRICS 1 CPU NET, syntax error",
    "METRICS 1 GPU, METRICS no valid metrics passed. Supported: CPU|NET",
    "METRICS 2 CPU cpu, METRICS CPU defined more than once!",
    "METRICS 2 NET net, METRICS NET defined more than once!",
    "METRICS 1 CPU COUNT 65, COUNT must be between 1 and 64",
    "METRICS 1 CPU COUNT x, COUNT must be between 1 and 64",
    "METRICS 1 CPU COUNT, syntax error",
    "METRICS 1 CPU DURATION 0, DURATION must be between 1 and 1000000",
    "METRICS 1 CPU SAMPLE 0, SAMPLE ratio must be positive",
    "METRICS 1 CPU SLOTS 1 0, SLOTS parameter cannot be used in non-cluster mode",
  })
  void start_withAMistake_isRefused(String options, String error) throws IOException {
    assertThat(call(("HOTKEYS START " + options).strip())).isEqualTo("-ERR " + error);
    assertThat(call("HOTKEYS GET")).isEqualTo("$-1");
  }

  @Test
  void start_withAMetricOfLaterVersions_passesItOver() throws IOException {
    assertThat(call("HOTKEYS START METRICS 2 GPU NET")).isEqualTo("+OK");
    assertThat(net()).isEmpty();
  }

  /** The keys and bytes of HOTKEYS GET. */
  private List<Object> net() throws IOException {
    RespReply keys = field("by-net-bytes");
    return keys.elements().stream()
        .map(each -> each.type() == ':' ? (Object) Integer.valueOf(each.text()) : word(each))
        .toList();
  }

  private long number(String name) throws IOException {
    return Long.parseLong(field(name).text());
  }

  private RespReply field(String name) throws IOException {
    List<RespReply> map = socket.call("HOTKEYS", "GET").elements().getFirst().elements();
    for (int i = 0; i < map.size(); i += 2) {
      if (word(map.get(i)).equals(name)) return map.get(i + 1);
    }
    throw new AssertionError("no such field: name=" + name + ", reply=" + map);
  }

  private static String word(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }
}
