package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command that is sent while another thread closes the client ends. */
@Timeout(120)
class ClosingTest {
  private static final int ROUNDS = 40;
  private static final int THREADS = 4;
  private static final int CALLS = 200;

  /** One call to the client. */
  interface Work {
    Future<?> begin(RedisClient redis);
  }

  static Stream<Named<Work>> works() {
    return Stream.of(
        Named.of("command", redis -> redis.<@Nullable Object>send(echo("a"))),
        Named.of(
            "stage",
            redis ->
                future(redis.<@Nullable Object>send(echo("a")).whenComplete((reply, e) -> {}))),
        Named.of("sink", ClosingTest::sendIntoSink),
        Named.of(
            "blocking command",
            redis -> redis.<@Nullable Object>send(Command.of("BLPOP", "a", "0"))),
        Named.of("batch", redis -> redis.sendAll(List.of(echo("a"), echo("b")))),
        Named.of("transaction", redis -> redis.transaction(List.of(echo("a")))),
        Named.of("cached read", ClosingTest::readThroughCache),
        Named.of("dedicated connection", ClosingTest::borrow));
  }

  private static Future<?> future(CompletionStage<?> stage) {
    return stage.toCompletableFuture();
  }

  private static Future<?> readThroughCache(RedisClient redis) {
    return redis.cache(Duration.ofMinutes(1), 1000).<@Nullable Object>send(Command.of("GET", "a"));
  }

  private static Future<?> borrow(RedisClient redis) {
    return future(redis.dedicated().thenAccept(DedicatedConnection::close));
  }

  private static Future<?> sendIntoSink(RedisClient redis) {
    CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
    redis.<@Nullable Object>send(
        echo("a"),
        new ReplySink<@Nullable Object>() {
          @Override
          public Runnable onResult(@Nullable Object result) {
            return () -> end.complete(result);
          }

          @Override
          public Runnable onFailure(RedisException failure) {
            return () -> end.completeExceptionally(failure);
          }
        });
    return end;
  }

  /** A server that claims to be a cluster of one. */
  private static void answer(ScriptedPeer.Conversation to, List<String> request)
      throws IOException {
    switch (request.getFirst()) {
      case "CLUSTER" ->
          to.reply("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$0\r\n\r\n:" + to.port() + "\r\n");
      case "MULTI" -> to.reply("+OK\r\n");
      case "EXEC" -> to.reply("*1\r\n$1\r\na\r\n");
      case "BLPOP", "SUBSCRIBE" -> {}
      default -> to.bulk(request.getLast());
    }
  }

  @ParameterizedTest
  @MethodSource("works")
  void close_whileManyThreadsSend_endsEveryCall(Work work) throws Exception {
    closeWhileManyThreadsSend("redis", work);
  }

  @ParameterizedTest
  @MethodSource("works")
  void close_ofClusterWhileManyThreadsSend_endsEveryCall(Work work) throws Exception {
    closeWhileManyThreadsSend("redis-cluster", work);
  }

  @Test
  void close_beforeTheServerHasConfirmed_failsTheConfirmation() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(ClosingTest::answer)) {
      RedisClient redis = RedisClient.open("redis://127.0.0.1:" + peer.port());
      Subscription first = redis.subscribe("a");
      Subscription second = redis.subscribe("b");
      first.close();
      assertThat(endOf(future(first.confirmed()))).isInstanceOf(ClientClosedException.class);
      redis.close();
      assertThat(endOf(future(second.confirmed()))).isInstanceOf(ClientClosedException.class);
    }
  }

  private static void closeWhileManyThreadsSend(String scheme, Work work) throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer(ClosingTest::answer)) {
      for (int round = 0; round < ROUNDS; round++) {
        RedisClient redis = RedisClient.open(scheme + "://127.0.0.1:" + peer.port());
        boolean isConnectedFirst = round % 4 != 0;
        if (isConnectedFirst) future(redis.connected()).get(10, TimeUnit.SECONDS);
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) callers.add(new Caller(redis, work));
        callers.getFirst().underWay.await();
        redis.close();
        for (Caller caller : callers) caller.checkEnds();
        assertThat(endOf(work.begin(redis))).isInstanceOf(ClientClosedException.class);
      }
    }
  }

  /** One thread with its calls. */
  private static final class Caller {
    final CountDownLatch underWay = new CountDownLatch(CALLS / 4);
    private final List<Future<?>> calls = new ArrayList<>();
    private final Thread thread;

    Caller(RedisClient redis, Work work) {
      thread =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < CALLS; i++) {
                  calls.add(work.begin(redis));
                  underWay.countDown();
                }
              });
    }

    void checkEnds() throws Exception {
      thread.join();
      for (Future<?> call : calls) {
        if (endOf(call) instanceof Throwable failure) {
          assertThat(failure).isInstanceOf(RedisException.class);
        }
      }
    }
  }

  /** The result or the failure; for a batch, that of its first command. */
  private static @Nullable Object endOf(Future<?> call) throws Exception {
    try {
      Object result = call.get(20, TimeUnit.SECONDS);
      return result instanceof List<?> all ? all.getFirst() : result;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }
}
