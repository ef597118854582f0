package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.ScriptedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks may block, send or throw; the client continues in the meantime. */
@Timeout(60)
class CallbackTest {
  /** Answers everything but "silence". */
  private static final ScriptedPeer.Script SELECTIVE =
      (conversation, request) -> {
        if (!request.getLast().equals("silence")) conversation.bulk(request.getLast());
      };

  private ScriptedPeer peer;
  private RedisClient redis;

  @BeforeEach
  void open() throws Exception {
    peer = new ScriptedPeer(SELECTIVE);
    redis = RedisClient.open(RedisOptions.url(peer.url()).queueMax(100).build());
  }

  @AfterEach
  void close() throws Exception {
    redis.close();
    peer.close();
  }

  private RedisFuture<@Nullable Object> echo(String word) {
    return redis.send(Command.of("ECHO", word));
  }

  /** Makes {@code turns} calls, each from the callback of the previous one. */
  private CompletableFuture<Integer> chain(String name, int turns) {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    next(name, 0, turns, end);
    return end;
  }

  private void next(String name, int turn, int turns, CompletableFuture<Integer> end) {
    if (turn == turns) {
      end.complete(turn);
      return;
    }
    String word = name + ":" + turn;
    var unused =
        echo(word)
            .whenComplete((reply, failure) -> {
              if (word.equals(reply)) next(name, turn + 1, turns, end);
              else end.completeExceptionally(new AssertionError("reply: " + reply, failure));
            });
  }

  @Test
  void chains_concurrent_getTheirOwnReplies() throws Exception {
    List<CompletableFuture<Integer>> ends = new ArrayList<>();
    for (int i = 0; i < 64; i++) ends.add(chain("c" + i, 500));
    for (var end : ends) assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(500);
  }

  @Test
  void chains_withWaitingCallers_getTheirOwnReplies() throws Exception {
    CompletableFuture<Integer> chain = chain("c", 2000);
    for (int i = 0; i < 2000; i++) {
      assertThat(redis.call(Command.of("ECHO", "w" + i))).isEqualTo("w" + i);
    }
    assertThat(chain.get(30, TimeUnit.SECONDS)).isEqualTo(2000);
  }

  @Test
  void callbackThatBlocks_delaysNoOther() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      chain("warm" + i, 5).get(30, TimeUnit.SECONDS);
      echo("blocks").thenRun(unlessHere(() -> await(isOver)));
      echo("other").thenRun(others::countDown);
      assertThat(redis.call(Command.of("ECHO", "direct"))).isEqualTo("direct");
      assertThat(chain("beside", 5).get(30, TimeUnit.SECONDS)).isEqualTo(5);
    }
    isOver.countDown();
    assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(chain("after", 50).get(30, TimeUnit.SECONDS)).isEqualTo(50);
  }

  /** A stage that is attached after completion runs on the attaching thread. */
  private static Runnable unlessHere(Runnable action) {
    Thread here = Thread.currentThread();
    return () -> {
      if (Thread.currentThread() != here) action.run();
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void callback_waitsForReplies_completes() throws Exception {
    AtomicInteger right = new AtomicInteger();
    CountDownLatch left = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      String word = "inner" + i;
      echo("outer")
          .thenRun(() -> {
            if (word.equals(redis.call(Command.of("ECHO", word)))) right.incrementAndGet();
            left.countDown();
          });
    }
    assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(right).hasValue(100);
  }

  @Test
  void callbackThatWaitsForSlowReply_delaysNoOther() throws Exception {
    for (int i = 0; i < 20; i++) {
      CompletableFuture<RedisFuture<@Nullable Object>> slow = new CompletableFuture<>();
      CompletableFuture<Integer> warm = new CompletableFuture<>();
      CompletableFuture<Void> waits =
          warm.thenRun(() -> {
            slow.complete(redis.send(Command.of("BLPOP", "silence")));
            slow.join().join();
          });
      // Not from this thread: if every reply arrived before its stage was attached, all would run
      // here.
      Thread.ofVirtual().start(() -> next("warm", 0, 20, warm));
      RedisFuture<@Nullable Object> blpop = slow.get(30, TimeUnit.SECONDS);
      assertThat(chain("beside", 50).get(30, TimeUnit.SECONDS)).isEqualTo(50);
      blpop.cancel(true);
      assertThat(waits.handle((nothing, failure) -> failure).get(30, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void callback_sendsMoreThanQueueHolds_completes() throws Exception {
    CountDownLatch replies = new CountDownLatch(1000);
    chain("warm", 100).get(30, TimeUnit.SECONDS);
    echo("first")
        .thenRun(() -> {
          for (int i = 0; i < 1000; i++) {
            var unused = echo("n" + i).thenRun(replies::countDown);
          }
        });
    assertThat(replies.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void callback_throwsOrInterruptsItsThread_affectsNoOther() throws Exception {
    for (int i = 0; i < 200; i++) {
      echo("throws")
          .thenRun(() -> {
            throw new IllegalStateException("on purpose");
          });
      echo("interrupts").thenRun(unlessHere(() -> Thread.currentThread().interrupt()));
      assertThat(chain("after", 3).get(30, TimeUnit.SECONDS)).isEqualTo(3);
    }
  }

  @Test
  void callbacks_runOutsideTheEventLoop() throws Exception {
    Thread here = Thread.currentThread();
    Set<String> names = ConcurrentHashMap.newKeySet();
    CountDownLatch left = new CountDownLatch(300);
    for (int i = 0; i < 300; i++) {
      var unused =
          echo("x" + i)
              .thenRun(() -> {
                if (Thread.currentThread() != here) names.add(Thread.currentThread().getName());
                left.countDown();
              });
    }
    assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(names).isNotEmpty().allMatch(name -> name.contains("callbacks"));
  }

  @Test
  void close_inCallback_failsCommandsInFlight() throws Exception {
    CompletableFuture<CompletableFuture<Void>> silent = new CompletableFuture<>();
    chain("warm", 100)
        .thenRun(() -> {
          silent.complete(echo("silence").thenRun(() -> {}).toCompletableFuture());
          redis.close();
        });
    assertThatThrownBy(() -> silent.get(30, TimeUnit.SECONDS).get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(RedisException.class);
  }
}
