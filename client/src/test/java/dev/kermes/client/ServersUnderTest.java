package dev.kermes.client;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.RealRedis;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A test class that extends this runs against every server, each started once for the class. */
abstract class ServersUnderTest {
  /** A running server; not closeable, because JUnit would close it after the first test. */
  record Server(String name, int port, Runnable stop) {
    String url() {
      return "redis://127.0.0.1:" + port;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Server> servers = List.of();

  @BeforeAll
  static void start() {
    RealRedis redis = RealRedis.start();
    RedisServer kermes = RedisServer.start();
    servers =
        List.of(
            new Server("redis-server", redis.port(), redis::close),
            new Server("kermes", kermes.port(), kermes::close));
  }

  @AfterAll
  static void stop() {
    for (Server server : servers) server.stop().run();
  }

  static Stream<Server> servers() {
    return servers.stream();
  }

  /** The real one. */
  static Server redisServer() {
    return servers.getFirst();
  }

  /** Every server over RESP3 and RESP2. */
  static Stream<RedisOptions> options() {
    return servers()
        .flatMap(server ->
            Stream.of(3, 2)
                .map(version -> RedisOptions.url(server.url()).respVersion(version).build()));
  }
}
