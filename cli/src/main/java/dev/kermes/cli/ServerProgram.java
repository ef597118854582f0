package dev.kermes.cli;

import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code kermes server}: reads the configuration as redis-server does, serves until a signal. */
final class ServerProgram {

  private ServerProgram() {}

  /** Returns the exit status when the server has ended. */
  static int run(String[] args) {
    try {
      List<ServerOptions.Option> options = ServerOptions.parse(args, System.in);
      refuseDaemon(options);
      ServerLog log = ServerLog.open(options);
      RedisServer server = start(options, ServerOptions.file(args), log);
      String pidFile = ServerOptions.lastValue(options, "pidfile");
      if (!pidFile.isEmpty()) PidFile.write(pidFile, log);
      serve(server, log, pidFile);
      return 0;
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  private static void refuseDaemon(List<ServerOptions.Option> options) {
    if (!ServerOptions.lastValue(options, "daemonize").equals("yes")) return;
    throw new IllegalArgumentException(
        "daemonize: this program cannot leave its terminal; start it by a service manager, or in the"
            + " background with nohup");
  }

  private static RedisServer start(
      List<ServerOptions.Option> options, @Nullable Path file, ServerLog log) {
    RedisServer.Builder builder = RedisServer.builder().option("dir", ".");
    for (ServerOptions.Option option : options) apply(builder, option);
    if (file != null) builder.configFile(file);
    if (asksForNoTcp(options)) builder.withoutTcp();
    try {
      return builder.start();
    } catch (UncheckedIOException e) {
      if (String.valueOf(e.getMessage()).contains("Address already in use")) {
        String port = ServerOptions.lastValue(options, "port");
        log.warning("Failed listening on port " + port + " (tcp), aborting.");
      }
      throw e;
    }
  }

  /** Port 0 is none if there is another way in; otherwise it is a free one. */
  private static boolean asksForNoTcp(List<ServerOptions.Option> options) {
    boolean hasOther =
        !ServerOptions.lastValue(options, "unixsocket").isEmpty()
            || !ServerOptions.lastValue(options, "tls-port").isEmpty();
    return ServerOptions.lastValue(options, "port").equals("0") && hasOther;
  }

  private static void apply(RedisServer.Builder builder, ServerOptions.Option option) {
    try {
      builder.option(option.name(), option.value());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option.origin() + e.getMessage(), e);
    }
  }

  private static void serve(RedisServer server, ServerLog log, String pidFile) {
    long pid = ProcessHandle.current().pid();
    log.notice("Kermes " + Version.TEXT + ", PID: " + pid + ", Server initialized");
    for (String name : server.ignoredOptions()) {
      log.warning("Option has no effect yet: " + name);
    }
    log.notice(
        "Ready to accept connections on port " + server.port() + " (" + server.transport() + ")");
    Thread stopper = new Thread(() -> stop(server, log, pidFile), "kermes-stop");
    Runtime.getRuntime().addShutdownHook(stopper);
    try {
      server.awaitClosed();
    } catch (InterruptedException e) {
      server.close();
    }
  }

  private static void stop(RedisServer server, ServerLog log, String pidFile) {
    log.notice("User requested shutdown...");
    server.shutDown();
    if (!pidFile.isEmpty()) PidFile.delete(pidFile);
    log.notice("Kermes is now ready to exit, bye bye...");
    // A signal that was obeyed is no failure; by itself the JVM would report 128 plus its number.
    Runtime.getRuntime().halt(0);
  }
}
