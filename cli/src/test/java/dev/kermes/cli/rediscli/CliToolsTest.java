package dev.kermes.cli.rediscli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.Ports;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tools of {@code kermes cli}: --scan, --bigkeys, --pipe and others. */
class CliToolsTest {

  @TempDir private Path folder;
  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.builder().port(0).option("unixsocket", socket()).start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String socket() {
    return folder.resolve("socket").toString();
  }

  private Result cli(String... arguments) {
    return cliWith("", arguments);
  }

  private Result cliWith(String input, String... arguments) {
    List<String> words = new ArrayList<>(List.of("-p", Integer.toString(server.port())));
    words.addAll(List.of(arguments));
    return KermesCli.run(Map.of(), input, words);
  }

  @Test
  void scan_listsTheKeysThatMatch() {
    for (int i = 0; i < 300; i++) cli("SET", (i % 3 == 0 ? "a" : "b") + i, "v");
    assertThat(cli("--scan").out().lines()).hasSize(300);
    Stream<String> some = cli("--scan", "--pattern", "a*", "--count", "7").out().lines();
    assertThat(some).hasSize(100).contains("a0", "a297");
  }

  @Test
  void scan_sameKeysAsRedisCli() throws Exception {
    cliWith("SET plain 1\nSET \"with\\x01 \\xff\" 2\n");
    String port = Integer.toString(server.port());
    for (String form : List.of("--raw", "--no-raw")) {
      Result theirs =
          Programs.installed("redis-tools", "", List.of("redis-cli", "-p", port, form, "--scan"));
      assertThat(cli(form, "--scan").out().lines())
          .containsExactlyInAnyOrderElementsOf(theirs.out().lines().toList());
    }
  }

  @Test
  void scan_ofAMissingServer_fails() throws IOException {
    Result result = cli("-p", Integer.toString(Ports.free()), "--scan");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("Could not connect");
  }

  @Test
  void bigkeys_printsTheLargestKeyOfEachType() {
    cli("SET", "short", "abc");
    cli("SET", "long", "abcdefghij");
    cli("RPUSH", "queue", "1", "2", "3");
    cli("SADD", "tags", "x");
    Result result = cli("--bigkeys");
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .containsPattern("string +2 +13 +6.50 +10 bytes: long\n")
        .containsPattern("list +1 +3 +3.00 +3 items: queue\n")
        .containsPattern("set +1 +1 +1.00 +1 members: tags\n")
        .contains("4 keys seen");
  }

  @Test
  void memkeys_printsTheKeysWithMostMemory() {
    cli("SET", "small", "x");
    cli("SET", "large", "x".repeat(10_000));
    assertThat(cli("--memkeys", "--pattern", "*").out())
        .containsPattern("string +2 .* 1\\d{4} bytes of memory: large\n");
  }

  @Test
  void stat_printsLines() {
    cli("SET", "a", "1");
    cli("-n", "3", "SET", "b", "1");
    List<String> lines = cli("--stat", "-r", "2", "-i", "0.01").out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("keys", "clients", "per second");
    assertThat(lines.get(1)).matches(" +2 .*");
  }

  @Test
  void latency_printsLeastMostMeanAndCount() {
    String[] figures = cli("--raw", "--latency", "-i", "0.05").out().strip().split(" ");
    assertThat(figures).hasSize(4);
    double least = Double.parseDouble(figures[0]);
    double most = Double.parseDouble(figures[1]);
    assertThat(Double.parseDouble(figures[2])).isBetween(least, most);
    assertThat(Integer.parseInt(figures[3])).isPositive();
  }

  @Test
  void pipe_sendsRequestsAndCountsReplies() {
    StringBuilder requests = new StringBuilder();
    for (int i = 10_000; i < 30_000; i++) requests.append("SET key").append(i).append(" v\r\n");
    Result result = cliWith(requests.toString(), "--pipe");
    assertThat(result.out()).contains("errors: 0, replies: 20000");
    assertThat(result.status()).isZero();
    assertThat(cli("DBSIZE").out()).isEqualTo("20000\n");
  }

  @Test
  void pipe_withErrors_fails() {
    Result result = cliWith("*2\r\n$3\r\nGET\r\n$1\r\na\r\nNOSUCH\r\nPING\r\n", "--pipe");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("errors: 1, replies: 3");
    assertThat(result.err()).contains("unknown command");
  }

  @Test
  void pipe_thatBreaksTheProtocol_fails() {
    Result result = cliWith("*1\r\n+nonsense\r\n", "--pipe");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("Error: ");
  }

  @Test
  void eval_runsAFileWithKeysAndArguments() throws IOException {
    Path script = folder.resolve("sum.lua");
    Files.writeString(script, "return {#KEYS, KEYS[1], KEYS[2], #ARGV, ARGV[1]}");
    Result result = cli("--eval", script.toString(), "a", "b", ",", "c");
    assertThat(result.out()).isEqualTo("2\na\nb\n1\nc\n");
    assertThat(cli("--eval", script.toString()).out()).startsWith("0\n");
    assertThat(cli("--eval", "/no/such.lua").status()).isEqualTo(1);
  }

  @Test
  void rdb_savesTheDataSet() throws IOException {
    for (int i = 0; i < 50; i++) cli("SET", "key" + i, "value" + i);
    Path file = folder.resolve("copy.rdb");
    Result result = cli("--rdb", file.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(folder.resolve("copy.rdb.part")).doesNotExist();
    try (RedisServer copy =
        RedisServer.builder()
            .port(0)
            .option("dir", folder.toString())
            .option("dbfilename", "copy.rdb")
            .start()) {
      String port = Integer.toString(copy.port());
      assertThat(KermesCli.run(Map.of(), "", List.of("-p", port, "DBSIZE")).out())
          .isEqualTo("50\n");
    }
  }

  @Test
  void rdb_thatIsRefused_leavesNoFile() {
    cli("CONFIG", "SET", "requirepass", "secret");
    Path file = folder.resolve("copy.rdb");
    Result result = cli("--rdb", file.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("NOAUTH");
    assertThat(folder).isDirectoryNotContaining("glob:**copy*");
  }

  @Test
  void unixSocket_isConnectedTo() {
    assertThat(KermesCli.run(Map.of(), "", List.of("-s", socket(), "PING")).out())
        .isEqualTo("PONG\n");
  }

  @Test
  void askpass_withoutTerminal_isReported() {
    Result result = cli("--askpass", "PING");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("--askpass needs a terminal");
  }

  @Test
  void reconnecting_authenticatesAsBefore() {
    cli("ACL", "SETUSER", "ann", "on", ">pw", "+@all", "~*");
    cli("CONFIG", "SET", "requirepass", "secret");
    String kill = "CLIENT KILL TYPE normal SKIPME no\n";
    Result byDefault = cliWith("AUTH secret\n" + kill + "ACL WHOAMI\n");
    assertThat(byDefault.out()).endsWith("default\n");
    Result byName = cliWith("AUTH ann pw\n" + kill + "ACL WHOAMI\n");
    assertThat(byName.out()).endsWith("ann\n");
    Result byHello = cliWith("HELLO 3 AUTH ann pw\n" + kill + "ACL WHOAMI\n");
    assertThat(byHello.out()).endsWith("ann\n");
  }

  @Test
  void tlsToAPlainPort_isReported() {
    assertThat(cli("--tls", "PING").err()).contains("the server does not speak TLS");
  }

  @Test
  void redirections_areFollowedOnRequest() throws Exception {
    cli("SET", "k", "here");
    for (String kind : List.of("MOVED", "ASK")) {
      String error = "-" + kind + " 7629 127.0.0.1:" + server.port() + "\r\n";
      try (ScriptedPeer member = ScriptedPeer.answering(request -> error)) {
        String port = Integer.toString(member.port());
        Result followed = KermesCli.run(Map.of(), "", List.of("-p", port, "-c", "GET", "k"));
        assertThat(followed.out()).as(kind).isEqualTo("here\n");
        Result printed = KermesCli.run(Map.of(), "", List.of("-p", port, "GET", "k"));
        assertThat(printed.out()).startsWith(kind + " 7629 127.0.0.1:");
      }
    }
  }
}
