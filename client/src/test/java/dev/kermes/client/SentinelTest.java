package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real master, a real replica and a real sentinel. */
@Timeout(120)
class SentinelTest {
  /** The servers and the client of one test. */
  private static final class Setting implements AutoCloseable {
    final RealRedis master = RealRedis.start();
    final RealRedis replica =
        RealRedis.start(
            "--replicaof", "127.0.0.1 " + master.port(), "--repl-diskless-sync-delay", "0");
    final RealRedis sentinel;

    Setting() {
      sentinel =
          RealRedis.startSentinel(
              "bind 127.0.0.1",
              "sentinel monitor mymaster 127.0.0.1 %d 1".formatted(master.port()),
              "sentinel down-after-milliseconds mymaster 500",
              "sentinel failover-timeout mymaster 5000");
      try (RedisClient asking = RedisClient.open(sentinel.url())) {
        RealCluster.await(() ->
            ((List<?>) Objects.requireNonNull(ask(asking, "REPLICAS"))).size() == 1
                && isSynchronized());
      }
    }

    private static Object ask(RedisClient sentinel, String question) {
      Object answer = sentinel.call(Command.of("SENTINEL", question, "mymaster"));
      return Objects.requireNonNull(answer);
    }

    private boolean isSynchronized() {
      try (RedisClient asking = RedisClient.open("redis://127.0.0.1:" + replica.port())) {
        return asking.blocking().info("replication").contains("master_link_status:up");
      }
    }

    RedisOptions.Builder options() {
      return RedisOptions.url(
          "redis-sentinel://127.0.0.1:" + sentinel.port() + "/0?master=mymaster");
    }

    @Override
    public void close() {
      sentinel.close();
      replica.close();
      master.close();
    }
  }

  @Test
  void failover_underLoad_continuesWithReplica() throws Exception {
    try (Setting setting = new Setting();
        RedisClient redis = RedisClient.open(setting.options().build())) {
      redis.blocking().set("key", "value");
      assertThat(redis.blocking().mget("key", "other")).containsExactly("value", null);
      redis.call(Command.of("WAIT", "1", "1000"));

      AtomicBoolean isOver = new AtomicBoolean();
      AtomicLong wrong = new AtomicLong();
      Thread reader =
          Thread.ofVirtual()
              .start(() -> {
                while (!isOver.get()) {
                  if (!"value".equals(redis.blocking().get("key"))) wrong.incrementAndGet();
                }
              });
      setting.master.close();
      assertThat(redis.blocking().get("key")).isEqualTo("value"); // waits for the new master
      redis.call(new Commands<>(Codec.utf8(), Codec.utf8()).set("key2", "x").repeatable());
      isOver.set(true);
      reader.join();
      assertThat(wrong).hasValue(0);
      assertThat(redis.blocking().info("server")).contains("tcp_port:" + setting.replica.port());
    }
  }

  @Test
  void failover_onDemand_isFollowedByReadonlyOrAnnouncement() throws Exception {
    try (Setting setting = new Setting();
        RedisClient sentinel = RedisClient.open("redis://127.0.0.1:" + setting.sentinel.port());
        RedisClient redis = RedisClient.open(setting.options().build())) {
      redis.blocking().set("n", "0");
      long count = 0;
      RealCluster.await(() -> canFailOver(sentinel));
      while (!redis.blocking().info("server").contains("tcp_port:" + setting.replica.port())) {
        try {
          redis.blocking().set("n", Long.toString(++count));
        } catch (ConnectionLostException e) {
          assertThat(e.mayHaveExecuted()).isTrue(); // reported instead of being repeated
        }
      }
      redis.blocking().set("n", "last");
      assertThat(redis.blocking().get("n")).isEqualTo("last");
    }
  }

  /** Starts a failover once the sentinel knows enough about the replica. */
  private static boolean canFailOver(RedisClient sentinel) {
    try {
      Setting.ask(sentinel, "FAILOVER");
      return true;
    } catch (ServerErrorException e) {
      assertThat(e.code()).isEqualTo("NOGOODSLAVE");
      return false;
    }
  }

  @Test
  void replica_answersReads() throws Exception {
    try (Setting setting = new Setting();
        RedisClient redis =
            RedisClient.open(
                setting
                    .options()
                    .readFrom(ReadFrom.PREFER_REPLICA)
                    .topologyPeriod(Duration.ofMillis(200))
                    .build());
        RedisClient replica = RedisClient.open("redis://127.0.0.1:" + setting.replica.port())) {
      redis.blocking().set("key", "value");
      RealCluster.await(() -> {
        redis.blocking().get("key");
        return replica.blocking().info("commandstats").contains("cmdstat_get:");
      });
    }
  }

  @Test
  void unknownMaster_commandsFailAtTheirDeadline() throws Exception {
    try (Setting setting = new Setting();
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(
                        "redis-sentinel://127.0.0.1:" + setting.sentinel.port() + "?master=nobody")
                    .commandTimeout(Duration.ofMillis(300))
                    .build())) {
      assertThatThrownBy(() -> redis.blocking().get("key"))
          .isInstanceOf(CommandTimeoutException.class);
    }
  }
}
