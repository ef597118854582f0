package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command waits past its deadline, and done commands occupy no permits. */
@SuppressWarnings("NullAway") // it infers that replies are not null
@Timeout(30)
class DeadlineTest {
  private static final Commands<String, String> C = new Commands<>(Codec.utf8(), Codec.utf8());
  private static final ScriptedPeer.Script SILENT = (conversation, request) -> {};

  private static final Duration HOUR = Duration.ofHours(1);

  private static RedisOptions.Builder nowhere() {
    return RedisOptions.url("redis://127.0.0.1:" + Ports.free());
  }

  private static List<RedisFuture<@Nullable Object>> fill(RedisClient redis, int count) {
    List<RedisFuture<@Nullable Object>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) sent.add(redis.send(echo("x")));
    return sent;
  }

  @Test
  void queue_fullOfExpired_hasFreePermits() {
    RedisOptions options = nowhere().queueMax(1000).commandTimeout(Duration.ofMillis(100)).build();
    try (RedisClient redis = RedisClient.open(options)) {
      for (RedisFuture<?> each : fill(redis, 1000)) {
        RedisException failure = Failures.of(each);
        assertThat(failure).isInstanceOf(CommandTimeoutException.class);
        assertThat(failure.getStackTrace()).isEmpty(); // thousands of traces would fill the heap
      }
      assertThatThrownBy(() -> redis.blocking().get("x"))
          .isInstanceOf(CommandTimeoutException.class)
          .hasStackTraceContaining("DeadlineTest");
      assertThat(redis.async().get("x").toCompletableFuture())
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .withCauseInstanceOf(CommandTimeoutException.class);
    }
  }

  @Test
  void deadline_followsTheClockOfTheOptions() {
    AtomicLong clock = new AtomicLong();
    RedisOptions options = nowhere().commandTimeout(HOUR).clock(clock::get).build();
    try (RedisClient redis = RedisClient.open(options)) {
      RedisFuture<@Nullable Object> sent = redis.send(echo("x"));
      clock.addAndGet(HOUR.minusSeconds(1).toNanos());
      assertThat(sent.failure()).isNull();
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(Failures.of(sent)).isInstanceOf(CommandTimeoutException.class);
    }
  }

  @Test
  void queue_fullOfExpired_failOnOverflow_acceptsNewCommands() {
    RedisOptions options =
        nowhere()
            .queueMax(10)
            .commandTimeout(Duration.ofMillis(100))
            .overflow(RedisOptions.Overflow.FAIL)
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      for (RedisFuture<?> each : fill(redis, 10)) Failures.of(each);
      RealCluster.await(() -> !isRefused(redis.send(echo("y"))));
    }
  }

  private static boolean isRefused(RedisFuture<?> future) {
    return future.failure() instanceof QueueFullException;
  }

  @Test
  void queue_fullOfCancelled_hasFreePermitsAtOnce() throws IOException {
    for (boolean isConnected : new boolean[] {true, false}) {
      try (ScriptedPeer peer = new ScriptedPeer(SILENT)) {
        RedisOptions.Builder options = isConnected ? RedisOptions.url(peer.url()) : nowhere();
        options.queueMax(100).overflow(RedisOptions.Overflow.FAIL);
        try (RedisClient redis = RedisClient.open(options.build())) {
          for (int round = 0; round < 20; round++) {
            List<RedisFuture<@Nullable Object>> sent = fill(redis, 100);
            assertThat(sent).noneMatch(DeadlineTest::isRefused);
            assertThat(isRefused(redis.send(echo("beyond")))).isTrue();
            for (RedisFuture<?> each : sent) assertThat(each.cancel(false)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void queue_cancelledSinks_freePermitsAtOnce() {
    RedisOptions options = nowhere().queueMax(100).overflow(RedisOptions.Overflow.FAIL).build();
    try (RedisClient redis = RedisClient.open(options)) {
      List<RedisException> failures = new ArrayList<>();
      ReplySink<@Nullable Object> sink =
          new ReplySink<>() {
            @Override
            public @Nullable Runnable onResult(@Nullable Object result) {
              return null;
            }

            @Override
            public @Nullable Runnable onFailure(RedisException failure) {
              failures.add(failure);
              return null;
            }
          };
      for (int round = 0; round < 20; round++) {
        List<SentCommand> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) sent.add(redis.send(echo("x"), sink));
        assertThat(failures).isEmpty();
        for (SentCommand each : sent) each.cancel();
      }
    }
  }

  @Test
  void queue_afterEveryKindOfEnd_hasSamePermits() throws IOException {
    AtomicBoolean owesSlow = new AtomicBoolean(); // its reply comes with the next one, too late
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (owesSlow.getAndSet(false)) conversation.bulk("slow");
          switch (request.getLast()) {
            case "lost" -> conversation.hangUp();
            case "held" -> {}
            case "slow" -> owesSlow.set(true);
            default -> conversation.bulk(request.getLast());
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script)) {
      RedisOptions options =
          RedisOptions.url(peer.url())
              .queueMax(50)
              .overflow(RedisOptions.Overflow.FAIL)
              .deadPeerTimeout(Duration.ZERO)
              .build();
      try (RedisClient redis = RedisClient.open(options)) {
        for (int round = 0; round < 20; round++) {
          // Repeatable, since the round before may have lost the connection at its end.
          assertThat(redis.call(echo("answered").repeatable())).isEqualTo("answered");
          RedisFuture<?> slow = redis.send(echo("slow").withTimeout(Duration.ofMillis(1)));
          Failures.of(slow);
          redis.send(echo("cancelled")).cancel(false);
          RedisFuture<?> behind = redis.send(echo("behind").repeatable());
          Failures.of(redis.send(echo("lost")));
          assertThat(behind.join()).isEqualTo("behind");
          redis.send(echo("lost").repeatable()).cancel(false);
        }
        Command<@Nullable Object> held = echo("held").withTimeout(Duration.ofMinutes(1));
        List<RedisFuture<@Nullable Object>> taken = new ArrayList<>();
        RealCluster.await(() -> {
          RedisFuture<@Nullable Object> next = redis.send(held);
          if (!isRefused(next)) taken.add(next);
          return taken.size() == 50;
        });
        assertThat(isRefused(redis.send(held))).isTrue(); // no permit has been released twice
      }
    }
  }

  /** A server that does not reply for a long time must not fill the heap with ended commands. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ended_inFlight_areCollectedBeforeTheirReplies(boolean isObserved) throws Exception {
    List<String> owed = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          owed.add(request.getLast());
          if (!request.getLast().equals("go")) return;
          for (String each : owed) conversation.bulk(each);
        };
    try (ScriptedPeer peer = new ScriptedPeer(script)) {
      RedisOptions.Builder options =
          RedisOptions.url(peer.url()).deadPeerTimeout(Duration.ZERO).commandTimeout(Duration.ZERO);
      if (isObserved) options.observer(command -> (node, failure) -> {});
      try (RedisClient redis = RedisClient.open(options.build())) {
        RedisFuture<?> first = redis.send(echo("first"));
        List<RedisFuture<?>> sent = sendOneOfEachKind(redis);
        sent.addAll(sendOneOfEachKind(redis));
        RedisFuture<?> between = redis.send(echo("between"));
        sent.addAll(sendOneOfEachKind(redis));
        RedisFuture<?> last = redis.send(echo("last"));
        RealCluster.await(() -> owed.contains("last"));
        List<WeakReference<Object>> ended = new ArrayList<>();
        for (RedisFuture<?> each : sent) {
          if (!each.isDone()) each.cancel(false);
          ended.add(new WeakReference<>(each));
        }
        sent.clear();
        RealCluster.await(() -> {
          System.gc();
          return ended.stream().allMatch(each -> each.refersTo(null));
        });
        assertThat(redis.call(echo("go"))).isEqualTo("go");
        assertThat(first.join()).isEqualTo("first");
        assertThat(between.join()).isEqualTo("between");
        assertThat(last.join()).isEqualTo("last");
      }
    }
  }

  /** The first one expires. */
  private static List<RedisFuture<?>> sendOneOfEachKind(RedisClient redis) {
    RedisFuture<?> late = redis.send(echo("late").withTimeout(Duration.ofMillis(20)));
    Failures.of(late);
    List<RedisFuture<?>> sent = new ArrayList<>(List.of(late, redis.send(echo("single"))));
    sent.add(redis.sendAll(List.of(echo("a"), echo("b"))));
    sent.add(redis.transaction(List.of(echo("c"), echo("d"))));
    return sent;
  }

  @Test
  void sender_waitingForPermits_waitsUntilItsOwnDeadline() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(SILENT);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url())
                    .queueMax(10)
                    .commandTimeout(Duration.ZERO)
                    .deadPeerTimeout(Duration.ZERO)
                    .build())) {
      fill(redis, 10); // these have no deadline
      RedisFuture<?> eleventh = redis.send(echo("x").withTimeout(Duration.ofMillis(100)));
      assertThat(Failures.of(eleventh))
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("queueMax=10");
    }
  }

  @Test
  void sender_waitingForPermits_isInterruptible() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(SILENT);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url())
                    .queueMax(10)
                    .commandTimeout(Duration.ofMinutes(1))
                    .deadPeerTimeout(Duration.ZERO)
                    .build())) {
      fill(redis, 10);
      CompletableFuture<RedisException> failure = new CompletableFuture<>();
      Thread sender =
          Thread.ofPlatform()
              .start(() -> failure.complete(Failures.of(redis.send(echo("eleventh")))));
      RealCluster.await(() -> sender.getState() == Thread.State.TIMED_WAITING);
      sender.interrupt();
      assertThat(failure.get(10, TimeUnit.SECONDS)).isInstanceOf(CommandCancelledException.class);
    }
  }

  // ---- dedicated connections

  @Test
  void waiters_cancelled_areRemovedAtOnce() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options = RedisOptions.url(server.url()).blockingMax(1).queueMax(1000).build();
      try (RedisClient redis = RedisClient.open(options)) {
        RedisFuture<?> holder = redis.send(C.blpop(List.of("never"), 0));
        for (int i = 0; i < 3000; i++) redis.send(C.blpop(List.of("q"), 0)).cancel(false);
        assertThat(Failures.of(redis.send(C.blpop(List.of("q"), 1))))
            .isInstanceOf(CommandTimeoutException.class)
            .hasMessageContaining("blockingMax=1");
        holder.cancel(false);
        redis.blocking().rpush("q", "v");
        assertThat(redis.blocking().blpop(List.of("q"), 5)).isNotNull();
      }
    }
  }

  @Test
  void borrowers_cancelled_areRemovedAtOnce() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options = RedisOptions.url(server.url()).dedicatedMax(1).queueMax(10).build();
      try (RedisClient redis = RedisClient.open(options)) {
        CompletableFuture<DedicatedConnection> next;
        try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
          for (int i = 0; i < 100; i++) redis.dedicated().toCompletableFuture().cancel(false);
          next = redis.dedicated().toCompletableFuture();
          assertThat(own.send(Command.of("PING")).join()).isEqualTo("PONG");
          assertThat(next).isNotDone();
        }
        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
      }
    }
  }

  @Test
  void blocking_withOwnTimeout_whenAllConnectionsAreInUse_ends() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options = RedisOptions.url(server.url()).blockingMax(1).build();
      try (RedisClient redis = RedisClient.open(options)) {
        RedisFuture<?> holder = redis.send(C.blpop(List.of("never"), 0));
        List<Command<?>> waiting =
            List.of(
                Command.of("BLPOP", "q", "0.1"),
                Command.of("BLMPOP", "0.1", "1", "q", "LEFT"),
                Command.of("BZPOPMIN", "z", "0.1"),
                Command.of("XREAD", "BLOCK", "100", "STREAMS", "s", "$"),
                Command.of("WAIT", "1", "100"),
                Command.of("BLPOP", "q", "0").withTimeout(Duration.ofMillis(100)));
        for (Command<?> each : waiting) {
          RedisFuture<?> late = redis.send(each);
          assertThat(Failures.of(late)).isInstanceOf(CommandTimeoutException.class);
        }
        assertThat(holder.isDone()).isFalse();
      }
    }
  }

  @Test
  void blocked_workers_starveNeitherTransactionsNorWatchNorEachOther() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      List<RedisFuture<?>> workers = new ArrayList<>();
      for (int i = 0; i < 200; i++) workers.add(redis.send(C.blpop(List.of("jobs"), 0)));
      RealCluster.await(() -> redis.blocking().info("clients").contains("blocked_clients:200"));
      assertThat(redis.transaction(List.of(C.incr("n"))).join().replies()).isEqualTo(List.of(1L));
      assertThat(
              redis
                  .watch(
                      List.of("n"),
                      own -> own.send(C.get("n")).thenApply(n -> List.of(C.incr("n"))))
                  .toCompletableFuture()
                  .get(5, TimeUnit.SECONDS)
                  .replies())
          .isEqualTo(List.of(2L));
      for (RedisFuture<?> worker : workers) worker.cancel(false);
    }
  }

  @Test
  void transaction_isContiguousOnSharedConnection() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      List<RedisFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(redis.send(C.incr("n")));
        all.add(redis.transaction(List.of(C.incr("n"), C.get("n"), C.incr("n"))));
        all.add(redis.transaction(List.of(C.lpush("n", "x"), C.incr("n")))); // fails in part
      }
      for (int i = 0; i < 200; i++) {
        long n = 4L * i + 1;
        assertThat(all.get(3 * i).join()).isEqualTo(n);
        assertThat(all.get(3 * i + 1).join())
            .isEqualTo(new TransactionResult(false, List.of(n + 1, Long.toString(n + 1), n + 2)));
        TransactionResult last = (TransactionResult) all.get(3 * i + 2).join();
        assertThat(last.replies().getFirst()).isInstanceOf(ServerErrorException.class);
        assertThat(last.replies().getLast()).isEqualTo(n + 3);
      }
      assertThat(redis.blocking().info("stats")).contains("total_connections_received:");
      assertThat(redis.blocking().info("clients")).contains("connected_clients:1\r\n");
    }
  }

  @Test
  void transaction_withStatefulCommand_isRefused() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      for (String each : List.of("SELECT", "DISCARD", "EXEC", "WATCH")) {
        assertThatThrownBy(() -> redis.transaction(List.of(C.incr("n"), Command.of(each, "1"))))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(each);
      }
    }
  }

  @Test
  void dedicated_transactionWithSelect_closesConnection() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options = RedisOptions.url(server.url()).dedicatedMax(1).build();
      try (RedisClient redis = RedisClient.open(options)) {
        try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
          own.transaction(List.of(Command.of("SELECT", "3"), C.set("k", "three"))).join();
        }
        try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
          assertThat(own.send(C.get("k")).join()).isNull();
        }
      }
    }
  }

  @Test
  void dedicated_blockingForever_ignoresClientTimeout() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisOptions options =
          RedisOptions.url(server.url()).commandTimeout(Duration.ofMillis(100)).build();
      try (RedisClient redis = RedisClient.open(options);
          DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
        RedisFuture<?> waiting = own.send(C.blpop(List.of("q"), 0));
        Thread.sleep(300); // the time that it must survive
        redis.blocking().rpush("q", "v");
        assertThat(waiting.join()).isNotNull();
      }
    }
  }
}
