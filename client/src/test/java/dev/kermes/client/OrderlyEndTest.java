package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closed clients and servers log nothing and leave no threads behind. */
@Timeout(60)
class OrderlyEndTest {
  /** Collects everything logged at INFO or above. */
  static final class Log extends Handler implements AutoCloseable {
    final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();

    Log() {
      root.setLevel(Level.INFO);
      root.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
      String text = new SimpleFormatter().formatMessage(line);
      if (isLoggable(line)) lines.add(line.getLevel() + " " + line.getLoggerName() + ": " + text);
    }

    List<String> of(Class<?> type) {
      return lines.stream().filter(line -> line.contains(type.getName() + ":")).toList();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      root.removeHandler(this);
      root.setLevel(before);
    }
  }

  private static void use(RedisClient redis) {
    redis.blocking().set("k", "v");
    redis.send(Command.of("BLPOP", "never", "0"));
    redis.subscribe("news");
    redis.blocking().get("k");
  }

  @Test
  void inVm_closedInAnyOrder_logsNothing() {
    try (Log log = new Log()) {
      for (int i = 0; i < 30; i++) {
        RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient redis = RedisClient.open(server.inVmUrl());
        use(redis);
        if (i % 2 == 0) {
          redis.close();
          server.close();
        } else {
          server.close();
          redis.close();
        }
      }
      assertThat(log.lines.stream().filter(line -> line.contains("io.netty"))).isEmpty();
    }
  }

  @Test
  void closedClientAndServer_leaveNoThreadThatKeepsTheJvmAlive() throws IOException {
    for (String kind : List.of("tcp", "in-vm")) {
      RedisServer server = RedisServer.builder().port(0).inVm().start();
      RedisClient redis = RedisClient.open(kind.equals("tcp") ? server.url() : server.inVmUrl());
      use(redis);
      redis.close();
      server.close();
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .noneMatch(name -> name.startsWith("globalEventExecutor"));
    }
  }
}
