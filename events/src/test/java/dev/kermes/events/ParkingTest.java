package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.reactor.Event;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that are parked, and events that kill their owners. */
@Timeout(120)
class ParkingTest extends Servers {

  private static final Parking QUICK =
      Parking.upTo(Duration.ofHours(1)).backoff(Duration.ofMillis(1), Duration.ofMillis(5));

  /** One partition, so that keys could hold up one another, and few events at a time. */
  private static UnaryOperator<RedisEvents.Builder> narrow(Parking parking) {
    return options -> options.partitions(1).window(4).parking(parking);
  }

  private final History history = new History();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();
  private volatile boolean isRepaired;

  private void failUntilRepaired(Event<Object> event) {
    if (event.key().equals("orders/a") && !isRepaired) throw new IllegalStateException("no stock");
    history.add(event);
  }

  private static void emit(Member member, String key, int from, int to) {
    for (int i = from; i < to; i++) member.events.emit(key, Integer.toString(i)).join();
  }

  @ParameterizedTest
  @MethodSource("urls")
  void failingKey_isParked_andOthersContinue(String url) {
    try (Member member = Member.first(url, narrow(QUICK))) {
      Topic topic = member.on(this::failUntilRepaired).topic();
      emit(member, "orders/a", 0, 10);
      emit(member, "orders/b", 0, 10);
      await(() -> history.distinct() == 10);
      await(() -> topic.parked(9).stream().anyMatch(key -> key.events() == 10));
      ParkedKey parked = topic.parked(9).getFirst();
      assertThat(parked.key()).isEqualTo("orders/a");
      assertThat(parked.cause()).contains("no stock");
      assertThat(parked.handlers()).containsExactly("shipping");
      assertThat(topic.parked(0)).isEmpty();
      await(() -> member.pending(topic) == 0);
      await(() -> topic.parked(9).getFirst().attempts() > 3);
      isRepaired = true;
      emit(member, "orders/a", 10, 20);
      await(() -> history.distinct() == 30);
      history.checkOrder();
      await(() -> topic.parked(9).isEmpty());
      emit(member, "orders/a", 20, 21);
      await(() -> history.distinct() == 31);
      await(() -> member.pending(topic) == 0);
      assertThat(topic.deadLetters().list(9)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void parkedKey_survivesTheDeathOfItsOwner(String url) {
    try (Member two = Member.first(url, narrow(QUICK))) {
      Member one = Member.another(url, narrow(QUICK));
      Topic first = one.on(this::failUntilRepaired).topic();
      emit(two, "orders/a", 0, 10);
      await(() -> first.parked(9).stream().anyMatch(key -> key.events() == 10));
      die(one, two);
      isRepaired = true;
      Topic second = two.on(this::failUntilRepaired).topic();
      emit(two, "orders/a", 10, 12);
      await(() -> history.distinct() == 12);
      history.checkOrder();
      await(() -> second.parked(9).isEmpty() && two.pending(second) == 0);
      one.close();
    }
  }

  /** The owner is killed, and its lease passes at once. */
  private static void die(Member owner, Member direct) {
    owner.kill();
    direct.call("HSET", "{orders:0}:billing", "until", "0");
  }

  @ParameterizedTest
  @MethodSource("urls")
  void parkedEvent_failingForTooLong_isADeadLetterAndTheNextOneBegins(String url) {
    Parking brief =
        Parking.upTo(Duration.ofMillis(50)).backoff(QUICK.backoffFirst(), QUICK.backoffMax());
    try (Member member = Member.first(url, narrow(brief))) {
      member.on(event -> {
        if (event.payload().equals("bad")) throw new IllegalStateException("no stock");
        seen.add(event.payload());
      });
      Topic topic = member.topic();
      member.events.emit("orders/a", "bad").join();
      member.events.emit("orders/a", "good").join();
      await(() -> seen.contains("good"));
      DeadLetter letter = topic.deadLetters().list(9).getFirst();
      assertThat(letter.key()).isEqualTo("orders/a");
      assertThat(letter.cause()).contains("no stock");
      assertThat(letter.handlers()).containsExactly("shipping");
      assertThat(letter.attempts()).isGreaterThan(1);
    }
  }

  /** Each owner dies while the handler runs; the event may be begun twice. */
  @ParameterizedTest
  @MethodSource("urls")
  void event_whoseOwnersDie_isADeadLetter(String url) throws Exception {
    UnaryOperator<RedisEvents.Builder> twice = options -> options.partitions(1).startsMax(2);
    try (Member last = Member.first(url, twice)) {
      last.events.emit("orders/bad", "0").join();
      last.events.emit("orders/good", "0").join();
      for (int owner = 0; owner < 2; owner++) {
        Member member = Member.another(url, twice);
        CountDownLatch begun = new CountDownLatch(1);
        member.on(event -> {
          if (event.key().equals("orders/good")) return;
          seen.add(event.payload());
          begun.countDown();
          awaitInterrupt();
        });
        Topic topic = member.topic();
        begun.await();
        await(() -> last.pending(topic) == 1); // the good event is acknowledged
        die(member, last);
        member.close();
      }
      Topic topic = last.on(history::add).topic();
      await(() -> topic.deadLetters().list(9).size() == 1);
      assertThat(seen).hasSize(2);
      DeadLetter letter = topic.deadLetters().list(9).getFirst();
      assertThat(letter.key()).isEqualTo("orders/bad");
      assertThat(letter.cause()).isEqualTo("begun 2 times, and never ended");
      last.events.emit("orders/bad", "1").join();
      await(() -> history.of("orders/bad").size() == 1);
      assertThat(history.of("orders/bad")).containsExactly(1);
    }
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Only one of the events that were begun so often is to blame for a further death. */
  @ParameterizedTest
  @CsvSource({"5, 2", "4, 2", "3, 1", "1, 1"})
  void suspects_beginOneAtATime(int startsMax, int starts) {
    Suspects suspects = new Suspects(startsMax);
    Entry first = suspect("1-0", starts);
    Entry second = suspect("2-0", starts);
    Entry fresh = suspect("3-0", starts - 1);
    assertThat(suspects.mayBegin(first)).isTrue();
    assertThat(suspects.mayBegin(second)).isFalse();
    assertThat(suspects.mayBegin(fresh)).isTrue();
    assertThat(suspects.ended(fresh)).isNull();
    assertThat(suspects.ended(first)).isSameAs(second);
    assertThat(suspects.ended(second)).isNull();
    assertThat(suspects.mayBegin(first)).isTrue();
  }

  private static Entry suspect(String id, int starts) {
    return Entry.of(id, null, 1).ofEarlierOwner(starts);
  }

  @Test
  void options_outOfRange_areRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThat(Parking.none().isOn()).isFalse();
    assertThat(Parking.upTo(second).isOn()).isTrue();
    assertThatThrownBy(() -> Parking.upTo(second.negated())).hasMessageContaining("age=PT-1S");
    assertThatThrownBy(() -> Parking.none().backoff(second, Duration.ofMillis(1)))
        .hasMessageContaining("backoffMax=PT0.001S");
    assertThatThrownBy(() -> Parking.none().lengthMax(0)).hasMessageContaining("lengthMax=0");
  }
}
