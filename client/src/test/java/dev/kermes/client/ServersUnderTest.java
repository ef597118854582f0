package dev.kermes.client;

import dev.kermes.server.RedisServer;
import java.util.stream.Stream;

/** Every server that the client's tests run against; each is started once for a test class. */
final class ServersUnderTest {
  /** A running server; not closeable, for JUnit would close it after the first test. */
  record Server(String name, int port, Runnable stop) {
    String url() {
      return "redis://127.0.0.1:" + port;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private ServersUnderTest() {}

  static Stream<Server> start() {
    RealRedis redis = RealRedis.start();
    RedisServer kermes = RedisServer.start();
    return Stream.of(
        new Server("redis-server", redis.port(), redis::close),
        new Server("kermes", kermes.port(), kermes::close));
  }
}
