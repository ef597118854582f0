package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines of our client, which has the clock of the test. */
@Timeout(60)
class ClientClockTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static RedisOptions options(TestServer server, String url, Duration timeout) {
    return RedisOptions.url(url)
        .clock(server.clock()::nanos)
        .commandTimeout(timeout)
        .deadPeerTimeout(Duration.ZERO)
        .build();
  }

  @Test
  void advance_endsACommandWithoutAReply() {
    try (TestServer server = TestServer.start();
        RedisClient redis =
            RedisClient.open(options(server, server.url(), Duration.ofSeconds(10)))) {
      assertThat(redis.blocking().ping()).isEqualTo("PONG");
      server.faults().on("GET").loseReply();
      CompletableFuture<@Nullable String> lost = redis.async().get("k").toCompletableFuture();
      server.clock().advance(Duration.ofSeconds(9));
      assertThat(lost).isNotDone();
      server.clock().advance(Duration.ofSeconds(1));
      assertThat(lost)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(CommandTimeoutException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster"})
  void machinesTime_doesNotEndACommand(String kind) {
    try (TestServer server = TestServer.start();
        KermesCluster cluster = KermesCluster.builder().masters(1).withFaults().start()) {
      TestDeployment deployment = kind.equals("single") ? server : cluster;
      try (RedisClient redis =
          RedisClient.open(options(server, deployment.url(), Duration.ofMillis(1)))) {
        deployment.faults().on("GET").delay(Duration.ofMillis(100));
        assertThat(redis.blocking().set("k", "v")).isEqualTo("OK");
        assertThat(redis.blocking().get("k")).isEqualTo("v");
      }
    }
  }

  @Test
  void advance_endsABlockingCommandInTheServer_andNotInTheClient() {
    try (TestServer server = TestServer.start();
        RedisClient redis =
            RedisClient.open(options(server, server.url(), Duration.ofSeconds(10)))) {
      var popped = redis.async().blpop("jobs", 30);
      NodeProcess.await(
          "blocked", () -> redis.blocking().info("clients").contains("blocked_clients:1"));
      server.clock().advance(Duration.ofSeconds(31));
      assertThat(popped.toCompletableFuture()).succeedsWithin(PATIENCE).isNull();
    }
  }

  @Test
  void advance_endsARetryInACluster() {
    try (TestServer clock = TestServer.start();
        KermesCluster cluster = KermesCluster.builder().masters(1).withFaults().start();
        RedisClient redis =
            RedisClient.open(options(clock, cluster.url(), Duration.ofSeconds(10)))) {
      assertThat(redis.blocking().set("k", "v")).isEqualTo("OK");
      FaultRule rule = cluster.faults().on("GET").error("TRYAGAIN later");
      CompletableFuture<@Nullable String> refused = redis.async().get("k").toCompletableFuture();
      NodeProcess.await("tried again", () -> rule.hits() > 1);
      assertThat(refused).isNotDone();
      clock.clock().advance(Duration.ofSeconds(10));
      assertThat(refused)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(CommandTimeoutException.class);
    }
  }
}
