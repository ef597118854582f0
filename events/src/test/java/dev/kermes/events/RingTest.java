package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.reactor.Retry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members in one JVM: who owns a partition, and its hand-over. */
@Timeout(120)
class RingTest extends Servers {

  private final History history = new History();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

  /** A key of the given topic's partition. */
  private static String keyOf(Topic topic, int partition) {
    for (int i = 0; ; i++) if (topic.partition("k" + i) == partition) return "k" + i;
  }

  @ParameterizedTest
  @MethodSource("urls")
  void members_shareThePartitions(String url) {
    try (Member one = Member.first(url, options -> options.partitions(16));
        Member two = Member.another(url)) {
      Topic first = one.on(history::add).topic();
      await(() -> first.mine().size() == 16);
      Topic second = two.on(history::add).topic();
      await(() -> !second.mine().isEmpty() && first.mine().size() + second.mine().size() == 16);
      String key = keyOf(first, second.mine().getFirst());
      assertThat(first.owner(key)).isEqualTo(two.events.member());
      assertThat(first.isMine(key)).isFalse();
      assertThat(second.isMine(key)).isTrue();
      assertThat(one.events.close(Duration.ofSeconds(30))).isZero();
      await(() -> second.mine().size() == 16);
    }
  }

  /** The second member joins, and the first one leaves, while events are emitted and handled. */
  @ParameterizedTest
  @MethodSource("urls")
  void handOver_onJoinAndLeave_keepsOrderAndLosesNothing(String url) {
    try (Member one = Member.first(url, options -> options.partitions(16));
        Member two = Member.another(url);
        Member emitter = Member.another(url)) {
      Topic first = one.on(history::add).topic();
      await(() -> first.mine().size() == 16);
      int rounds = 0;
      rounds = emit(emitter, rounds, 5);
      Topic second = two.on(history::add).topic();
      while (second.mine().isEmpty()) rounds = emit(emitter, rounds, 1);
      rounds = emit(emitter, rounds, 5);
      assertThat(one.events.close(Duration.ofSeconds(30))).isZero();
      rounds = emit(emitter, rounds, 5);
      long all = 20L * rounds;
      await(() -> history.distinct() == all);
      history.checkOrder();
      await(() -> two.pending(second) == 0);
    }
  }

  /** Emits one event of each of 20 keys per round; returns the next round. */
  private static int emit(Member emitter, int from, int rounds) {
    for (int round = from; round < from + rounds; round++) {
      for (int key = 0; key < 20; key++) {
        emitter.events.emit("orders/" + key, Integer.toString(round)).join();
      }
    }
    return from + rounds;
  }

  @ParameterizedTest
  @MethodSource("urls")
  void handOver_handlerStillRuns_keepsThePartition(String url) throws Exception {
    try (Member one = Member.first(url, options -> options.partitions(16));
        Member two = Member.another(url)) {
      CountDownLatch gate = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(16);
      one.on(event -> {
        begun.countDown();
        awaitUninterruptibly(gate);
        history.add(event);
      });
      Topic first = one.topic();
      for (int i = 0; i < 16; i++) one.events.emit("orders/" + keyOf(first, i), "0").join();
      begun.await();
      Topic second = two.on(history::add).topic();
      await(() -> one.call("ZCARD", "{orders}:members:billing").equals(2L));
      Set<Object> looks = new HashSet<>();
      String[] score = {"{orders}:members:billing", one.events.member()};
      await(() -> looks.add(one.call("ZSCORE", score)) && looks.size() > 5);
      assertThat(second.mine()).isEmpty();
      gate.countDown();
      await(() -> !second.mine().isEmpty());
      assertThat(history.all()).isEqualTo(16);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The hooks see each ownership begin before its first event and end after its last. */
  @ParameterizedTest
  @MethodSource("urls")
  void hooks_tellAcquiredAndReleased(String url) {
    Map<Integer, Long> tokens = new ConcurrentHashMap<>();
    try (Member member = Member.first(url)) {
      Queue<Integer> released = new ConcurrentLinkedQueue<>();
      member.on(event -> {
        int partition = member.topic().partition("a");
        seen.add(event.meta().token() == tokens.getOrDefault(partition, -1L));
      });
      Topic topic =
          member.events.topic(
              "orders", opened -> opened.onAcquired(tokens::put).onReleased(released::add));
      member.events.emit("orders/a", "x").join();
      await(() -> !seen.isEmpty() && tokens.size() == 4);
      assertThat(seen).containsExactly(true);
      topic.close();
      assertThat(released).containsExactlyInAnyOrder(0, 1, 2, 3);
      assertThat(topic.owner("a")).isNull();
    }
  }

  /** The hooks together take longer than a member may act without a renewal. */
  @ParameterizedTest
  @MethodSource("urls")
  void hooks_slow_leaseCountsFromTheirBegin(String url) {
    Queue<Integer> acquired = new ConcurrentLinkedQueue<>();
    try (Member member = Member.first(url).on(history::add)) {
      Topic topic =
          member.events.topic(
              "orders",
              opened ->
                  opened.onAcquired((partition, token) -> {
                    LockSupport.parkNanos(Member.LEASE.toNanos() * 3 / 10);
                    acquired.add(partition);
                  }));
      await(() -> topic.mine().size() == 4);
      assertThat(acquired).containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void partition_thatFails_leavesTheOthersAlone(String url) {
    try (Member member = Member.first(url).on(history::add)) {
      member.call("SET", "{orders:0}:billing", "not a hash");
      Topic topic = member.topic();
      await(() -> topic.mine().equals(List.of(1, 2, 3)));
      await(() -> !topic.health().isUp());
      assertThat(topic.health().detail()).contains("WRONGTYPE");
      member.call("DEL", "{orders:0}:billing");
      await(() -> topic.mine().size() == 4 && topic.health().isUp());
    }
  }

  // ---- the end

  @ParameterizedTest
  @MethodSource("urls")
  void close_waitsForHandlersAndAcknowledges(String url) throws Exception {
    try (Member member = Member.first(url)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch gate = new CountDownLatch(1);
      member.on(event -> {
        begun.countDown();
        awaitUninterruptibly(gate);
        seen.add(event.payload());
      });
      Topic topic = member.topic();
      member.events.emit("orders/a", "1").join();
      begun.await();
      Thread closing = Thread.startVirtualThread(topic::close);
      await(() -> member.call("EXISTS", "{orders}:members:billing").equals(0L));
      assertThat(seen).isEmpty();
      assertThat(topic.owner("a")).isEqualTo(member.events.member());
      gate.countDown();
      closing.join();
      assertThat(seen).containsExactly("1");
      assertThat(member.pending(topic)).isZero();
      assertThat(topic.owner("a")).isNull();
    }
  }

  /** The event whose retries are cut short holds its key, also for the rest of this member. */
  @ParameterizedTest
  @MethodSource("urls")
  void close_duringRetries_leavesTheKeyToTheNextOwner(String url) throws Exception {
    try (Member one = Member.first(url);
        Member two = Member.another(url)) {
      CountDownLatch failed = new CountDownLatch(1);
      one.reactor
          .at("orders/{id}")
          .named("shipping")
          .retry(Retry.times(100).backoff(Duration.ofHours(1), Duration.ofHours(2)))
          .handle(event -> {
            failed.countDown();
            if (event.payload().equals("0")) throw new IllegalStateException("not yet");
            history.add(event);
          });
      Topic first = one.topic();
      for (String each : new String[] {"0", "1", "2"}) one.events.emit("orders/a", each).join();
      failed.await();
      first.close();
      assertThat(history.all()).isZero();
      assertThat(first.deadLetters().list(1)).isEmpty();
      Topic second = two.on(history::add).topic();
      await(() -> history.distinct() == 3);
      assertThat(history.of("orders/a")).containsExactly(0, 1, 2);
      await(() -> two.pending(second) == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void drain_ofTheReactor_releasesThePartitions(String url) {
    try (Member one = Member.first(url)) {
      Topic topic = one.on(history::add).topic();
      await(() -> topic.mine().size() == 4);
      one.events.emit("orders/a", "0").join();
      await(() -> history.all() == 1);
      assertThat(one.reactor.drain(Duration.ofSeconds(30))).isZero();
      assertThat(topic.mine()).isEmpty();
      assertThat(topic.owner("a")).isNull();
      await(() -> one.call("EXISTS", "{orders}:members:billing").equals(0L));
    }
  }
}
