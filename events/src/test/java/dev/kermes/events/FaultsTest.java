package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import dev.kermes.testing.FaultyProxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lost connections, owners that stop, servers that lose their data. */
@Timeout(120)
class FaultsTest extends Servers {

  private static final TopicKeys KEYS = new TopicKeys("orders", "billing");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final History history = new History();

  static Stream<Integer> serverPorts() {
    return ports().stream();
  }

  private static String url(int port) {
    return "redis://127.0.0.1:" + port;
  }

  /** The calls of an owner who has just acquired partition 0, through its own connection. */
  private static OwnerCalls acquire(RedisClient redis, String member) {
    List<String> keys = List.of(KEYS.stream(0), KEYS.owner(0));
    String epoch =
        Entry.text(
            ScriptCall.of(Scripts.ACQUIRE, keys, member, "60000", "billing", "0")
                .run(redis)
                .getFirst());
    Lease lease = new Lease(MINUTE, System.nanoTime());
    Partition partition = new Partition(KEYS, 0, Long.parseLong(epoch), lease);
    return new OwnerCalls(redis, partition, Parking.none(), 5);
  }

  private static @Nullable Taken fetch(OwnerCalls calls) throws LeaseLostException {
    return calls.fetch(9, List.of(), null);
  }

  private static long pending(Member server) {
    return (Long) ((List<?>) server.call("XPENDING", KEYS.stream(0), "billing")).getFirst();
  }

  // ---- the calls of one owner

  /** The acknowledgement is sent again, and the caller does not continue before its answer. */
  @ParameterizedTest
  @MethodSource("serverPorts")
  void acknowledge_connectionLostBeforeTheAnswer_isSentAgain(int port) throws Exception {
    try (Member direct = Member.first(url(port));
        FaultyProxy proxy = new FaultyProxy(port);
        RedisClient redis = RedisClient.open(url(proxy.port()))) {
      for (String key : List.of("1", "2")) direct.call("XADD", KEYS.stream(0), "*", "k", key);
      OwnerCalls calls = acquire(redis, "a");
      List<StreamId> ids =
          Objects.requireNonNull(fetch(calls)).entries().stream().map(Entry::id).toList();
      calls.acknowledge(List.of(StreamId.ZERO), null); // so that the server knows the script
      proxy.stall();
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(() -> acknowledge(calls, ids.getFirst()));
      await(() -> pending(direct) == 1); // executed; its answer is in the proxy
      proxy.lose();
      assertThat(first).isNotDone();
      proxy.heal();
      first.join();
      acknowledge(calls, ids.getLast());
      assertThat(pending(direct)).isZero();
    }
  }

  private static void acknowledge(OwnerCalls calls, StreamId id) {
    try {
      calls.acknowledge(List.of(id), id);
    } catch (LeaseLostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The events are pending, so that only a second reading of them can find them. */
  @ParameterizedTest
  @MethodSource("serverPorts")
  void fetch_connectionLostBeforeTheAnswer_isKnownToBeUncertain(int port) throws Exception {
    try (Member direct = Member.first(url(port));
        FaultyProxy proxy = new FaultyProxy(port);
        RedisClient redis = RedisClient.open(url(proxy.port()))) {
      OwnerCalls calls = acquire(redis, "a");
      assertThat(Objects.requireNonNull(fetch(calls)).entries()).isEmpty();
      direct.call("XADD", KEYS.stream(0), "*", "k", "1");
      proxy.stall();
      CompletableFuture<Boolean> isUnanswered =
          CompletableFuture.supplyAsync(() -> isUnanswered(calls));
      await(() -> pending(direct) == 1);
      proxy.lose();
      assertThat(isUnanswered.join()).isTrue();
      proxy.heal();
      assertThat(calls.pending(9, StreamId.ZERO, StreamId.ZERO).entries())
          .extracting(Entry::key)
          .containsExactly("1");
    }
  }

  private static boolean isUnanswered(OwnerCalls calls) {
    try {
      return fetch(calls) == null;
    } catch (LeaseLostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A member that was paused and does not know it. */
  @ParameterizedTest
  @MethodSource("serverPorts")
  void acknowledge_afterTheLeaseHasPassed_isFenced(int port) throws Exception {
    try (Member direct = Member.first(url(port))) {
      direct.call("XADD", KEYS.stream(0), "*", "k", "1");
      OwnerCalls late = acquire(direct.redis, "a");
      StreamId id = Objects.requireNonNull(fetch(late)).entries().getFirst().id();
      direct.call("HSET", KEYS.owner(0), "until", "0");
      OwnerCalls next = acquire(direct.redis, "b");
      assertThatThrownBy(() -> late.acknowledge(List.of(id), id))
          .isInstanceOf(LeaseLostException.class)
          .hasMessageContaining("FENCED");
      assertThat(pending(direct)).isEqualTo(1);
      assertThat(next.pending(9, StreamId.ZERO, StreamId.ZERO).entries()).hasSize(1);
    }
  }

  // ---- whole members

  @ParameterizedTest
  @MethodSource("serverPorts")
  void connections_lostAgainAndAgain_loseNoEventAndNoOrder(int port) throws Exception {
    try (Member direct = Member.first(url(port));
        FaultyProxy proxy = new FaultyProxy(port);
        Member member = Member.another(url(proxy.port()))) {
      direct.events.emit("orders/0", "0").join();
      Topic topic = member.on(history::add).topic();
      for (int round = 0; round < 40; round++) {
        for (int key = 1; key <= 20; key++) {
          direct.events.emit("orders/" + key, Integer.toString(round)).join();
        }
        proxy.lose();
      }
      await(() -> history.distinct() == 801);
      history.checkOrder();
      await(() -> direct.pending(topic) == 0);
    }
  }

  /** The first owner cannot reach the server, and comes back after another has its partitions. */
  @ParameterizedTest
  @MethodSource("serverPorts")
  void owner_thatStopsRenewing_losesItsPartitionsAndItsHandlersAreInterrupted(int port)
      throws Exception {
    try (Member direct = Member.first(url(port));
        FaultyProxy proxy = new FaultyProxy(port);
        Member one = Member.another(url(proxy.port()))) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch interrupted = new CountDownLatch(1);
      History ofOne = new History();
      one.on(event -> {
        ofOne.add(event);
        if (!event.payload().equals("0")) return;
        begun.countDown();
        awaitInterrupt();
        interrupted.countDown();
      });
      direct.events.emit("orders/a", "0").join();
      Topic first = one.topic();
      begun.await();
      proxy.stall();
      Topic second = direct.on(history::add).topic();
      await(() -> history.distinct() == 1);
      assertThat(history.token("orders/a")).isGreaterThan(ofOne.token("orders/a"));
      interrupted.await();
      await(() -> !first.isMine("a"));
      assertThat(second.isMine("a")).isTrue();
      proxy.lose();
      proxy.heal();
      direct.events.emit("orders/a", "1").join();
      await(() -> direct.pending(second) == 0 && history.all() + ofOne.all() >= 3);
    }
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @MethodSource("serverPorts")
  void member_killed_isReplacedByAnother(int port) throws Exception {
    try (Member two = Member.first(url(port))) {
      Member one = Member.another(url(port));
      CountDownLatch begun = new CountDownLatch(1);
      one.on(event -> {
        begun.countDown();
        awaitInterrupt();
      });
      two.events.emit("orders/a", "0").join();
      one.topic();
      begun.await();
      one.kill();
      Topic second = two.on(history::add).topic();
      two.events.emit("orders/a", "1").join();
      await(() -> history.distinct() == 2);
      assertThat(history.of("orders/a")).containsExactly(0, 1);
      await(() -> two.pending(second) == 0);
      one.close();
    }
  }

  /** Everything is gone, and consumption has to continue by itself. */
  @ParameterizedTest
  @MethodSource("serverPorts")
  void flushall_isFollowedByNewEvents(int port) {
    try (Member member = Member.first(url(port))) {
      Topic topic = member.on(history::add).topic();
      for (int round = 0; round < 5; round++) {
        String number = Integer.toString(round);
        member.redis.blocking().flushall();
        member.events.emit("orders/a", number).join();
        long expected = round + 1L;
        await(() -> history.distinct() == expected);
      }
      await(() -> member.call("EXISTS", "{orders}:topic").equals(1L));
      assertThat(member.call("HGET", "{orders}:topic", "partitions")).isEqualTo("4");
      await(() -> member.pending(topic) == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("serverPorts")
  void groupDestroyedAndStreamDeleted_loseOnlyTheStream(int port) {
    try (Member member = Member.first(url(port))) {
      Topic topic = member.on(history::add).topic();
      String stream = "{orders:" + topic.partition("a") + "}";
      member.events.emit("orders/a", "0").join();
      await(() -> history.distinct() == 1 && member.pending(topic) == 0);
      member.call("XGROUP", "DESTROY", stream, "billing");
      member.events.emit("orders/a", "1").join();
      await(() -> history.distinct() == 2);
      member.call("DEL", stream);
      member.events.emit("orders/a", "2").join();
      await(() -> history.distinct() == 3);
      assertThat(history.of("orders/a")).containsExactly(0, 1, 2);
    }
  }
}
