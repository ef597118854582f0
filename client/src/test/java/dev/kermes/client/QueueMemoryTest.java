package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The queue for a server that reads nothing is bounded, in commands and in bytes. */
@Timeout(60)
class QueueMemoryTest {
  private static final int KIB = 1024;

  /** One way to send something large. */
  interface Sender extends Function<RedisClient, RedisFuture<?>> {}

  private static Command<@Nullable Object> set(int kib) {
    return Command.of("SET", "k", "x".repeat(kib * KIB));
  }

  private static Named<Sender> way(String name, Sender sender) {
    return Named.of(name, sender);
  }

  /** Each about 1 MiB. */
  static Stream<Named<Sender>> ways() {
    return Stream.of(
        way("command", redis -> redis.send(set(1024))),
        way("batch", redis -> redis.sendAll(List.of(set(500), set(524)))),
        way("blocking", redis -> redis.send(Command.of("BLPOP", "x".repeat(KIB * KIB), "0"))),
        way("transaction", redis -> redis.transaction(List.of(set(1000), set(24)))));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void stalledServer_queueStaysWithinLimit(Sender way) throws IOException {
    int mebibytesMax = 8;
    int sent = 100;
    try (ScriptedPeer peer = new ScriptedPeer((conversation, request) -> conversation.stall())) {
      RedisOptions options =
          RedisOptions.url(peer.url())
              .queueMax(mebibytesMax * KIB)
              .blockingMax(1)
              .overflow(RedisOptions.Overflow.FAIL)
              .deadPeerTimeout(Duration.ZERO)
              .build();
      try (RedisClient redis = RedisClient.open(options)) {
        redis.connected().toCompletableFuture().join();
        List<RedisFuture<?>> held = new ArrayList<>();
        for (int i = 0; i < sent; i++) held.add(way.apply(redis));
        RealCluster.await(() -> held.stream().anyMatch(QueueMemoryTest::isRefused));
        RealCluster.await(
            () -> held.stream().filter(each -> !each.isDone()).count() <= mebibytesMax + 2);
        assertThat(held).filteredOn(RedisFuture::isDone).allMatch(QueueMemoryTest::isRefused);
        assertThat(held.getFirst().isDone()).isFalse();
      }
    }
  }

  private static boolean isRefused(RedisFuture<?> future) {
    return future.failure() instanceof QueueFullException;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void largerThanQueue_isSent(Sender way) throws IOException {
    try (ScriptedPeer peer =
            new ScriptedPeer((conversation, request) -> conversation.reply("+OK\r\n"));
        RedisClient redis = RedisClient.open(RedisOptions.url(peer.url()).queueMax(2).build())) {
      RedisFuture<?> first = way.apply(redis);
      RedisFuture<?> second = way.apply(redis);
      first.handle((result, failure) -> true).toCompletableFuture().join();
      second.handle((result, failure) -> true).toCompletableFuture().join();
      assertThat(List.of(first, second)).noneMatch(QueueMemoryTest::isRefused);
    }
  }
}
