package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The notifications of the client's observer. */
@Timeout(60)
class ObserverTest {
  private final List<String> log = new CopyOnWriteArrayList<>();

  private CommandObserver.Observation begin(String command) {
    log.add(command);
    return (node, failure) -> log.add(command + (failure == null ? " done" : " failed"));
  }

  @Test
  void dedicatedConnection_isObserved() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      RedisOptions options = RedisOptions.url(server.url()).observer(this::begin).build();
      try (RedisClient redis = RedisClient.open(options);
          DedicatedConnection own = redis.dedicated().toCompletableFuture().get()) {
        own.send(Command.of("WATCH", "k")).join();
        own.transaction(List.of(Command.of("INCR", "k"))).join();
        assertThat(Failures.of(own.<@Nullable Object>send(Command.of("INCR"))))
            .isInstanceOf(ServerErrorException.class);
        RealCluster.await(() -> log.size() == 6);
        assertThat(log).containsSubsequence("WATCH", "WATCH done", "TRANSACTION");
        assertThat(log).contains("TRANSACTION done", "INCR", "INCR failed");
      }
    }
  }
}
