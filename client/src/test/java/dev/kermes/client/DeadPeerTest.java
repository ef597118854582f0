package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static dev.kermes.testing.ScriptedPeer.ECHO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Route;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that are dead, or only seem to be. */
@Timeout(60)
class DeadPeerTest {
  private static final Duration RECOVERY_MAX = Duration.ofSeconds(5);

  /**
   * Sends nothing while {@code isHole}, and never again on connections that were made or used in
   * that time: the worst kind of black hole, because not even late replies arrive.
   */
  private static ScriptedPeer.Script swallowing(
      AtomicBoolean isHole, ScriptedPeer.Script otherwise) {
    return (conversation, request) -> {
      if (isHole.get()) conversation.ignoreRequests();
      if (!conversation.ignoresRequests()) otherwise.on(conversation, request);
    };
  }

  @Test
  @DisplayName("black hole: commands and subscriptions are back within 5 s of its end")
  void blackHole_recovery() throws Exception {
    AtomicBoolean isHole = new AtomicBoolean();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getFirst().equals("SUBSCRIBE")) conversation.confirm(request);
          else conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer =
            new ScriptedPeer(swallowing(isHole, script), swallowing(isHole, ScriptedPeer::greet));
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).commandTimeout(Duration.ofMinutes(1)).build());
        Subscription reporter = redis.subscribe("c")) {
      assertThat(redis.call(echo("before"))).isEqualTo("before");
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
      isHole.set(true);
      RedisException lost = Failures.<@Nullable Object>of(redis, echo("into the hole"));
      assertThat(lost).hasMessageContaining("peer is silent");
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Lost.class);
      while (peer.accepted() < 4) Thread.sleep(1); // both have retried without success
      isHole.set(false);
      long end = System.nanoTime();
      assertThat(redis.call(echo("after"))).isEqualTo("after");
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Resumed());
      assertThat(Duration.ofNanos(System.nanoTime() - end)).isLessThan(RECOVERY_MAX);
    }
  }

  @Test
  @DisplayName("half-open socket: a subscription detects the dead connection by itself")
  void halfOpenSubscription() throws Exception {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getFirst().equals("SUBSCRIBE")) conversation.confirm(request);
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).deadPeerTimeout(Duration.ofMillis(150)).build());
        Subscription reporter = redis.subscribe("c")) {
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
      assertThat(reporter.take())
          .isInstanceOfSatisfying(
              SubscriptionEvent.Lost.class,
              lost -> assertThat(lost.cause()).hasMessageContaining("peer is silent"));
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
    }
  }

  @Test
  @DisplayName("a quiet subscription to a live server is not closed, in RESP2 and RESP3")
  void quietSubscription() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      for (int respVersion : List.of(2, 3)) {
        RedisOptions options =
            RedisOptions.url(server.url())
                .respVersion(respVersion)
                .deadPeerTimeout(Duration.ofMillis(60))
                .build();
        try (RedisClient redis = RedisClient.open(options);
            Subscription reporter = redis.subscribe("c")) {
          assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
          RealCluster.await(() -> pings(redis) >= 5);
          redis.call(Command.of("PUBLISH", "c", "x"));
          assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Message.class);
        }
        try (RedisClient admin = RedisClient.open(server.url())) {
          admin.call(Command.of("CONFIG", "RESETSTAT"));
        }
      }
    }
  }

  private static int pings(RedisClient redis) {
    String stats = redis.blocking().info("commandstats");
    int at = stats.indexOf("cmdstat_ping:calls=");
    if (at < 0) return 0;
    int from = at + "cmdstat_ping:calls=".length();
    return Integer.parseInt(stats.substring(from, stats.indexOf(',', from)));
  }

  @Test
  @DisplayName(
      "a user without permission to PING stays connected, and the next channel is not refused")
  void quietSubscription_withoutPermissionToPing() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient admin = RedisClient.open(server.url())) {
      admin.call(Command.of("ACL", "SETUSER", "u", "on", ">p", "+@all", "-ping", "allchannels"));
      RedisOptions options =
          RedisOptions.url("redis://u:p@127.0.0.1:" + server.port())
              .deadPeerTimeout(Duration.ofMillis(60))
              .build();
      try (RedisClient redis = RedisClient.open(options);
          Subscription reporter = redis.subscribe("c")) {
        assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
        RealCluster.await(() -> redis.blocking().info("commandstats").contains("cmdstat_ping"));
        for (int i = 0; i < 50; i++) {
          try (Subscription more = redis.subscribe("c" + i)) {
            assertThat(more.take()).isEqualTo(new SubscriptionEvent.Confirmed("c" + i));
          }
        }
        redis.call(Command.of("PUBLISH", "c", "x"));
        assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Message.class);
      }
    }
  }

  @Test
  @DisplayName("a server that delays the reply to a blocking command is not treated as dead")
  void blockingCommand_isNotTreatedAsSilence() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient other = RedisClient.open(server.url());
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(server.url()).deadPeerTimeout(Duration.ofMillis(50)).build())) {
      Command<?> blpop = Command.of("BLPOP", "k", "0");
      RedisFuture<?> one = redis.send(blpop);
      RedisFuture<?> many = redis.sendAll(List.of(Command.of("BLPOP", "l", "0"), blpop));
      for (int i = 0; i < 30; i++) {
        other.call(Command.of("PING"));
        Thread.sleep(10); // the silence itself
      }
      assertThat(one.isDone() || many.isDone()).isFalse();
      other.call(Command.of("RPUSH", "l", "1"));
      other.call(Command.of("RPUSH", "k", "1", "2"));
      assertThat(one.join()).isIn(List.of("k", "1"), List.of("k", "2"));
      assertThat(many.join()).isNotNull();
    }
  }

  @Test
  @DisplayName("a server that hangs while a command waits in it is detected")
  void blockingCommand_onAServerThatHangs() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer((conversation, request) -> {});
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).deadPeerTimeout(Duration.ofMillis(100)).build())) {
      RedisFuture<@Nullable Object> blpop = redis.send(Command.of("BLPOP", "k", "0"));
      assertThat(Failures.of(blpop))
          .isInstanceOfSatisfying(
              ConnectionLostException.class, lost -> assertThat(lost.mayHaveExecuted()).isTrue())
          .hasMessageContaining("peer is silent");
    }
  }

  @Test
  @DisplayName("a peer that closes after the handshake is reconnected with growing delays")
  void handshakeOnly_reconnectsWithBackoff() throws IOException {
    ScriptedPeer.Script shakesHands =
        (conversation, request) -> {
          ScriptedPeer.greet(conversation, request);
          conversation.hangUp();
        };
    try (ScriptedPeer peer = new ScriptedPeer(ECHO, shakesHands)) {
      RedisOptions options =
          RedisOptions.url(peer.url()).setsInfo(false).backoffFirst(Duration.ofMillis(100)).build();
      long start = System.nanoTime();
      try (RedisClient redis = RedisClient.open(options)) {
        redis.connected().toCompletableFuture().join();
        RealCluster.await(() -> peer.accepted() == 4);
        // At least half of 100, 200 and 400 ms.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isGreaterThan(Duration.ofMillis(349));
      }
    }
  }

  @Test
  @DisplayName("a connection that has served commands is replaced at once")
  void usefulConnection_isReplacedAtOnce() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getLast().equals("end")) conversation.hangUp();
          else conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).backoffFirst(Duration.ofHours(1)).build())) {
      for (int i = 0; i < 20; i++) {
        assertThat(redis.call(echo("x"))).isEqualTo("x");
        assertThat(Failures.<@Nullable Object>of(redis, echo("end")))
            .isInstanceOf(ConnectionLostException.class);
      }
    }
  }

  @Test
  @DisplayName("a command with a longer timeout than the allowed silence gets its reply")
  void slowCommand_withOwnDeadline_isAnswered() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options =
          RedisOptions.url(server.url()).deadPeerTimeout(Duration.ofMillis(200)).build();
      try (RedisClient redis = RedisClient.open(options);
          DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
        redis.call(Command.of("CONFIG", "SET", "busy-reply-threshold", "0"));
        Command<@Nullable Object> sleep =
            Command.of("EVAL", BUSY, "0").withTimeout(Duration.ofSeconds(30));
        RedisFuture<@Nullable Object> before = redis.send(Command.of("PING"));
        RedisFuture<@Nullable Object> slow = redis.send(sleep);
        RedisFuture<@Nullable Object> behind = redis.send(Command.of("PING"));
        assertThat(before.join()).isEqualTo("PONG");
        assertThat(slow.join()).isEqualTo(1L);
        assertThat(behind.join()).isEqualTo("PONG");
        assertThat(own.send(sleep).join()).isEqualTo(1L);
        assertThat(redis.sendAll(List.of(sleep, Command.of("PING"))).join())
            .isEqualTo(List.of(1L, "PONG"));
        assertThat(redis.transaction(List.of(sleep)).join().replies()).hasSize(1);
      }
    }
  }

  /** About a second of work; TIME does not advance within a script of Redis 8. */
  private static final String BUSY = "for i = 1, 2e8 do end return 1";

  @Test
  @DisplayName("a slow read is executed once, with and without a deadline of its own")
  void slowRead_isExecutedOnce() throws Exception {
    for (boolean hasOwnDeadline : new boolean[] {true, false}) {
      try (RealRedis server = RealRedis.start();
          RedisClient admin = RedisClient.open(server.url())) {
        admin.call(Command.of("CONFIG", "SET", "busy-reply-threshold", "0"));
        RedisOptions options =
            RedisOptions.url(server.url()).deadPeerTimeout(Duration.ofMillis(200)).build();
        try (RedisClient redis = RedisClient.open(options)) {
          Command<@Nullable Object> read = Command.of("EVAL_RO", BUSY, "0");
          if (hasOwnDeadline) {
            read = read.withTimeout(Duration.ofSeconds(60));
            assertThat(redis.call(read)).isEqualTo(1L);
          } else {
            assertThat(Failures.of(redis, read))
                .isInstanceOfSatisfying(
                    ConnectionLostException.class, e -> assertThat(e.mayHaveExecuted()).isTrue());
          }
          assertThat(redis.blocking().info("commandstats")).contains("cmdstat_eval_ro:calls=1,");
        }
      }
    }
  }

  @Test
  @DisplayName(
      "a command lost to silence waits for another server of the cluster, up to its deadline")
  void silence_inCluster_isNotRetriedAtSameServer() throws Exception {
    try (RealCluster cluster = RealCluster.start(0)) {
      RealCluster.Member owner = cluster.masterOf(Route.of(EncodedCommand.of("GET", "k")).slot());
      owner.call("CONFIG", "SET", "busy-reply-threshold", "0");
      owner.call("CONFIG", "RESETSTAT");
      RedisOptions options =
          cluster
              .options()
              .deadPeerTimeout(Duration.ofMillis(200))
              .commandTimeout(Duration.ofSeconds(3))
              .build();
      try (RedisClient redis = RedisClient.open(options)) {
        Command<@Nullable Object> read = Command.of("EVAL_RO", BUSY + " + #KEYS - 1", "1", "k");
        assertThat(Failures.of(redis, read)).isInstanceOf(CommandTimeoutException.class);
        RealCluster.await(() -> {
          String stats = (String) owner.call("INFO", "commandstats");
          return stats != null && stats.contains("cmdstat_eval_ro:calls=1,");
        });
      }
    }
  }
}
