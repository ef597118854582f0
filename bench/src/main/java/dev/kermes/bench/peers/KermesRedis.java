package dev.kermes.bench.peers;

import dev.kermes.server.RedisServer;

/** Our server without the launcher: {@code PORT LOOPS}. */
public final class KermesRedis {

  private KermesRedis() {}

  public static void main(String[] arguments) throws InterruptedException {
    RedisServer.builder()
        .port(Integer.parseInt(arguments[0]))
        .loops(Integer.parseInt(arguments[1]))
        .start();
    Thread.currentThread().join();
  }
}
