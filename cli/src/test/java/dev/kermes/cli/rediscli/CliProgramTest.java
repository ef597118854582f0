package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.reply.ReplyFormat;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs ours and the installed redis-cli against the same server and expects the same bytes. */
class CliProgramTest {

  /** redis-cli 7 prints it before the reply to SUBSCRIBE even without a terminal. */
  private static final String ONLY_BEFORE_8 = "Reading messages... (press Ctrl-C to quit)\n";

  /** Without DEBUG PROTOCOL bignum and attrib: redis-cli 7.0 fails on their replies in RESP3. */
  private static final String LINES =
      """
      SET a "x\\x00y\\n\\\\ \\" \\xff\\a"
      GET a
      GET missing
      INCR n
      LPUSH l 1 2 3 4 5 6 7 8 9 10 11
      LRANGE l 0 -1
      HSET h f v g 'it'\\''s'
      HGETALL h
      SADD s a
      SMEMBERS s
      ZADD z 1.5 a 2 b
      ZRANGE z 0 -1 WITHSCORES
      ZSCORE z a
      ZMSCORE z a x
      NOSUCH a b
      GET
      LPOP h
      MULTI
      SET q 1
      GET q
      BADONE
      EXEC
      MULTI
      LRANGE l 0 1
      HGETALL h
      GET a
      LPUSH h 1
      EXEC
      DISCARD
      KEYS nothing*
      SCAN 0 COUNT 100 MATCH h
      CONFIG GET maxclients
      CONFIG GET nosuch
      DEBUG PROTOCOL string
      DEBUG PROTOCOL true
      DEBUG PROTOCOL verbatim
      DEBUG PROTOCOL null
      DEBUG PROTOCOL double
      DEBUG PROTOCOL map
      DEBUG PROTOCOL set
      DEBUG PROTOCOL array
      'a\\'b' "un
      GET "a"b
      GET 'a'b
      ECHO 'a\\\\n\\''
      ECHO "\\x4g\\x41"
      ECHO foo"bar baz"
      ECHO 'x\\'
      ECHO "\\"
      ECHO "a\u2003b"
      ECHO a\u00a0b
      \s

      0 PING
      3 PING x
      99999999999999999999 PING x
      -1 PING x
      SELECT 3
      SELECT 99
      SET k \u00e9
      GET k
      SELECT 0
      CLIENT SETNAME x
      SUBSCRIBE
      HELLO 9
      ECHO "\\r\\t\\b"
      OBJECT ENCODING l
      TYPE z
      XADD st 1-1 a b
      XRANGE st - +
      INFO nosuch
      connect localhost 1x
      PING
      quit
      PING
      """;

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    ours("FLUSHALL");
  }

  private static Result ours(String... arguments) {
    return oursWith(Map.of(), "", arguments);
  }

  private static Result oursWith(
      Map<String, String> environment, String input, String... arguments) {
    return KermesCli.run(environment, input, withPort(arguments));
  }

  private static Result theirs(String input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("redis-cli"));
    command.addAll(withPort(arguments));
    return Programs.installed("redis-tools", input, command);
  }

  private static List<String> withPort(String... arguments) {
    List<String> words = new ArrayList<>(List.of("-p", Integer.toString(server.port())));
    words.addAll(List.of(arguments));
    return words;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--no-raw",
        "--raw",
        "--csv",
        "--json -2",
        "--json",
        "-3 --no-raw",
        "-3 --raw",
        "-3 --csv",
        "-3 --json",
        "-n 5",
        "-e"
      })
  void lines_sameBytesAsRedisCli(String options) throws Exception {
    String lines = LINES.replace("connect localhost 1x\n", "");
    Result theirs = theirs(lines, options.split(" "));
    empty();
    Result ours = oursWith(Map.of(), lines, options.split(" "));
    assertThat(ours.out()).isEqualTo(theirs.out().replace(ONLY_BEFORE_8, ""));
    assertThat(ours.err()).isEqualTo(theirs.err());
    assertThat(ours.status()).isEqualTo(theirs.status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PING",
        "NOSUCH",
        "-e NOSUCH",
        "-e PING",
        "-r 3 -i 0.01 PING",
        "-r 0 PING",
        "-r -1 -e NOSUCH",
        "-x SET x",
        "-x ECHO",
        "-a wrong PING",
        "-a wrong --no-auth-warning PING",
        "--user u --pass p PING",
        "-n 3 SET a b",
        "-n 99 PING",
        "--no-raw INFO nosuch",
        "INFO nosuch",
        "QUIT",
        "GET",
        "-3 --no-raw HELLO",
        "--no-raw CLIENT GETNAME",
        "-h no.such.host.invalid PING"
      })
  void command_sameBytesAndStatusAsRedisCli(String arguments) throws Exception {
    Result theirs = theirs("from stdin\n", arguments.split(" "));
    Result ours = oursWith(Map.of(), "from stdin\n", arguments.split(" "));
    // Only the connection's number differs.
    assertThat(ours.out().replaceAll("integer. \\d+", "#"))
        .isEqualTo(theirs.out().replaceAll("integer. \\d+", "#"));
    assertThat(ours.err()).isEqualTo(theirs.err());
    assertThat(ours.status()).isEqualTo(theirs.status());
  }

  @Test
  void bigNumber_isShown() {
    assertThat(ours("-3", "--no-raw", "DEBUG", "PROTOCOL", "bignum").out())
        .isEqualTo("(bignum) 1234567999999999999999999999999999999\n");
  }

  @Test
  void attribute_isOmitted() {
    assertThat(ours("-3", "--no-raw", "DEBUG", "PROTOCOL", "attrib").out())
        .isEqualTo("\"Some real reply following the attribute\"\n");
  }

  @Test
  void url_namesDatabaseAndPassword() {
    String place = "127.0.0.1:" + server.port();
    Result result = ours("--no-raw", "-u", "redis://" + place + "/2", "CLIENT", "INFO");
    assertThat(result.out()).contains(" db=2 ");
    assertThat(ours("-u", "redis://:p@" + place, "PING").err())
        .contains("Warning: Using a password")
        .contains("AUTH failed: ");
  }

  @Test
  void url_unknownScheme_isOneLine() {
    Result result = ours("-u", "ftp://x", "PING");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).startsWith("kermes: unknown scheme: ftp").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--bogus",
        "-p",
        "-p x PING",
        "-p 0 PING",
        "-p 65536 PING",
        "-r x PING",
        "-i -1 PING",
        "-i NaN PING",
        "-n -1 PING",
        "-n 99999999999 PING",
        "-"
      })
  void option_wrong_isOneLineAndStatusOne(String arguments) {
    Result result = KermesCli.run(Map.of(), "", List.of(arguments.split(" ")));
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("kermes: ").hasLineCount(1);
  }

  @Test
  void environment_passwordWithoutWarning() {
    try (RedisServer locked = RedisServer.builder().port(0).option("requirepass", "p").start()) {
      List<String> words = List.of("-p", Integer.toString(locked.port()), "PING");
      assertThat(KermesCli.run(Map.of("REDISCLI_AUTH", "p"), "", words))
          .isEqualTo(new Result(0, "PONG\n", ""));
      assertThat(KermesCli.run(Map.of(), "", words).out()).startsWith("NOAUTH ");
    }
  }

  @Test
  void subscribe_printsMessagesUntilTheServerCloses() throws Exception {
    try (RedisServer own = RedisServer.start()) {
      String port = Integer.toString(own.port());
      var subscriber =
          new Object() {
            Result result = new Result(-1, "", "");
          };
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  subscriber.result =
                      KermesCli.run(
                          Map.of(), "", List.of("-p", port, "--no-raw", "SUBSCRIBE", "a")));
      while (!KermesCli.run(Map.of(), "", List.of("-p", port, "PUBLISH", "a", "hello"))
          .out()
          .equals("1\n")) {
        Thread.onSpinWait();
      }
      KermesCli.run(Map.of(), "", List.of("-p", port, "SHUTDOWN"));
      thread.join();
      assertThat(subscriber.result.out())
          .isEqualTo(
              """
              1) "subscribe"
              2) "a"
              3) (integer) 1
              1) "message"
              2) "a"
              3) "hello"
              """);
      assertThat(subscriber.result.err()).isEqualTo("Error: Server closed the connection\n");
      assertThat(subscriber.result.status()).isEqualTo(1);
    }
  }

  @Test
  void lines_connectGoesToAnotherServer() {
    try (RedisServer other = RedisServer.start()) {
      String lines = "SET here 1\nconnect 127.0.0.1 " + other.port() + "\nGET here\nSET there 1\n";
      assertThat(oursWith(Map.of(), lines, "--no-raw").out()).isEqualTo("OK\n(nil)\nOK\n");
      assertThat(ours("--no-raw", "GET", "there").out()).isEqualTo("(nil)\n");
    }
  }

  @Test
  void lines_connectionKilled_isReopened() {
    String lines = "SELECT 4\nCLIENT KILL TYPE normal SKIPME no\nSET k v\n";
    Result result = oursWith(Map.of(), lines, "--no-raw");
    assertThat(result.out()).startsWith("OK\n").endsWith("OK\n");
    assertThat(ours("-n", "4", "GET", "k").out()).isEqualTo("v\n");
  }

  @Test
  void unixSocket_isReached(@TempDir Path folder) {
    Path socket = folder.resolve("redis.sock");
    String url = "redis-socket://" + socket;
    Result missing = KermesCli.run(Map.of(), "", List.of("-u", url, "PING"));
    assertThat(missing.err()).startsWith("Could not connect to Redis at " + socket + ": ");
    assertThat(missing.status()).isEqualTo(1);
    try (RedisServer own =
        RedisServer.builder().port(0).option("unixsocket", socket.toString()).start()) {
      assertThat(own.port()).isPositive();
      assertThat(KermesCli.run(Map.of(), "", List.of("-u", url, "PING")).out()).isEqualTo("PONG\n");
    }
  }

  @Test
  void prompt_showsDatabaseAndTransaction() throws Exception {
    CliOptions options = CliOptions.parse(withPort("-n", "1"), Map.of());
    var out = new ByteArrayOutputStream();
    var err = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    String place = "127.0.0.1:" + server.port();
    try (CliSession session = new CliSession(options, ReplyFormat.TERMINAL, true, out, err)) {
      CliLineRunner lines = new CliLineRunner(session);
      assertThat(session.prompt()).isEqualTo("not connected> ");
      session.connect();
      assertThat(session.prompt()).isEqualTo(place + "[1]> ");
      lines.run("MULTI".getBytes(UTF_8));
      assertThat(session.prompt()).isEqualTo(place + "[1](TX)> ");
      lines.run("SELECT 2".getBytes(UTF_8));
      lines.run("DISCARD".getBytes(UTF_8));
      assertThat(session.prompt()).isEqualTo(place + "[1]> ");
      lines.run("SELECT 0".getBytes(UTF_8));
      assertThat(session.prompt()).isEqualTo(place + "> ");
      lines.run("QUIT now".getBytes(UTF_8));
    }
  }

  @Test
  void help_comesFromTheCommandTable() {
    assertThat(ours("help", "zadd").out()).contains("  ZADD key ").contains("  group: sorted-set");
    assertThat(ours("help", "@list").out()).contains("  LPUSH key ").doesNotContain("  SADD ");
    assertThat(ours("help", "config").out()).contains("  CONFIG GET ");
    assertThat(ours("help", "nosuch").out()).isEqualTo("No help about: NOSUCH\n");
    assertThat(ours("help").out()).contains("help @<group>");
  }

  @Test
  void hint_isTheRestOfTheUsage() {
    assertThat(CommandHelp.hint("getrange")).isEqualTo(" key start end");
    assertThat(CommandHelp.hint("GETRANGE k ")).isEqualTo("start end");
    assertThat(CommandHelp.hint("config set ")).isEqualTo("parameter value [parameter value ...]");
    assertThat(CommandHelp.hint("")).isEmpty();
    assertThat(CommandHelp.hint("nosuch a b|c ")).isEmpty();
    assertThat(CommandHelp.hint("ping a b c d e f ")).isEmpty();
  }

  @Test
  void versionAndHelp_areShown() {
    assertThat(ours("--version").out()).startsWith("kermes cli ");
    assertThat(ours("--help").out()).startsWith("usage: kermes cli");
    assertThat(KermesCli.run(Map.of(), "", List.of("-h")).out()).startsWith("usage: kermes cli");
  }

  @Test
  void rawArguments_areTheLastOfTheCommandLine() {
    byte[] line = "java\0-cp\0x\0Main\0cli\0\0é\0".getBytes(UTF_8);
    List<byte[]> last = RawArguments.last(line, 2);
    assertThat(last).containsExactly(new byte[0], "é".getBytes(UTF_8));
  }
}
