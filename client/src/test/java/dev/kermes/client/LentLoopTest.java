package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kermes.net.Transport;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting callers run the event loop themselves; no result may depend on whether they do. */
@Timeout(60)
class LentLoopTest {
  private static final ScriptedPeer.Script ECHO =
      (conversation, request) -> conversation.bulk(request.getLast());

  /** Answers everything but "silence". */
  private static final ScriptedPeer.Script SELECTIVE =
      (conversation, request) -> {
        if (!request.getLast().equals("silence")) conversation.bulk(request.getLast());
      };

  /** Answers a silent request when the next request arrives. */
  private static ScriptedPeer.Script late() {
    AtomicBoolean owesSilence = new AtomicBoolean(); // a command may end before it is written
    return (conversation, request) -> {
      if (request.getLast().equals("silence")) owesSilence.set(true);
      else if (owesSilence.getAndSet(false)) conversation.bulk("silence");
      SELECTIVE.on(conversation, request);
    };
  }

  private static Command<@Nullable Object> echo(String word) {
    return Command.of("ECHO", word);
  }

  @Test
  void loop_isLendable() {
    assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
    assertThat(Transport.bestForFewConnections().isLendable()).isTrue();
  }

  /** Makes the loop available to callers whenever nothing is under way. */
  private static void makeCallersTrusted(RedisClient redis) {
    for (int i = 0; i < 100; i++) assertThat(redis.call(echo("w" + i))).isEqualTo("w" + i);
  }

  @Test
  void join_ofAnotherThreadsCancellation_returns() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(SELECTIVE);
        RedisClient redis = RedisClient.open(peer.url())) {
      makeCallersTrusted(redis);
      RedisFuture<@Nullable Object> silent = redis.send(echo("silence"));
      Thread canceller = Thread.ofPlatform().start(() -> silent.cancel(true));
      assertThatThrownBy(silent::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(CommandCancelledException.class);
      canceller.join();
    }
  }

  @Test
  void close_whileACallerRunsTheLoop_failsItsCommand() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(SELECTIVE)) {
      RedisClient redis = RedisClient.open(peer.url());
      makeCallersTrusted(redis);
      RedisFuture<@Nullable Object> silent = redis.send(echo("silence"));
      AtomicReference<@Nullable Throwable> seen = new AtomicReference<>();
      Thread caller =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  silent.join();
                } catch (CompletionException e) {
                  seen.set(e.getCause());
                }
              });
      redis.close();
      caller.join();
      assertThat(seen.get()).isInstanceOf(RedisException.class);
      assertThatThrownBy(() -> redis.call(echo("late"))).isInstanceOf(ClientClosedException.class);
    }
  }

  @Test
  void timeout_whileTheCallerRunsTheLoop_isEnforced() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(late());
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).commandTimeout(Duration.ofMillis(50)).build())) {
      makeCallersTrusted(redis);
      assertThatThrownBy(() -> redis.call(echo("silence")))
          .isInstanceOf(CommandTimeoutException.class);
      assertThat(redis.call(echo("after"))).isEqualTo("after");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void interrupted_callerKeepsFlag_connectionSurvives() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(late());
        RedisClient redis = RedisClient.open(peer.url())) {
      makeCallersTrusted(redis);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> redis.call(echo("silence")))
          .isInstanceOf(CommandCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(redis.call(echo("after"))).isEqualTo("after");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void send_withoutWaiting_isAnswered() throws Exception {
    CountDownLatch seen = new CountDownLatch(1000);
    ScriptedPeer.Script counting =
        (conversation, request) -> {
          conversation.bulk(request.getLast());
          if (request.getLast().equals("forgotten")) seen.countDown();
        };
    try (ScriptedPeer peer = new ScriptedPeer(counting);
        RedisClient redis = RedisClient.open(peer.url())) {
      makeCallersTrusted(redis);
      List<RedisFuture<@Nullable Object>> forgotten = new ArrayList<>();
      for (int i = 0; i < 1000; i++) forgotten.add(redis.send(echo("forgotten")));
      assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
      for (RedisFuture<@Nullable Object> future : forgotten) {
        assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo("forgotten");
      }
    }
  }

  @Test
  void send_toFullQueueWithoutJoin_waitsForPermits() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(ECHO);
        RedisClient redis = RedisClient.open(RedisOptions.url(peer.url()).queueMax(10).build())) {
      makeCallersTrusted(redis);
      List<RedisFuture<@Nullable Object>> futures = new ArrayList<>();
      for (int i = 0; i < 500; i++) futures.add(redis.send(echo("n" + i)));
      for (int i = 0; i < 500; i++) assertThat(futures.get(i).join()).isEqualTo("n" + i);
    }
  }

  @Test
  void subscription_withoutRunningCaller_receivesMessages() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisClient redis = RedisClient.open(server.url());
        RedisClient other = RedisClient.open(server.url());
        Subscription reporter = redis.subscribe("news")) {
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("news"));
      for (int i = 0; i < 100; i++) {
        makeCallersTrusted(redis);
        other.blocking().publish("news", "item" + i);
        assertThat(reporter.take())
            .isInstanceOfSatisfying(
                SubscriptionEvent.Message.class,
                message -> assertThat(message.text()).startsWith("item"));
      }
    }
  }

  @Test
  void everyKindOfCaller_concurrently_getsItsOwnReply() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisClient redis = RedisClient.open(server.url())) {
      List<Thread> threads = new ArrayList<>();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      for (int i = 0; i < 12; i++) {
        int number = i;
        Runnable work = () -> callInEveryWay(redis, number, failure);
        threads.add(i % 3 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
      }
      for (Thread thread : threads) thread.join();
      assertThat(failure.get()).isNull();
    }
  }

  private static void callInEveryWay(
      RedisClient redis, int number, AtomicReference<@Nullable Throwable> failure) {
    Random random = new Random(number);
    try {
      for (int i = 0; i < 2000 && failure.get() == null; i++) {
        String word = number + ":" + i;
        assertThat(ask(redis, random.nextInt(6), word)).isEqualTo(word);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  private static @Nullable Object ask(RedisClient redis, int way, String word)
      throws InterruptedException, ExecutionException, TimeoutException {
    return switch (way) {
      case 0 -> redis.call(echo(word));
      case 1 -> redis.send(echo(word)).get(30, TimeUnit.SECONDS);
      case 2 ->
          redis.send(echo(word)).whenComplete((reply, cause) -> {}).toCompletableFuture().join();
      case 3 -> redis.sendAll(List.of(echo("x"), echo(word))).join().getLast();
      case 4 -> redis.transaction(List.of(echo(word))).join().replies().getFirst();
      default -> {
        RedisFuture<@Nullable Object> abandoned = redis.send(echo("y"));
        RedisFuture<@Nullable Object> wanted = redis.send(echo(word));
        abandoned.cancel(true);
        yield wanted.join();
      }
    };
  }
}
