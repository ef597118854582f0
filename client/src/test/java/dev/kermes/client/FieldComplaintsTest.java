package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Complaints of users of other clients that no other test class covers. Covered elsewhere:
 *
 * <pre>
 *   lost futures, replies out of step    RandomFaultsTest, ConnectionFaultsTest, ClosingTest
 *   network drops that last for minutes  DeadPeerTest
 *   lost subscriptions                   PubSubTest, ClusterChangesTest
 *   memory of queues                     QueueMemoryTest
 *   caching, in clusters too             ReadCacheTest
 *   suspending functions that hang       FaultsTest of the Kotlin face
 * </pre>
 */
@Timeout(60)
class FieldComplaintsTest {
  @Test
  @DisplayName("flushing: commands that are sent together reach the server together")
  void flushing() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      long readsBefore = reads(redis);
      List<RedisFuture<@Nullable Object>> futures = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) futures.add(redis.send(echo("x")));
      for (RedisFuture<@Nullable Object> future : futures) assertThat(future.join()).isEqualTo("x");
      assertThat(reads(redis) - readsBefore).isLessThan(1000);
    }
  }

  /** How often the server has read from its sockets. */
  private static long reads(RedisClient redis) {
    String reads = redis.blocking().info("stats").replaceAll("(?s).*total_reads_processed:", "");
    return Long.parseLong(reads.lines().findFirst().orElseThrow());
  }

  @Test
  @DisplayName("LOADING: commands wait until the server has loaded its data, up to their deadline")
  void loading() throws IOException {
    AtomicInteger refusals = new AtomicInteger(3);
    ScriptedPeer.Script script =
        (conversation, request) -> {
          boolean isLoading = request.getLast().equals("never") || refusals.getAndDecrement() > 0;
          if (isLoading) conversation.reply("-LOADING Redis is loading the dataset in memory\r\n");
          else conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(redis.call(echo("patient"))).isEqualTo("patient");
      Command<@Nullable Object> hasty = echo("never").withTimeout(Duration.ofMillis(100));
      assertThat(Failures.<@Nullable Object>of(redis, hasty))
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("LOADING");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("READONLY: with one server, the error is the result")
  void readonly_oneServer() throws IOException {
    try (ScriptedPeer peer =
            new ScriptedPeer((to, request) -> to.reply("-READONLY no writes here\r\n"));
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(Failures.<@Nullable Object>of(redis, Command.of("SET", "k", "v")))
          .isInstanceOfSatisfying(
              ServerErrorException.class, e -> assertThat(e.code()).isEqualTo("READONLY"));
    }
  }

  @Test
  @DisplayName("READONLY: after a master has become a replica, the topology is refreshed")
  void readonly_cluster() throws IOException {
    AtomicInteger questions = new AtomicInteger();
    try (ScriptedPeer after = new ScriptedPeer((to, request) -> to.reply("+OK\r\n"));
        ScriptedPeer before =
            new ScriptedPeer((to, request) -> {
              if (!request.getFirst().equals("CLUSTER")) to.reply("-READONLY no writes here\r\n");
              else to.reply(slots(questions.getAndIncrement() == 0 ? to.port() : after.port()));
            });
        RedisClient redis = RedisClient.open("redis-cluster://127.0.0.1:" + before.port())) {
      assertThat(redis.call(Command.of("SET", "k", "v"))).isEqualTo("OK");
      assertThat(questions.get()).isGreaterThan(1);
    }
  }

  /** The answer to CLUSTER SLOTS of a cluster of one. */
  private static String slots(int port) {
    return "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n";
  }

  @Test
  @DisplayName("virtual threads: a thousand wait on one connection, and no pool runs out")
  void virtualThreads() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(ScriptedPeer.ECHO);
        RedisClient redis = RedisClient.open(peer.url())) {
      AtomicInteger right = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        String word = "w" + i;
        threads.add(
            Thread.startVirtualThread(() -> {
              if (word.equals(redis.call(echo(word)))) right.getAndIncrement();
            }));
      }
      for (Thread thread : threads) thread.join();
      assertThat(right).hasValue(1000);
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("sharing one connection: a command that blocks in the server delays no other")
  void sharing() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (!request.getFirst().equals("BLPOP")) conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      RedisFuture<@Nullable Object> waiting = redis.send(Command.of("BLPOP", "k", "0"));
      assertThat(redis.call(echo("at once"))).isEqualTo("at once");
      assertThat(waiting.isDone()).isFalse();
    }
  }
}
