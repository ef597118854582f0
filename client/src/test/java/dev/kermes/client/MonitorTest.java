package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.Collected;
import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MONITOR as a subscription and as a publisher. */
@Timeout(60)
class MonitorTest extends ServersUnderTest {
  private static String nextAbout(Collected<SubscriptionEvent> seen, String word)
      throws InterruptedException {
    while (true) {
      if (seen.take() instanceof SubscriptionEvent.Message line && line.text().contains(word)) {
        return line.text();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void lines_onceConfirmed_evenAfterLoss_untilCancelled(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      Subscription monitor = redis.monitor(new SubscriptionOptions());
      monitor.confirmed().toCompletableFuture().join();
      Collected<SubscriptionEvent> seen = Collected.of(monitor.publisher());
      assertThat(seen.take()).isEqualTo(new SubscriptionEvent.Confirmed("MONITOR"));
      redis.call(Command.of("SET", "first", "a b"));
      assertThat(nextAbout(seen, "first")).endsWith("\"SET\" \"first\" \"a b\"");
      redis.call(Command.of("CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal"));
      SubscriptionEvent event = seen.take();
      while (!(event instanceof SubscriptionEvent.Resumed)) event = seen.take();
      redis.call(Command.of("SET", "second", "x"));
      assertThat(nextAbout(seen, "second")).contains("\"second\"");
      seen.cancel();
      RealCluster.await(() -> !redis.blocking().clientList().contains("cmd=monitor"));
      assertThat(seen.failures()).isEmpty();
    }
  }

  @Test
  void slowReader_losesOldestLines() throws Exception {
    try (RedisClient redis = RedisClient.open(redisServer().url());
        Subscription monitor = redis.monitor(SubscriptionOptions.ofBuffer(4))) {
      monitor.confirmed().toCompletableFuture().join();
      for (int i = 0; i < 100; i++) redis.call(Command.of("PING", Integer.toString(i)));
      RealCluster.await(() -> monitor.dropped() >= 96);
      assertThat(monitor.take()).isInstanceOf(SubscriptionEvent.Dropped.class);
    }
  }

  @Test
  void refused_isReported() {
    try (RealRedis server = RealRedis.start();
        RedisClient admin = RedisClient.open(server.url())) {
      admin.call(Command.of("ACL", "SETUSER", "u", "on", ">p", "+@all", "-monitor"));
      try (RedisClient redis = RedisClient.open("redis://u:p@127.0.0.1:" + server.port());
          Subscription monitor = redis.monitor(new SubscriptionOptions())) {
        assertThatThrownBy(() -> monitor.confirmed().toCompletableFuture().join())
            .hasMessageContaining("NOPERM");
      }
    }
  }

  @Test
  void silence_ofLiveServer_isNotALoss() throws Exception {
    RedisOptions options =
        RedisOptions.url(redisServer().url()).deadPeerTimeout(Duration.ofMillis(60)).build();
    try (RedisClient redis = RedisClient.open(options);
        Subscription monitor = redis.monitor(new SubscriptionOptions())) {
      assertThat(monitor.take()).isEqualTo(new SubscriptionEvent.Confirmed("MONITOR"));
      for (int i = 0; i < 5; i++) {
        SubscriptionEvent line = Objects.requireNonNull(monitor.take()); // the health check's PING
        assertThat(line).isInstanceOf(SubscriptionEvent.Message.class);
      }
    }
  }
}
