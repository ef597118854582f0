package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results do not wait for the executor, which may be busy with callbacks that wait for results. */
@Timeout(60)
class ExecutorTest {
  private static final Executor BUSY = callback -> {};

  private static final Executor CLOSED =
      callback -> {
        throw new RejectedExecutionException("of the test");
      };

  @Test
  void unknownScript_doesNotNeedExecutor() {
    Script<Long> script = Script.of("return #ARGV", Replies.integer());
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(busy(server.url()))) {
      assertThat(redis.run(script, List.of(), List.of("a", "b")).join()).isEqualTo(2);
    }
  }

  @Test
  void cache_doesNotNeedExecutor() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(busy(server.url()));
        ReadCache cache = redis.cache(Duration.ofMinutes(1), 1 << 20)) {
      redis.blocking().set("k", "1");
      assertThat(cache.blocking().get("k")).isEqualTo("1");
    }
  }

  @Test
  void cluster_splitsAndJoins_withoutExecutor() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis = RedisClient.open(cluster.options().executor(BUSY).build())) {
      redis.blocking().mset(Map.of("a", "1", "b", "2", "c", "3"));
      assertThat(redis.blocking().mget("a", "b", "c")).containsExactly("1", "2", "3");
      assertThat(redis.blocking().dbsize()).isEqualTo(3);
      Command<?> get = Command.of("GET", "a");
      assertThat(redis.sendAll(List.of(get, Command.of("GET", "b"))).join()).hasSize(2);
      assertThat(redis.transaction(List.of(get)).join().replies()).hasSize(1);
    }
  }

  @Test
  void executorThatRejects_completesAllStages() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis =
            RedisClient.open(RedisOptions.url(server.url()).executor(CLOSED).build())) {
      try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join();
          Subscription reporter = redis.subscribe("news")) {
        assertThat(own).isNotNull();
        assertThat(reporter.confirmed().toCompletableFuture().join()).isSameAs(reporter);
      }
    }
  }

  private static RedisOptions busy(String url) {
    return RedisOptions.url(url).executor(BUSY).build();
  }
}
