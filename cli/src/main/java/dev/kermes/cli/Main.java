package dev.kermes.cli;

import dev.kermes.server.RedisServer;

/** The server's start on its own: {@code server [--option value ...]}. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    RedisServer.Builder builder = RedisServer.builder();
    for (int i = 1; i + 1 < arguments.length; i += 2) {
      builder.option(arguments[i].substring(2), arguments[i + 1]);
    }
    try (RedisServer server = builder.start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      System.out.println("Ready to accept connections, port=" + server.port());
      server.awaitClosed();
    }
  }
}
