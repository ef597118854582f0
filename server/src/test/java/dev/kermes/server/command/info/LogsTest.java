package dev.kermes.server.command.info;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server's records of its own work: SLOWLOG, COMMANDLOG, LATENCY, MONITOR. */
final class LogsTest {

  private final RedisServer server =
      TestServers.with().clock(Clock.manual(1_700_000_000_000L)).start();
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

  @Test
  void slowlog_keepsArgumentsShortened() throws IOException {
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
    client.call("SLOWLOG", "RESET");
    client.call("CLIENT", "SETNAME", "me");
    client.call("SET", "a", "x".repeat(130));
    String[] many = new String[40];
    Arrays.fill(many, "k");
    many[0] = "DEL";
    client.call(many);
    client.call("AUTH", "guess");
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "-1");
    client.call("SET", "not", "seen");
    assertThat(client.call("SLOWLOG", "LEN")).hasToString(":5");
    var entries = client.call("SLOWLOG", "GET", "-1").elements();
    assertThat(entries.get(0).toString()).contains("*2[$4:AUTH, $10:(redacted)]");
    assertThat(entries.get(1).toString()).contains("$22:... (9 more arguments)");
    assertThat(entries.get(2).toString())
        .startsWith("*6[:3, :1700000000, :0, *3[$3:SET, $1:a, $146:xxx")
        .contains("xxx... (2 more bytes)], $")
        .endsWith(", $2:me]");
    assertThat(client.call("SLOWLOG", "GET", "1").elements()).hasSize(1);
    assertThat(client.call("SLOWLOG", "GET", "-2"))
        .hasToString("-ERR count should be greater than or equal to -1");
  }

  @Test
  void slowlog_keepsNoSecrets() throws IOException {
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
    for (String option :
        List.of(
            "masterauth",
            "masteruser",
            "primaryauth",
            "primaryuser",
            "tls-key-file-pass",
            "tls-client-key-file-pass")) {
      assertThat(client.call("CONFIG", "SET", option, "secret")).hasToString("+OK");
    }
    String entries = client.call("SLOWLOG", "GET", "-1").toString();
    assertThat(entries).contains("tls-client-key-file-pass, $10:(redacted)");
    assertThat(entries).doesNotContain("secret");
  }

  @Test
  void slowlog_knowsBlockedCommandsWhenTheyEnd() throws IOException {
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
    client.call("SLOWLOG", "RESET");
    try (RespSocket blocked = new RespSocket(server.port())) {
      blocked.send("BLPOP", "list", "0");
      while (!client.call("INFO", "clients").text().contains("blocked_clients:1")) {
        Thread.onSpinWait();
      }
      assertThat(client.call("SLOWLOG", "GET", "-1").toString()).doesNotContain("BLPOP");
      client.call("RPUSH", "list", "a");
      assertThat(blocked.read()).hasToString("*2[$4:list, $1:a]");
      assertThat(client.call("SLOWLOG", "GET", "-1").toString())
          .containsOnlyOnce("*3[$5:BLPOP, $4:list, $1:0]");
    }
  }

  @Test
  void commandlog_keepsWhatIsLarge() throws IOException {
    client.call(
        "CONFIG",
        "SET",
        "commandlog-request-larger-than",
        "100",
        "commandlog-reply-larger-than",
        "100");
    client.call("SET", "a", "x".repeat(100));
    client.call("GET", "a");
    assertThat(client.call("COMMANDLOG", "LEN", "large-request")).hasToString(":1");
    assertThat(client.call("COMMANDLOG", "GET", "-1", "large-reply").toString())
        .contains(":108, *2[$3:GET, $1:a]");
    client.call("COMMANDLOG", "RESET", "large-request");
    assertThat(client.call("COMMANDLOG", "LEN", "large-request")).hasToString(":0");
    assertThat(client.call("COMMANDLOG", "LEN", "other"))
        .hasToString("-ERR type should be one of the following: slow, large-request, large-reply");
  }

  @Test
  void monitor_showsCommandsButNoSecrets() throws IOException {
    RespSocket monitor = new RespSocket(server.port());
    assertThat(monitor.call("MONITOR")).hasToString("+OK");
    client.call("SET", "a\n", "\"\u0001");
    client.call("HELLO", "2", "AUTH", "default", "guess");
    client.call("CONFIG", "GET", "port");
    client.sendRaw("MULTI\r\nGET a\r\nEXEC\r\n");
    assertThat(monitor.read().toString())
        .matches(
            "\\+1700000000\\.000000 \\[0 127\\.0\\.0\\.1:\\d+] \"SET\" \"a\\\\n\" \"\\\\\"\\\\x01\"");
    assertThat(monitor.read().toString())
        .endsWith("] \"HELLO\" \"2\" \"AUTH\" \"(redacted)\" \"(redacted)\"");
    assertThat(monitor.read().toString()).endsWith("] \"MULTI\"");
    assertThat(monitor.read().toString()).endsWith("] \"GET\" \"a\"");
    assertThat(monitor.read().toString()).endsWith("] \"EXEC\"");
    monitor.close();
  }

  @Test
  void latencyHistogram_countsCalls() throws IOException {
    client.call("CONFIG", "RESETSTAT");
    client.call("SET", "a", "1");
    client.call("SET", "a", "2");
    client.call("CLIENT", "ID");
    // The clock is manual: no command takes any time.
    assertThat(client.call("LATENCY", "HISTOGRAM", "set", "client", "nosuch"))
        .hasToString(
            "*4[$3:set, *4[$5:calls, :2, $14:histogram_usec, *2[:1, :2]], $9:client|id,"
                + " *4[$5:calls, :1, $14:histogram_usec, *2[:1, :1]]]");
    assertThat(client.call("INFO", "latencystats").text())
        .contains("latency_percentiles_usec_set:p50=0.001,p99=0.001,p99.9=0.001\r\n");
  }

  @Test
  void latency_withoutSpikes_isEmpty() throws IOException {
    assertThat(client.call("LATENCY", "LATEST")).hasToString("*0");
    assertThat(client.call("LATENCY", "HISTORY", "command")).hasToString("*0");
    assertThat(client.call("LATENCY", "RESET")).hasToString(":0");
    assertThat(client.call("LATENCY", "GRAPH", "command"))
        .hasToString("-ERR No samples available for event 'command'");
  }
}
