package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.Programs.Result;
import dev.kermes.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process: what it says when it cannot start, and how it ends. */
class ServerProgramTest {

  private static final Pattern READY =
      Pattern.compile("Ready to accept connections on port (\\d+)");

  @TempDir Path folder;

  private static void assertFails(String message, String... arguments) throws Exception {
    Result result = Programs.finish(Programs.kermes(arguments), "");
    assertThat(result.err()).startsWith("kermes: ").contains(message).hasLineCount(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void start_portBusy_oneLine() throws Exception {
    try (RedisServer other = RedisServer.start()) {
      String port = Integer.toString(other.port());
      assertFails(port, "server", "--port", port);
    }
  }

  @Test
  void start_badOption_oneLine() throws Exception {
    assertFails("name=port", "server", "--port", "x");
    assertFails("name=no-such-option", "--no-such-option", "x");
    assertFails("name=port", "server", "--port");
  }

  @Test
  void start_badConfigLine_namesFileAndLine() throws Exception {
    Path file = folder.resolve("redis.conf");
    Files.writeString(file, "port 0\nno-such-option x\n");
    assertFails(file + ":2: ", file.toString());
    Files.writeString(file, "requirepass 'cut\n");
    assertFails(file + ":1: unbalanced quotes", "server", file.toString());
  }

  @Test
  void start_noSuchFile_oneLine() throws Exception {
    assertFails("path=no-such.conf", "no-such.conf");
  }

  @Test
  void start_fileThatIsNoText_oneLine() throws Exception {
    Path file = folder.resolve("redis.conf");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, '\n'});
    assertFails(file.toString(), file.toString());
  }

  @Test
  void unknownSubcommand_namesIt() throws Exception {
    Result result = Programs.finish(Programs.kermes("nosuch"), "");
    assertThat(result.err()).startsWith("kermes: unknown subcommand: name=nosuch\n");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void terminate_closesAndSaysSo() throws Exception {
    Process process = Programs.kermes("server", "--port", "0");
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "PING").out()).isEqualTo("PONG\n");
    process.toHandle().destroy(); // SIGTERM, and the log stays readable
    Result result = Programs.finish(process, "");
    assertThat(result.out().lines().toList())
        .anyMatch(line -> line.contains("User requested shutdown..."))
        .last()
        .asString()
        .contains("ready to exit, bye bye...");
    assertThat(result.err()).isEmpty();
    assertThat(cli(port, "PING").err()).startsWith("Could not connect to Redis at ");
  }

  @Test
  void shutdownCommand_endsTheProcess() throws Exception {
    Process process = Programs.kermes("server", "--port", "0");
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "SHUTDOWN")).isEqualTo(new Result(0, "", ""));
    assertThat(Programs.finish(process, "").status()).isZero();
  }

  private static Result cli(int port, String command) {
    return Programs.cli(Map.of(), "", List.of("-p", Integer.toString(port), command));
  }

  private static int awaitReady(BufferedReader log) throws IOException {
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher ready = READY.matcher(line);
      if (ready.find()) return Integer.parseInt(ready.group(1));
    }
    throw new IllegalStateException("the server ended before it was ready");
  }
}
