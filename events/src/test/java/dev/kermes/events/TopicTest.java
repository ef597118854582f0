package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.json.JsonCodec;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One member: delivery, order, failures, options of emit. */
@Timeout(120)
class TopicTest extends Servers {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();
  private final History history = new History();

  record Order(String book, int count) {}

  @ParameterizedTest
  @MethodSource("urls")
  void topic_thatCouldNotBeOpened_isOpenedByTheNextAttempt(String url) {
    try (Member member = Member.first(url)) {
      member.call("SET", "{orders}:topic", "not a hash");
      assertThatThrownBy(() -> member.events.emit("orders/a", "x").join())
          .hasMessageContaining("WRONGTYPE");
      member.call("DEL", "{orders}:topic");
      assertThat(member.events.emit("orders/a", "x").join()).isNotEmpty();
      assertThat(member.topic().partitions()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_isHandledWithItsMetadataAndAcknowledged(String url) {
    try (Member member = Member.first(url)) {
      Queue<EventMeta> metas = new ConcurrentLinkedQueue<>();
      member.on(event -> {
        seen.add(event.key() + " " + event.payload());
        metas.add(event.meta());
      });
      Topic topic = member.topic();
      EmitOptions how = EmitOptions.none().header("trace", "7f").within(MINUTE);
      String id = member.events.emit("orders/42", "two books", how).join();
      await(() -> !metas.isEmpty());
      assertThat(seen).containsExactly("orders/42 two books");
      EventMeta meta = metas.remove();
      assertThat(meta.id()).isEqualTo(id).startsWith(topic.partition("42") + ":");
      assertThat(meta.attempt()).isEqualTo(1);
      assertThat(meta.header("trace")).isEqualTo("7f");
      assertThat(meta.token()).isPositive();
      assertThat(meta.remaining()).isBetween(Duration.ofSeconds(1), MINUTE);
      await(() -> member.pending(topic) == 0);
      assertThat(topic.health().isUp()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_manyKeys_keepsTheOrderOfEach(String url) {
    try (Member member = Member.first(url)) {
      member.on(history::add);
      Topic topic = member.topic();
      for (int i = 0; i < 2000; i++) {
        var unused = member.events.emit("orders/" + i % 20, Integer.toString(i / 20));
      }
      await(() -> history.distinct() == 2000);
      history.checkOrder();
      await(() -> member.pending(topic) == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void topic_closed_isOpenedAgain(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      Topic first = member.topic();
      assertThat(member.topic()).isSameAs(first);
      first.close();
      assertThat(member.topic()).isNotSameAs(first);
      member.events.emit("orders/42", "x").join();
      await(() -> seen.contains("x"));
    }
  }

  /** The handlers are parallel; the topic keeps the order nevertheless. */
  @ParameterizedTest
  @MethodSource("urls")
  void handler_failing_isRetriedBeforeLaterEventsOfItsKey(String url) {
    try (Member member = Member.first(url)) {
      AtomicInteger calls = new AtomicInteger();
      member
          .reactor
          .at("orders/{id}")
          .parallel()
          .retry(Retry.times(3).backoff(Duration.ZERO, Duration.ofMillis(1)))
          .handle(event -> {
            if (event.payload().equals("1") && calls.incrementAndGet() < 3) throw new Exception();
            seen.add(event.payload() + " " + event.meta().attempt());
          });
      member.topic();
      for (String each : List.of("1", "2")) member.events.emit("orders/a", each).join();
      await(() -> seen.size() == 2);
      assertThat(seen).containsExactly("1 3", "2 1");
    }
  }

  // ---- dead letters

  @ParameterizedTest
  @MethodSource("urls")
  void handler_failedForGood_isADeadLetterThatCanBeReplayed(String url) {
    try (Member member = Member.first(url)) {
      CountDownLatch repaired = new CountDownLatch(1);
      member.on(event -> {
        if (event.payload().equals("bad") && repaired.getCount() > 0) {
          throw new IllegalStateException("no stock");
        }
        seen.add(event.payload());
      });
      member.reactor.at("orders/{id}").named("audit").handle(event -> seen.add("audited"));
      Topic topic = member.topic();
      EmitOptions how = EmitOptions.none().header("trace", "7f");
      String id = member.events.emit("orders/a", "bad", how).join();
      member.events.emit("orders/a", "good").join();
      await(() -> seen.size() == 3);
      assertThat(seen).contains("good").doesNotContain("bad");
      await(() -> topic.deadLetters().list(10).size() == 1);
      DeadLetter letter = topic.deadLetters().list(10).getFirst();
      assertThat(letter.origin()).isEqualTo(id);
      assertThat(letter.key()).isEqualTo("orders/a");
      assertThat(letter.cause()).contains("no stock");
      assertThat(letter.handlers()).containsExactly("shipping");
      assertThat(letter.attempts()).isEqualTo(1);
      assertThat(letter.type()).isEqualTo("text");
      assertThat(letter.payload()).asString().isEqualTo("bad");
      assertThat(letter.headers()).containsEntry("trace", "7f");
      repaired.countDown();
      seen.clear();
      assertThat(topic.deadLetters().replay(letter)).isTrue();
      assertThat(topic.deadLetters().replay(letter)).isFalse();
      await(() -> member.pending(topic) == 0 && !seen.isEmpty());
      assertThat(seen).containsExactly("bad"); // and not for the handler that had succeeded
      assertThat(topic.deadLetters().list(10)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void undecodableAndUnmatchedEvents_areDeadLetters(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      Topic topic = member.topic();
      member.call("XADD", "{orders:0}", "*", "k", "a", "t", "invoice", "v", "x");
      member.call("XADD", "{orders:0}", "*", "foreign", "x");
      member.events.emit("orders/a/b", "unmatched").join();
      await(() -> topic.deadLetters().list(10).size() == 3);
      assertThat(topic.deadLetters().list(10))
          .extracting(DeadLetter::cause)
          .anyMatch(cause -> cause.contains("no codec: type=invoice"))
          .anyMatch(cause -> cause.contains("no handler: key=orders/a/b"));
      for (DeadLetter each : topic.deadLetters().list(10)) {
        assertThat(topic.deadLetters().drop(each)).isTrue();
        assertThat(topic.deadLetters().drop(each)).isFalse();
      }
      assertThat(topic.deadLetters().list(10)).isEmpty();
      member.events.emit("orders/a", "fine").join();
      await(() -> !seen.isEmpty());
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_deadlinePassed_isADeadLetter(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      EmitOptions late = EmitOptions.none().within(Duration.ZERO);
      member.events.emit("orders/a", "late", late).join();
      Topic topic = member.topic();
      await(() -> topic.deadLetters().list(10).size() == 1);
      assertThat(topic.deadLetters().list(10).getFirst().cause()).contains("deadline passed");
      assertThat(seen).isEmpty();
    }
  }

  // ---- options of emit

  @ParameterizedTest
  @MethodSource("urls")
  void emit_sameId_isStoredOnce(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      member.topic();
      EmitOptions how = EmitOptions.none().id("order-42");
      String id = member.events.emit("orders/42", "first", how).join();
      assertThat(member.events.emit("orders/42", "again", how).join()).isEqualTo(id);
      member.events.emit("orders/42", "last").join();
      await(() -> seen.contains("last"));
      assertThat(seen).containsExactly("first", "last");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_delayed_isHandledLater(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      EmitOptions soon = EmitOptions.none().delay(Duration.ofMillis(300));
      member.events.emit("orders/a", "later", soon).join();
      member.events.emit("orders/a", "much later", EmitOptions.none().delay(MINUTE)).join();
      member.events.emit("orders/a", "now").join();
      Topic topic = member.topic();
      await(() -> seen.size() == 2);
      assertThat(seen).containsExactly("now", "later");
      assertThat(member.call("ZCARD", "{orders:" + topic.partition("a") + "}:later")).isEqualTo(1L);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_withoutEnoughReplicas_failsAndIsStored(String url) {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload()));
      member.topic();
      EmitOptions how = EmitOptions.none().replicated(1, Duration.ofMillis(1));
      assertThatThrownBy(() -> member.events.emit("orders/a", "x", how).join())
          .hasCauseInstanceOf(NotReplicatedException.class);
      await(() -> seen.contains("x"));
      EmitOptions none = EmitOptions.none().id("y").replicated(0, Duration.ofMillis(1));
      member.events.emit("orders/a", "y", none).join();
      await(() -> seen.contains("y"));
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void emit_ofTheReactor_goesThroughTheTopic(String url) throws Exception {
    try (Member member = Member.first(url)) {
      member.on(event -> seen.add(event.payload() + " " + (event.meta().token() > 0)));
      AutoCloseable route = member.reactor.to("orders/**", member.topic());
      assertThat(member.reactor.emit("orders/a", "x")).isEqualTo(1);
      await(() -> !seen.isEmpty());
      assertThat(seen).containsExactly("x true");
      route.close();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void payloads_ofOwnTypes_arriveAsThemselves(String url) {
    PayloadTypes types =
        PayloadTypes.standard().with("order", Order.class, JsonCodec.of(Order.class));
    try (Member member = Member.first(url, options -> options.payloads(types))) {
      member.reactor.at("orders/{id}").of(Order.class).handle(event -> seen.add(event.payload()));
      member.topic();
      member.events.emit("orders/a", new Order("Emma", 2)).join();
      await(() -> !seen.isEmpty());
      assertThat(seen).containsExactly(new Order("Emma", 2));
      assertThatThrownBy(() -> member.events.emit("orders/a", 7).join())
          .hasMessageContaining("no codec: class=java.lang.Integer");
    }
  }

  // ---- topics

  @ParameterizedTest
  @MethodSource("urls")
  void topic_otherNumberOfPartitions_isRefused(String url) {
    try (Member member = Member.first(url);
        RedisEvents other =
            RedisEvents.of(member.redis, member.reactor).group("b").partitions(8).open();
        RedisEvents emitter = RedisEvents.of(member.redis, member.reactor).open()) {
      member.topic();
      assertThatThrownBy(() -> other.topic("orders"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("topic=orders, stored=4, wanted=8");
      emitter.emit("orders/a", "x").join();
      assertThatThrownBy(() -> emitter.topic("orders")).hasMessage("no group: topic=orders");
      assertThatThrownBy(() -> emitter.emit("orders", "x")).hasMessage("no topic: key=orders");
      assertThatThrownBy(() -> other.topic("{x}")).hasMessage("bad name: topic={x}");
    }
  }

  /** Acknowledged in another group is not acknowledged in this one. */
  @ParameterizedTest
  @MethodSource("urls")
  void groups_eachGetEveryEvent(String url) {
    try (Member member = Member.first(url);
        Member audit = Member.first(url, options -> options.group("audit"))) {
      member.on(event -> seen.add("billing " + event.payload()));
      audit.on(event -> seen.add("audit " + event.payload()));
      member.topic();
      audit.topic();
      member.events.emit("orders/a", "x").join();
      await(() -> seen.size() == 2);
      assertThat(seen).containsExactlyInAnyOrder("billing x", "audit x");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void fromNow_leavesOutEarlierEvents(String url) {
    try (Member member = Member.first(url, options -> options.fromNow())) {
      member.on(event -> seen.add(event.payload()));
      member.events.emit("orders/a", "early").join();
      Topic topic = member.topic();
      await(() -> topic.mine().size() == topic.partitions());
      member.events.emit("orders/a", "x").join();
      await(() -> !seen.isEmpty());
      assertThat(seen).containsExactly("x");
    }
  }
}
