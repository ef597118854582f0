package dev.kermes.server.testing;

import dev.kermes.server.RedisServer;
import java.nio.file.Path;

/** Servers on a free port, with options as they are in a configuration file. */
public final class TestServers {

  private TestServers() {}

  /** A server with options, a name and a value in turn. */
  public static RedisServer.Builder with(String... options) {
    return configure(RedisServer.builder().port(0), options);
  }

  /** A server with options that keeps its files in this folder. */
  public static RedisServer.Builder storingIn(Path folder, String... options) {
    return with(options).option("dir", folder.toString());
  }

  /** Sets more options; returns the builder. */
  public static RedisServer.Builder configure(RedisServer.Builder builder, String... options) {
    for (int i = 0; i < options.length; i += 2) builder.option(options[i], options[i + 1]);
    return builder;
  }

  /** Starts a server with options; it sends a replica its copy at once. */
  public static RedisServer replicating(String... options) {
    return with(options).option("repl-diskless-sync-delay", "0").start();
  }
}
