package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.RealRedis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scans as publishers. */
@Timeout(60)
class ScanTest {
  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  /** Collects all elements, requested one by one. */
  private static <T> List<T> all(Flow.Publisher<T> publisher) {
    CompletableFuture<List<T>> all = new CompletableFuture<>();
    publisher.subscribe(
        new Flow.Subscriber<>() {
          private final List<T> seen = new ArrayList<>();
          private Flow.@Nullable Subscription flow;

          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            flow = subscription;
            subscription.request(1);
          }

          @Override
          public void onNext(T element) {
            seen.add(element);
            Objects.requireNonNull(flow).request(1);
          }

          @Override
          public void onError(Throwable failure) {
            all.completeExceptionally(failure);
          }

          @Override
          public void onComplete() {
            all.complete(seen);
          }
        });
    return all.join();
  }

  @Test
  void scan_inCluster_visitsAllMasters() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis = RedisClient.open(cluster.options().build())) {
      redis.blocking().ping();
      Set<String> keys = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        keys.add("key" + i);
        redis.blocking().set("key" + i, "x");
      }
      assertThat(all(redis.scan(COMMANDS::scan))).containsExactlyInAnyOrderElementsOf(keys);
      try (RedisClient fresh = RedisClient.open(cluster.options().build())) {
        assertThat(all(fresh.scan(COMMANDS::scan))).containsExactlyInAnyOrderElementsOf(keys);
      }
      for (int i = 0; i < 500; i++) redis.blocking().sadd("members", "m" + i);
      assertThat(all(redis.scan(cursor -> COMMANDS.sscan("members", cursor)))).hasSize(500);
    }
  }

  @Test
  void scan_ofEmptyDatabase_completes_errorEndsIt() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      assertThat(all(redis.scan(COMMANDS::scan))).isEmpty();
      redis.blocking().set("k", "x");
      assertThatThrownBy(() -> all(redis.scan(cursor -> COMMANDS.sscan("k", cursor))))
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(ServerErrorException.class);
    }
  }
}
