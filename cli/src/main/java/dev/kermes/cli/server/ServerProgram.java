package dev.kermes.cli.server;

import dev.kermes.cli.text.Version;
import dev.kermes.server.RedisServer;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The program {@code kermes server}: reads the configuration as redis-server does, and serves until
 * a signal.
 */
public final class ServerProgram {

  /** The default of redis-server; protected mode refuses clients from other machines. */
  private static final String BIND_OF_REDIS = "* -::*";

  /** The line that redis-server prints before it names the wrong option; programs wait for it. */
  private static final String BAD_OPTION_OF_REDIS = "*** FATAL CONFIG FILE ERROR ***";

  /** An option of this program alone. */
  private static final String METRICS_PORT = "metrics-port";

  private static final int PORT_MAX = 65_535;

  /** The status of a process that ended by SIGABRT, as redis-server does without memory. */
  private static final int STATUS_LOST = 134;

  /** Created in advance, because there may be no memory for a log line. */
  private static final byte[] LAST_WORDS =
      "kermes: a thread that the server needs has ended; is memory exhausted? See -Xmx\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static final FileOutputStream STDERR = new FileOutputStream(FileDescriptor.err);

  /** Serves the metrics of a server over HTTP, which this module cannot. */
  @FunctionalInterface
  public interface MetricsStarter {
    /** Starts, before the server loads its files; any failure ends the program. */
    void start(RedisServer server, String address, int port);
  }

  /** Refuses the option {@code metrics-port}. */
  public static final MetricsStarter WITHOUT_METRICS = ServerProgram::refuseMetrics;

  private final List<ServerOptions.Option> options;
  private final MetricsStarter metrics;
  private final String pidFile;
  private final ServerLog log;
  private volatile boolean hasFailed;
  private volatile boolean isInterrupted;

  private ServerProgram(List<ServerOptions.Option> options, MetricsStarter metrics)
      throws IOException {
    this.options = options;
    this.metrics = metrics;
    pidFile = ServerOptions.lastValue(options, "pidfile");
    log = ServerLog.open(options);
  }

  /** The program without the choice of a subcommand, for a server in a process of its own. */
  public static void main(String[] args) {
    int status = run(args, WITHOUT_METRICS);
    if (status != 0) System.exit(status);
  }

  /** Returns the exit status when the server has ended. */
  public static int run(String[] args, MetricsStarter metrics) {
    try {
      if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-v"))) {
        return printVersion();
      }
      byte[] input =
          args.length > 0 && args[0].equals("-") ? System.in.readAllBytes() : new byte[0];
      List<ServerOptions.Option> options =
          ServerOptions.parse(args, new ByteArrayInputStream(input));
      RedisServer.Builder builder = builder(options);
      if (isDaemon(options) && !Daemonizer.isHere()) return Daemonizer.start(args, input);
      new ServerProgram(options, metrics).serve(builder, ServerOptions.file(args));
      return 0;
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      boolean isOption = e instanceof IllegalArgumentException;
      if (isOption && isRedisServer()) System.err.println(BAD_OPTION_OF_REDIS);
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  /** The Redis release whose behaviour this server has, in the format that programs look for. */
  private static int printVersion() {
    System.out.printf(
        "Redis server v=%s sha=00000000:0 malloc=jvm bits=64 build=kermes%n",
        RedisServer.REDIS_VERSION);
    return 0;
  }

  private static boolean isDaemon(List<ServerOptions.Option> options) {
    return ServerOptions.lastValue(options, "daemonize").equalsIgnoreCase("yes");
  }

  /** Builds the server of the options; reports mistakes with their location. */
  static RedisServer.Builder builder(List<ServerOptions.Option> options) {
    RedisServer.Builder builder = RedisServer.builder().option("dir", ".");
    if (isRedisServer()) builder.preset("bind", BIND_OF_REDIS);
    for (ServerOptions.Option option : options) apply(builder, option);
    return builder;
  }

  private void serve(RedisServer.Builder builder, @Nullable Path file) {
    builder.onLogging(log::set);
    if (file != null) builder.configFile(file);
    if (asksForNoTcp()) builder.withoutTcp();
    RedisServer server = start(builder.onListening(this::listens).onLost(ServerProgram::die));
    if (server.isClosed()) return; // while it was loading
    log.notice(
        "Ready to accept connections on port " + server.port() + " (" + server.transport() + ")");
    try {
      server.awaitClosed();
    } catch (InterruptedException e) {
      server.close();
    }
  }

  private RedisServer start(RedisServer.Builder builder) {
    try {
      return builder.start();
    } catch (UncheckedIOException e) {
      hasFailed = true;
      String message = String.valueOf(e.getMessage());
      if (message.contains("Address already in use")) {
        String port = ServerOptions.lastValue(options, "port");
        log.warning("Failed listening on port " + port + " (tcp), aborting.");
      } else {
        log.warning(message + ". Exiting.");
      }
      throw e;
    }
  }

  private static boolean isRedisServer() {
    return "1".equals(System.getenv("KERMES_AS_REDIS_SERVER"));
  }

  /** Port 0 means no port if there is another listener; otherwise it is a free one. */
  private boolean asksForNoTcp() {
    boolean hasOther =
        !ServerOptions.lastValue(options, "unixsocket").isEmpty()
            || !ServerOptions.lastValue(options, "tls-port").isEmpty();
    return ServerOptions.lastValue(options, "port").equals("0") && hasOther;
  }

  private static void apply(RedisServer.Builder builder, ServerOptions.Option option) {
    try {
      if (option.name().equalsIgnoreCase(METRICS_PORT)) {
        int unused = metricsPort(option.value()); // read anew when the server listens
      } else {
        builder.option(option.name(), option.value());
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option.origin() + e.getMessage(), e);
    }
  }

  /** Called when the server listens, and is about to load its files. */
  private void listens(RedisServer server) {
    if (!pidFile.isEmpty()) PidFile.write(pidFile, log);
    long pid = ProcessHandle.current().pid();
    log.notice("Kermes " + Version.TEXT + ", PID: " + pid + ", Server initialized");
    List<String> ignored = server.ignoredOptions();
    if (!ignored.isEmpty()) log.notice("Options without effect: " + String.join(", ", ignored));
    startMetrics(server);
    reportListening();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "kermes-stop"));
    // Without these handlers the JVM would end at a signal, whatever the state of the files.
    Signals.register("TERM", () -> terminated(server));
    Signals.register("INT", () -> interrupted(server));
    Signals.register("HUP", () -> {}); // as redis-server, which survives its terminal
  }

  /** On the first address of {@code bind}. */
  private void startMetrics(RedisServer server) {
    String port = ServerOptions.lastValue(options, METRICS_PORT);
    if (port.isEmpty()) return;
    String first = ServerOptions.lastValue(options, "bind").split(" ")[0].replaceFirst("^-", "");
    String address =
        switch (first) {
          case "" -> "127.0.0.1";
          case "*" -> "0.0.0.0";
          case "::*" -> "::";
          default -> first;
        };
    metrics.start(server, address, metricsPort(port));
  }

  private static int metricsPort(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= PORT_MAX) return port;
    } catch (NumberFormatException e) {
      // The same message.
    }
    throw new IllegalArgumentException("not a port: metrics-port=" + text);
  }

  private static void refuseMetrics(RedisServer server, String address, int port) {
    throw new IllegalArgumentException(
        "metrics-port: give it on the command line of ./kermes, or use kermes-server.jar");
  }

  /**
   * No hook runs, because it might wait for the thread that has ended; acknowledged writes are in
   * the files.
   */
  private static void die() {
    try {
      STDERR.write(LAST_WORDS);
    } catch (IOException e) {
      // No process waits.
    } finally {
      Runtime.getRuntime().halt(STATUS_LOST);
    }
  }

  private void reportListening() {
    try {
      Daemonizer.listens();
    } catch (IOException e) {
      log.warning("Cannot notify the process that started this one: " + e);
    }
  }

  private void terminated(RedisServer server) {
    log.warning("Received SIGTERM scheduling shutdown...");
    server.signalled(false);
  }

  private void interrupted(RedisServer server) {
    boolean isFirst = !isInterrupted;
    isInterrupted = true;
    if (isFirst) {
      log.warning("Received SIGINT scheduling shutdown...");
      server.signalled(true);
      return;
    }
    log.warning("You insist... exiting now.");
    server.closeWithoutSaving();
  }

  private void stop(RedisServer server) {
    if (!hasFailed) server.close();
    if (!pidFile.isEmpty()) PidFile.delete(pidFile);
    if (hasFailed) return; // its last line is the reason
    log.notice("Kermes is now ready to exit, bye bye...");
    // A handled signal is not a failure; by itself the JVM would return 128 plus its number.
    Runtime.getRuntime().halt(0);
  }
}
