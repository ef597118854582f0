package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that give up: by cancelling, by a timeout or by an interrupt. */
@SuppressWarnings("NullAway") // it infers that replies are not null
@Timeout(30)
class CancellationTest {
  private RealRedis server;
  private RedisClient redis;

  @BeforeEach
  void start() throws Exception {
    server = RealRedis.start();
    redis = RedisClient.open(server.url());
  }

  @AfterEach
  void stop() {
    redis.close();
    server.close();
  }

  private boolean isBlocked(int count) {
    return redis.blocking().info("clients").contains("blocked_clients:" + count + "\r\n");
  }

  @Test
  void stage_completedByHand_cancelsCommandInServer() {
    List<Consumer<RedisFuture<?>>> ways =
        List.of(
            future -> future.cancel(true),
            future -> future.toCompletableFuture().cancel(true),
            future -> future.toCompletableFuture().orTimeout(1, TimeUnit.MILLISECONDS),
            future -> future.thenApply(Object::toString).toCompletableFuture().cancel(false),
            future ->
                future
                    .thenCompose(CompletableFuture::completedStage)
                    .thenAccept(any -> {})
                    .toCompletableFuture()
                    .orTimeout(1, TimeUnit.MILLISECONDS),
            future ->
                future.toCompletableFuture().completeExceptionally(new IllegalStateException()),
            future -> future.handle((value, failure) -> 1).toCompletableFuture().cancel(true));
    for (Consumer<RedisFuture<?>> way : ways) {
      RedisFuture<?> waiting = redis.async().blpop(List.of("never"), 0);
      RealCluster.await(() -> isBlocked(1));
      way.accept(waiting);
      RealCluster.await(() -> isBlocked(0));
      assertThat(waiting.isCancelled()).isTrue();
    }
  }

  @Test
  void script_cancelled_cancelsCommandInFlight() {
    RedisFuture<?> running =
        redis.run(Script.of("while true do end", Replies.any()), List.of(), List.of());
    assertThat(running.cancel(false)).isTrue();
    assertThat(running.isCancelled()).isTrue();
    RealCluster.await(() -> killed());
  }

  private boolean killed() {
    try (RedisClient other = RedisClient.open(server.url())) {
      return "OK".equals(other.call(Command.of("SCRIPT", "KILL")));
    } catch (ServerErrorException e) {
      return e.code().equals("NOTBUSY");
    }
  }

  private static Thread run(boolean isVirtual, Runnable task, AtomicReference<Throwable> failure) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (Throwable e) {
            failure.set(Thread.currentThread().isInterrupted() ? e : new AssertionError(e));
          }
        };
    return isVirtual ? Thread.ofVirtual().start(guarded) : Thread.ofPlatform().start(guarded);
  }

  @Test
  void interrupt_endsBlockingCalls() throws Exception {
    List<Consumer<RedisClient>> calls =
        List.of(
            one -> one.blocking().blpop(List.of("never"), 0),
            one -> one.call(Command.of("BLPOP", "never", "0")),
            one -> one.cache(Duration.ofMinutes(1), 1 << 20).blocking().blpop(List.of("never"), 0));
    for (Consumer<RedisClient> call : calls) {
      for (boolean isVirtual : new boolean[] {true, false}) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try (RedisClient own = RedisClient.open(redis.options())) {
          Thread waiting = run(isVirtual, () -> call.accept(own), failure);
          RealCluster.await(() -> isBlocked(1));
          waiting.interrupt();
          assertThat(waiting.join(Duration.ofSeconds(5))).isTrue();
          RealCluster.await(() -> isBlocked(0));
        }
        assertThat(failure.get())
            .isInstanceOf(CommandCancelledException.class)
            .hasMessageContaining("interrupted");
      }
    }
  }

  @Test
  void interrupt_beforeCall_endsCallToo() throws Exception {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Runnable call =
        () -> {
          Thread.currentThread().interrupt();
          redis.blocking().blpop(List.of("never"), 0);
        };
    assertThat(run(false, call, failure).join(Duration.ofSeconds(5))).isTrue();
    assertThat(failure.get()).isInstanceOf(CommandCancelledException.class);
    assertThat(redis.blocking().set("k", "v")).isEqualTo("OK");
  }

  @Test
  void interrupt_ofJoin_keepsFlag() throws Exception {
    RedisFuture<?> waiting = redis.async().blpop(List.of("q"), 0);
    AtomicReference<@Nullable Object> result = new AtomicReference<>();
    Thread joining =
        Thread.ofPlatform()
            .start(() -> {
              Object popped = waiting.join();
              result.set(Thread.currentThread().isInterrupted() ? popped : null);
            });
    joining.interrupt();
    RealCluster.await(() -> isBlocked(1));
    redis.blocking().rpush("q", "v");
    assertThat(joining.join(Duration.ofSeconds(5))).isTrue();
    assertThat(result.get()).isNotNull();
  }

  @Test
  void watch_cancelled_executesNothing() throws Exception {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletableFuture<Void> isReading = new CompletableFuture<>();
    Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body =
        own -> {
          isReading.complete(null);
          return later.thenApply(v -> List.of(Command.of("SET", "k", v)));
        };
    CompletableFuture<TransactionResult> watched =
        redis.watch(List.of("k"), body).toCompletableFuture();
    isReading.get(5, TimeUnit.SECONDS);
    assertThat(watched.cancel(false)).isTrue();
    later.complete("v");
    assertThat(redis.dedicated().toCompletableFuture().get(5, TimeUnit.SECONDS)).isNotNull();
    assertThat(redis.blocking().get("k")).isNull();
  }

  @Test
  void following_completesLikeItsStage() {
    Command<String> command = CommandBuilder.of("PING").build(Replies.simple());
    CompletableFuture<String> stage = new CompletableFuture<>();
    RedisFuture<String> future = RedisFuture.following(command, stage);
    stage.complete("PONG");
    assertThat(future.join()).isEqualTo("PONG");
    CompletableFuture<String> other = new CompletableFuture<>();
    RedisFuture.following(command, other).cancel(false);
    assertThat(other).isCancelled();
    RedisFuture<String> failed =
        RedisFuture.following(command, CompletableFuture.failedStage(new CancellationException()));
    assertThat(failed.isCancelled()).isTrue();
  }
}
