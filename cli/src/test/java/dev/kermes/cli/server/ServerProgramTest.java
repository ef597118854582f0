package dev.kermes.cli.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kermes.cli.Main;
import dev.kermes.cli.rediscli.KermesCli;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.Ports;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the server as a process: its messages when it cannot start, and how it ends. */
class ServerProgramTest {

  private static final Pattern READY =
      Pattern.compile("Ready to accept connections on port (\\d+)");

  @TempDir Path folder;

  private static void assertFails(String message, String... arguments) throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, arguments), "");
    assertThat(result.err()).startsWith("kermes: ").contains(message).hasLineCount(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void start_portBusy_oneLine() throws Exception {
    try (RedisServer other = RedisServer.start()) {
      String port = Integer.toString(other.port());
      Result result = Programs.finish(Programs.start(Main.class, "server", "--port", port), "");
      assertThat(result.out()).contains("Failed listening on port " + port + " (tcp), aborting.");
      assertThat(result.err()).startsWith("kermes: ").contains(port).hasLineCount(1);
      assertThat(result.status()).isEqualTo(1);
    }
  }

  @Test
  void start_badOption_oneLine() throws Exception {
    assertFails("name=port", "server", "--port", "x");
    assertFails("name=no-such-option", "--no-such-option", "x");
    assertFails("name=port", "server", "--port");
  }

  @Test
  void start_badOptionAsRedisServer_printsRedisMessage() throws Exception {
    Map<String, String> environment = Map.of("KERMES_AS_REDIS_SERVER", "1");
    Process process = Programs.start(Main.class, environment, "--no-such-option", "x");
    Result result = Programs.finish(process, "");
    assertThat(result.err()).startsWith("*** FATAL CONFIG FILE ERROR").contains("no-such-option");
    assertThat(result.status()).isEqualTo(1);
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
  void start_binaryFile_oneLine() throws Exception {
    Path file = folder.resolve("redis.conf");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, '\n'});
    assertFails(file.toString(), file.toString());
  }

  @Test
  void start_asDaemon_isRefused() throws Exception {
    assertFails("daemonize: ", "server", "--port", "0", "--daemonize", "yes");
  }

  @Test
  void start_asDaemon_returnsWhenTheServerListens() throws Exception {
    Path launcher = folder.resolve("kermes");
    Path pid = folder.resolve("pid");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec " + java + " -cp '" + classPath + "' dev.kermes.cli.Main \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    int port = Ports.free();
    String configuration = "port " + port + "\ndaemonize yes\nsave \"\"\npidfile " + pid + "\n";
    Process process =
        Programs.start(Main.class, Map.of("KERMES_ROOT", folder.toString()), "server", "-");
    Result result = Programs.finish(process, configuration);
    assertThat(result).isEqualTo(new Result(0, "", ""));
    assertThat(cli(port, "PING").out()).isEqualTo("PONG\n");
    assertThat(Files.readString(pid)).isNotEqualTo(process.pid() + "\n");
    assertThat(cli(port, "CONFIG GET daemonize").out()).contains("yes");
    assertThat(cli(port, "SHUTDOWN")).isEqualTo(new Result(0, "", ""));
    Process wrong =
        Programs.start(
            Main.class,
            Map.of("KERMES_ROOT", folder.toString(), "KERMES_AS_REDIS_SERVER", "1"),
            "server",
            "--daemonize",
            "yes",
            "--no-such-option",
            "x");
    assertThat(Programs.finish(wrong, "").err()).startsWith("*** FATAL CONFIG FILE ERROR");
  }

  @Test
  void version_hasTheFormatOfRedisServer() throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, "server", "--version"), "");
    assertThat(result.out()).startsWith("Redis server v=" + RedisServer.REDIS_VERSION + " sha=");
  }

  @Test
  void start_unknownCommandToRename_oneLine() throws Exception {
    assertFails("No such command in rename-command", "--rename-command", "nosuch", "x");
    assertFails("Target command name already exists", "--rename-command", "get", "set");
  }

  @Test
  void filesOfTheProcess_areWhereTheConfigurationSays() throws Exception {
    Path included = folder.resolve("more.conf");
    Path pid = folder.resolve("kermes.pid");
    Path socket = folder.resolve("socket");
    Files.writeString(included, "rename-command get fetch\nrename-command debug \"\"\n");
    Files.writeString(
        folder.resolve("redis.conf"),
        "port "
            + Ports.free()
            + "\ninclude "
            + included
            + "\npidfile "
            + pid
            + "\ndir "
            + folder
            + "\nlogfile log.txt\nunixsocket "
            + socket
            + "\nunixsocketperm 700\nset-proc-title no\nbio-cpulist 1\n");
    Process process = Programs.start(Main.class, "server", folder.resolve("redis.conf").toString());
    Path log = folder.resolve("log.txt");
    int port = awaitReady(log, process);
    assertThat(Files.readString(pid)).isEqualTo(process.pid() + "\n");
    assertThat(Files.readString(log)).contains("Options without effect: bio-cpulist\n");
    assertThat(Files.getPosixFilePermissions(socket))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(cli(port, "FETCH a").out()).isEqualTo("\n");
    assertThat(cli(port, "GET a").out()).contains("unknown command 'GET'");
    assertThat(cli(port, "DEBUG SLEEP 0").out()).contains("unknown command 'DEBUG'");
    process.destroy();
    assertThat(process.waitFor()).isZero();
    assertThat(pid).doesNotExist();
  }

  private static int awaitReady(Path log, Process process) throws Exception {
    while (process.isAlive()) {
      Matcher ready = READY.matcher(Files.exists(log) ? Files.readString(log) : "");
      if (ready.find()) return Integer.parseInt(ready.group(1));
      Thread.sleep(20);
    }
    throw new IllegalStateException("the server ended before it was ready");
  }

  @Test
  void unknownSubcommand_namesIt() throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, "nosuch"), "");
    assertThat(result.err()).startsWith("kermes: unknown subcommand: name=nosuch\n");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void terminate_closesAndLogsIt() throws Exception {
    Process process = Programs.start(Main.class, "server", "--port", "0");
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "PING").out()).isEqualTo("PONG\n");
    process.toHandle().destroy(); // SIGTERM, and the log stays readable
    Result result = Programs.finish(process, "");
    assertThat(result.out().lines().toList())
        .anyMatch(line -> line.contains("Received SIGTERM scheduling shutdown..."))
        .anyMatch(line -> line.contains("User requested shutdown..."))
        .last()
        .asString()
        .contains("ready to exit, bye bye...");
    assertThat(result.err()).isEmpty();
    assertThat(cli(port, "PING").err()).startsWith("Could not connect to Redis at ");
  }

  /** Whether this process ignores SIGINT, as background jobs of a shell and their children do. */
  private static boolean ignoresInterrupts() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (!line.startsWith("SigIgn:")) continue;
      return (Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16) & 2) != 0;
    }
    return false;
  }

  @Test
  void interrupt_logsTheSignal() throws Exception {
    assumeFalse(ignoresInterrupts());
    Process process = Programs.start(Main.class, "server", "--port", "0");
    awaitReady(process.inputReader());
    Process kill = new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
    assertThat(Programs.finish(process, "").out())
        .contains("Received SIGINT scheduling shutdown...")
        .doesNotContain("SIGTERM");
  }

  @Test
  void logFormat_canBeMachineReadable() throws Exception {
    for (String format : List.of("json", "logfmt")) {
      Process process = Programs.start(Main.class, "server", "--port", "0", "--log-format", format);
      int port = awaitReady(process.inputReader());
      List<String> words = List.of("-p", "" + port, "DEBUG", "LOG", "a \"word\"\t\\\u0001");
      assertThat(KermesCli.run(Map.of(), "", words).out()).isEqualTo("OK\n");
      process.toHandle().destroy();
      String line =
          Programs.finish(process, "")
              .out()
              .lines()
              .filter(each -> each.contains("DEBUG LOG"))
              .findFirst()
              .orElseThrow();
      String message = "DEBUG LOG: a \\\"word\\\"\\t\\\\\\u0001\"";
      assertThat(line)
          .startsWith(format.equals("json") ? "{\"pid\":" : "pid=")
          .contains(
              format.equals("json")
                  ? ",\"level\":\"notice\",\"message\":\"" + message + "}"
                  : " level=notice message=\"" + message);
    }
    assertFails("name=log-format", "server", "--log-format", "xml");
  }

  @Test
  void logOptions_changeWhileTheServerRuns() throws Exception {
    Process process = Programs.start(Main.class, "server", "--port", "0");
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "DEBUG LOG first").out()).isEqualTo("OK\n");
    assertThat(cli(port, "CONFIG SET log-format logfmt").out()).isEqualTo("OK\n");
    assertThat(cli(port, "DEBUG LOG second").out()).isEqualTo("OK\n");
    assertThat(cli(port, "CONFIG SET loglevel warning").out()).isEqualTo("OK\n");
    assertThat(cli(port, "DEBUG LOG third").out()).isEqualTo("OK\n");
    process.toHandle().destroy();
    List<String> log = Programs.finish(process, "").out().lines().toList();
    assertThat(log).anyMatch(line -> line.matches("\\d+:M .* \\* DEBUG LOG: first"));
    assertThat(log).anyMatch(line -> line.endsWith(" level=notice message=\"DEBUG LOG: second\""));
    assertThat(log).noneMatch(line -> line.contains("third"));
  }

  @Test
  void terminate_dataCannotBeSaved_continues() throws Exception {
    Process process =
        Programs.start(
            Main.class, "server", "--port", "0", "--dir", folder.toString(), "--save", "1000 1");
    BufferedReader log = process.inputReader();
    int port = awaitReady(log);
    Files.createDirectory(folder.resolve("dump.rdb")); // no file can replace it
    process.toHandle().destroy();
    for (String line = log.readLine(); !line.contains("can't exit"); ) line = log.readLine();
    assertThat(cli(port, "PING").out()).isEqualTo("PONG\n");
    assertThat(cli(port, "SHUTDOWN NOSAVE")).isEqualTo(new Result(0, "", ""));
    assertThat(Programs.finish(process, "").status()).isZero();
  }

  @Test
  void shutdownCommand_endsTheProcess() throws Exception {
    Process process = Programs.start(Main.class, "server", "--port", "0");
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "SHUTDOWN")).isEqualTo(new Result(0, "", ""));
    assertThat(Programs.finish(process, "").status()).isZero();
  }

  private Process startWithSmallHeap() throws IOException {
    return Programs.start(
        Main.class,
        Map.of("JDK_JAVA_OPTIONS", "-Xmx64m -XX:+UseG1GC"),
        ("server --port 0 --appendonly yes --appendfsync always --enable-debug-command yes --dir "
                + folder)
            .split(" "));
  }

  @Test
  void fullHeap_refusesWritesAndLosesNothing() throws Exception {
    Process process = startWithSmallHeap();
    int port = awaitReady(process.inputReader());
    StringBuilder writes = new StringBuilder();
    String value = "x".repeat(100_000);
    for (int i = 0; i < 500; i++) writes.append("SET key:" + i + " " + value + "\n");
    List<String> connect = List.of("-p", "" + port);
    List<String> replies =
        KermesCli.run(Map.of(), writes.toString(), connect)
            .out()
            .lines()
            .filter(s -> !s.isEmpty())
            .toList();
    List<String> refusals = replies.stream().filter(s -> !s.equals("OK")).toList();
    assertThat(refusals)
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s).startsWith("OOM command not allowed").contains("-Xmx"));
    int taken = replies.indexOf(refusals.getFirst());
    assertThat(taken).isBetween(100, 490);
    assertThat(cli(port, "STRLEN key:0").out()).isEqualTo("100000\n");
    assertThat(cli(port, "DEL key:0 key:1 key:2 key:3 key:4 key:5 key:6 key:7 key:8 key:9").out())
        .isEqualTo("10\n");
    assertThat(cli(port, "SET again yes").out()).isEqualTo("OK\n");
    process.destroyForcibly().waitFor();
    Process next = startWithSmallHeap();
    int nextPort = awaitReady(next.inputReader());
    int stored = replies.size() - refusals.size(); // some fit after a refusal
    assertThat(cli(nextPort, "DBSIZE").out()).isEqualTo(stored - 10 + 1 + "\n");
    assertThat(cli(nextPort, "STRLEN key:" + (taken - 1)).out()).isEqualTo("100000\n");
    next.destroyForcibly().waitFor();
  }

  @Test
  @Timeout(60)
  void inputLargerThanTheHeap_isDroppedOrEndsTheServer() throws Exception {
    Process process = startWithSmallHeap();
    BufferedReader log = process.inputReader();
    int port = awaitReady(log);
    byte[] beginning =
        ("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2000000\r\n" + "x".repeat(1_900_000)).getBytes(US_ASCII);
    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(client);
        client.getOutputStream().write(beginning);
      }
    } catch (IOException e) {
      // The stream has been closed.
    } finally {
      for (Socket client : clients) client.close();
    }
    boolean answers = cli(port, "PING").out().equals("PONG\n");
    while (!answers && process.isAlive()) answers = cli(port, "PING").out().equals("PONG\n");
    if (answers) process.destroyForcibly().waitFor();
    else assertThat(process.waitFor()).isEqualTo(134);
  }

  @Test
  void lostThread_endsTheProcessWithAMessage() throws Exception {
    Process process = startWithSmallHeap();
    int port = awaitReady(process.inputReader());
    assertThat(cli(port, "SET a b").out()).isEqualTo("OK\n");
    Result unused = cli(port, "DEBUG OOM");
    Result result = Programs.finish(process, "");
    assertThat(result.status()).isEqualTo(134);
    assertThat(result.out()).contains("cannot do without: DEBUG OOM").contains("-Xmx");
    assertThat(result.err()).endsWith("is memory exhausted? See -Xmx\n");
    Process next = startWithSmallHeap();
    assertThat(cli(awaitReady(next.inputReader()), "GET a").out()).isEqualTo("b\n");
    next.destroyForcibly().waitFor();
  }

  private static Result cli(int port, String command) {
    List<String> words = new ArrayList<>(List.of("-p", Integer.toString(port)));
    words.addAll(List.of(command.split(" ")));
    return KermesCli.run(Map.of(), "", words);
  }

  private static int awaitReady(BufferedReader log) throws IOException {
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher ready = READY.matcher(line);
      if (ready.find()) return Integer.parseInt(ready.group(1));
    }
    throw new IllegalStateException("the server ended before it was ready");
  }
}
