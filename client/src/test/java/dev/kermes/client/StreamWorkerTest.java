package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.reply.StreamEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Streams consumed by a handler: creating groups, and acknowledging, retrying and taking over
 * entries.
 */
@Timeout(60)
class StreamWorkerTest extends ServersUnderTest {
  private static final StreamRead<String, String> MINE = StreamRead.of("jobs").as("g", "me");
  private static final Duration SOON = Duration.ofMillis(50);

  private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();

  private static void add(RedisClient redis, int n) {
    redis.blocking().xadd("jobs", n + "-1", Map.of("n", Integer.toString(n)));
  }

  private String next() throws InterruptedException {
    String id = handled.poll(30, TimeUnit.SECONDS);
    if (id == null) throw new AssertionError("nothing came");
    return id;
  }

  private void note(StreamEntry<String, String> entry) {
    handled.add(entry.id());
  }

  private static long pending(RedisClient redis) {
    return redis.blocking().xpending("jobs", "g").count();
  }

  @ParameterizedTest
  @MethodSource("options")
  void consume_withoutStreamAndGroup_createsThemAndAcknowledges(RedisOptions options)
      throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      try (StreamWorker worker = redis.consume(MINE, this::note)) {
        RealCluster.await(() -> redis.blocking().exists("jobs") == 1);
        add(redis, 1);
        add(redis, 2);
        assertThat(next()).isEqualTo("1-1");
        assertThat(next()).isEqualTo("2-1");
        RealCluster.await(() -> pending(redis) == 0);
        assertThat(worker.done().toCompletableFuture()).isNotDone();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void consume_existingStream_beginsAfterId(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      for (int n = 1; n <= 5; n++) add(redis, n);
      try (StreamWorker worker = redis.consume(MINE.after("2-1").pageMax(2), this::note)) {
        assertThat(List.of(next(), next(), next())).containsExactly("3-1", "4-1", "5-1");
        assertThat(worker.done().toCompletableFuture()).isNotDone();
      }
      assertThat(pending(redis)).isZero();
      assertThat(handled).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void handlerThrows_getsEntryAgain_continuesInTheMeantime(RedisOptions options) throws Exception {
    StreamHandler<String, String> failsOnce =
        entry -> {
          boolean isFirst = !handled.contains("failed") && entry.id().equals("1-1");
          handled.add(isFirst ? "failed" : entry.id());
          if (isFirst) throw new AssertionError("on purpose");
        };
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      add(redis, 1);
      add(redis, 2);
      try (StreamWorker worker = redis.consume(MINE, SOON, failsOnce)) {
        RealCluster.await(() -> handled.size() == 3);
        assertThat(handled).containsExactly("failed", "2-1", "1-1");
        RealCluster.await(() -> pending(redis) == 0);
        assertThat(worker.done().toCompletableFuture()).isNotDone();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void entriesOfGoneConsumer_areTakenOver(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      for (int n = 1; n <= 5; n++) add(redis, n);
      redis.blocking().xgroupCreate("jobs", "g", "0");
      redis.blocking().xreadgroup("g", "gone", "jobs", ">");
      redis.blocking().xdel("jobs", "2-1");
      try (StreamWorker worker = redis.consume(MINE.pageMax(2), SOON, this::note)) {
        assertThat(List.of(next(), next(), next(), next()))
            .containsExactly("1-1", "3-1", "4-1", "5-1");
        RealCluster.await(() -> pending(redis) == 0);
        assertThat(worker.done().toCompletableFuture()).isNotDone();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void afterLossAndAfterGroupDestroyed_continues(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        RedisClient admin = RedisClient.open(options);
        StreamWorker worker = flushedThen(admin, () -> redis.consume(MINE, this::note))) {
      add(admin, 1);
      assertThat(next()).isEqualTo("1-1");
      admin.call(Command.of("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
      add(admin, 2);
      assertThat(next()).isEqualTo("2-1");
      admin.blocking().flushall();
      add(admin, 3);
      assertThat(next()).isEqualTo("3-1");
      assertThat(worker.done().toCompletableFuture()).isNotDone();
    }
  }

  private interface Opening {
    StreamWorker open();
  }

  private static StreamWorker flushedThen(RedisClient redis, Opening opening) {
    redis.blocking().flushall();
    return opening.open();
  }

  @ParameterizedTest
  @MethodSource("options")
  void close_waitsForCurrentEntry_startsNoOther(RedisOptions options) throws Exception {
    CountDownLatch goesOn = new CountDownLatch(1);
    StreamHandler<String, String> waits =
        entry -> {
          note(entry);
          goesOn.await();
          handled.add("finished");
        };
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      add(redis, 1);
      add(redis, 2);
      StreamWorker worker = redis.consume(MINE, waits);
      assertThat(next()).isEqualTo("1-1");
      Thread closing = Thread.ofVirtual().start(worker::close);
      RealCluster.await(() -> closing.getState() == Thread.State.WAITING);
      goesOn.countDown();
      closing.join();
      assertThat(handled).containsExactly("finished");
      assertThat(worker.done().toCompletableFuture()).isCompleted();
      assertThat(pending(redis)).isEqualTo(1); // 2-1, read and not handled
      try (StreamWorker again = redis.consume(MINE, this::note)) {
        RealCluster.await(() -> handled.contains("2-1"));
        assertThat(again.done().toCompletableFuture()).isNotDone();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void close_byOwnHandler_doesNotWaitForItself(RedisOptions options) throws Exception {
    LinkedBlockingQueue<StreamWorker> workers = new LinkedBlockingQueue<>();
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      add(redis, 1);
      StreamWorker worker = redis.consume(MINE, entry -> workers.take().close());
      workers.add(worker);
      worker.done().toCompletableFuture().get(30, TimeUnit.SECONDS);
      assertThat(pending(redis)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void closeClient_endsConsumer(RedisOptions options) {
    RedisClient redis = RedisClient.open(options);
    redis.blocking().flushall();
    StreamWorker worker = redis.consume(MINE, this::note);
    RealCluster.await(() -> redis.blocking().exists("jobs") == 1);
    redis.close();
    assertThat(worker.done()).succeedsWithin(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @MethodSource("options")
  void permanentFailure_endsIt(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      redis.blocking().set("jobs", "no stream");
      StreamWorker worker = redis.consume(MINE, this::note);
      assertThatThrownBy(() -> worker.done().toCompletableFuture().get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(ServerErrorException.class)
          .hasMessageStartingWith("WRONGTYPE");
      assertThatThrownBy(() -> redis.consume(StreamRead.of("jobs"), this::note))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no group: key=jobs");
      assertThatThrownBy(() -> redis.consume(MINE, Duration.ZERO, this::note))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("out of range: retryAfter=PT0S");
    }
  }
}
