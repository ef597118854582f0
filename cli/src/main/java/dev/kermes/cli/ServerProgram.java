package dev.kermes.cli;

import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** {@code kermes server}: reads the configuration as redis-server does, serves until a signal. */
final class ServerProgram {

  private ServerProgram() {}

  /** Returns the exit status when the server has ended. */
  static int run(String[] args) {
    RedisServer server;
    ServerLog log;
    try {
      List<ServerOptions.Option> options = ServerOptions.parse(args, System.in);
      log = ServerLog.open(options);
      RedisServer.Builder builder = RedisServer.builder().option("dir", ".");
      for (ServerOptions.Option option : options) apply(builder, option);
      Path file = ServerOptions.file(args);
      if (file != null) builder.configFile(file);
      server = builder.start();
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
    serve(server, log);
    return 0;
  }

  private static void apply(RedisServer.Builder builder, ServerOptions.Option option) {
    try {
      builder.option(option.name(), option.value());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option.origin() + e.getMessage(), e);
    }
  }

  private static void serve(RedisServer server, ServerLog log) {
    long pid = ProcessHandle.current().pid();
    log.notice("Kermes " + Version.TEXT + ", PID: " + pid + ", Server initialized");
    for (String name : server.ignoredOptions()) {
      log.warning("Option has no effect yet: " + name);
    }
    log.notice(
        "Ready to accept connections on port " + server.port() + " (" + server.transport() + ")");
    Thread stopper = new Thread(() -> stop(server, log), "kermes-stop");
    Runtime.getRuntime().addShutdownHook(stopper);
    try {
      server.awaitClosed();
    } catch (InterruptedException e) {
      server.close();
    }
  }

  private static void stop(RedisServer server, ServerLog log) {
    log.notice("User requested shutdown...");
    server.shutDown();
    log.notice("Kermes is now ready to exit, bye bye...");
    // A signal that was obeyed is no failure; by itself the JVM would report 128 plus its number.
    Runtime.getRuntime().halt(0);
  }
}
