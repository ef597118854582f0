package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.RealRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts, and transactions that depend on what they read. */
@Timeout(60)
class ScriptTest {
  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());
  private static final Script<Long> ADD =
      Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer());

  private static RealRedis server;
  private static RedisClient redis;

  @BeforeAll
  static void start() {
    server = RealRedis.start();
    redis = RedisClient.open(server.url());
  }

  @AfterAll
  static void stop() {
    redis.close();
    server.close();
  }

  @BeforeEach
  void clean() {
    redis.blocking().flushall();
    redis.blocking().scriptFlush();
    redis.call(Command.of("CONFIG", "RESETSTAT"));
  }

  @Test
  void run_unknownScript_fallsBackToEvalOnce() {
    assertThat(redis.run(ADD, List.of("n"), List.of("5")).join()).isEqualTo(5);
    assertThat(redis.run(ADD, List.of("n"), List.of("2")).join()).isEqualTo(7);
    String stats = redis.blocking().info("commandstats");
    assertThat(stats).contains("cmdstat_eval:calls=1,").contains("cmdstat_evalsha:calls=2,");
    redis.blocking().scriptFlush();
    assertThat(redis.run(ADD, List.of("n"), List.of("1")).join()).isEqualTo(8);
  }

  @Test
  void run_scriptThatFails_failsWithItsError() {
    redis.blocking().set("s", "no number");
    assertThatThrownBy(() -> redis.run(ADD, List.of("s"), List.of("1")).join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("not an integer");
  }

  @Test
  void run_readOnly_cannotWrite() {
    assertThatThrownBy(() -> redis.run(ADD.readOnly(), List.of("n"), List.of("1")).join())
        .hasMessageContaining("Write commands are not allowed");
  }

  @Test
  void watch_underContention_everyIncrementCounts() {
    redis.blocking().set("n", "0");
    List<CompletableFuture<TransactionResult>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(
          redis
              .watch(
                  List.of("n"),
                  own ->
                      own.send(COMMANDS.get("n"))
                          .thenApply(
                              old -> List.of(COMMANDS.set("n", "" + (Long.parseLong(old) + 1)))))
              .toCompletableFuture());
    }
    for (CompletableFuture<TransactionResult> one : all) {
      assertThat(one.join().isAborted()).isFalse();
    }
    assertThat(redis.blocking().get("n")).isEqualTo("20");
  }

  @Test
  void watch_bodyThrows_failsAndReturnsConnection() {
    for (int i = 0; i < 20; i++) { // more than the number of connections
      assertThatThrownBy(() ->
              redis
                  .watch(
                      List.of("n"),
                      own -> {
                        throw new IllegalStateException("no");
                      })
                  .toCompletableFuture()
                  .join())
          .hasCauseInstanceOf(IllegalStateException.class);
    }
  }
}
