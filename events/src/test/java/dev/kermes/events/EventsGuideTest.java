package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.client.json.JsonCodec;
import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Retry;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of docs/events.md. */
@Timeout(60)
class EventsGuideTest extends Servers {

  private final Queue<String> stored = new ConcurrentLinkedQueue<>();
  private final Reactor reactor = Reactor.create();
  private final RedisClient redis = RedisClient.open(urls().toList().getLast());

  record Order(String book) {}

  @BeforeEach
  void empty() {
    redis.blocking().flushall();
    reactor.onError((event, error) -> {});
  }

  @AfterEach
  void close() {
    redis.close();
  }

  @Test
  void aTopic() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
      reactor.on("orders/{id}", event -> stored.add(event.param("id") + "=" + event.payload()));
      events.topic("orders");
      String id = events.emit("orders/42", "two books").join();
      await(() -> !stored.isEmpty());
      assertThat(stored).containsExactly("42=two books");
      assertThat(id).matches("\\d+:\\d+-\\d+");
    }
  }

  @Test
  void optionsOfEmit() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).open()) {
      EmitOptions reminder =
          EmitOptions.none()
              .id("reminder-42") // stored once, however often it is emitted
              .delay(Duration.ofHours(2)) // appended later, without a scheduler
              .header("trace", "7f")
              .within(Duration.ofMinutes(5)); // a dead letter if no handler begins by then
      events.emit("orders/42", "remind", reminder).join();
      assertThat(redis.blocking().keys("*")).hasSize(3);
    }
  }

  @Test
  void schedules() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
      reactor.on("reports/{name}", event -> stored.add("" + event.meta().header("scheduled")));
      events.topic("reports");
      Schedule mornings = Schedule.cron("0 6 * * MON-FRI", ZoneId.of("Europe/Berlin"));
      events.schedule("reports/daily", mornings, "all shops");
      events.schedule("reports/tick", Schedule.every(Duration.ofSeconds(1)), "", Missed.SKIP);
      await(() -> !stored.isEmpty());
      events.unschedule("reports/tick");
      assertThat(stored.element()).matches("\\d+-\\d+-\\d+T\\d+:\\d+:\\d+Z");
    }
  }

  private void ship(String id, long token) {
    stored.add(id + " " + (token > 0));
    if (id.equals("13")) throw new IllegalStateException("no stock");
  }

  @Test
  void failures() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
      reactor
          .at("orders/{id}")
          .named("shipping")
          .retry(Retry.times(8).backoff(Duration.ofMillis(100), Duration.ofSeconds(10)))
          .handle(event -> ship(event.param("id"), event.meta().token()));
      Topic topic = events.topic("orders");
      events.emit("orders/42", "two books").join();
      await(() -> !stored.isEmpty());
      assertThat(stored).containsExactly("42 true");
      assertThat(topic.deadLetters().list(1)).isEmpty();
    }
  }

  @Test
  void deadLetters() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
      reactor.at("orders/{id}").named("shipping").handle(event -> ship("13", 1));
      Topic topic = events.topic("orders");
      events.emit("orders/13", "one book").join();
      await(() -> !topic.deadLetters().list(1).isEmpty());
      stored.clear();
      for (DeadLetter letter : topic.deadLetters().list(100)) {
        stored.add(letter.key() + " " + letter.handlers() + " " + letter.cause());
        topic.deadLetters().replay(letter); // or drop(letter)
      }
      await(() -> stored.size() == 2);
      assertThat(stored)
          .startsWith("orders/13 [shipping] java.lang.IllegalStateException: no stock");
    }
  }

  @Test
  void parking() {
    RedisEvents.Builder builder =
        RedisEvents.of(redis, reactor)
            .group("billing")
            .parking(
                Parking.upTo(Duration.ofHours(24))
                    .backoff(Duration.ofSeconds(10), Duration.ofMinutes(10)));
    try (RedisEvents events = builder.open()) {
      reactor.at("orders/{id}").named("shipping").handle(event -> ship("13", 1));
      Topic topic = events.topic("orders");
      events.emit("orders/13", "one book").join();
      await(() -> !topic.parked(1).isEmpty());
      assertThat(topic.parked(1).getFirst().cause()).contains("no stock");
    }
  }

  @Test
  void calls() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).open()) {
      reactor.on("prices/{item}", event -> event.reply("12 EUR"));
      events.answer("prices");
      Object price = events.call("prices/book", "paperback", Duration.ofSeconds(1)).join();
      assertThat(price).isEqualTo("12 EUR");
      assertThat(events.lateAnswers()).isZero();
    }
  }

  @Test
  void sources() {
    reactor.on("channel/{name}", event -> stored.add(event.param("name")));
    reactor.from(ChannelSource.of(redis, "news").onGap(gap -> stored.add(gap.toString())));
    reactor.on("stream/legacy", event -> stored.add(event.payload().toString()));
    reactor.from(StreamSource.of(redis, "legacy", "billing", "host-1").workers(2));
    await(() -> stored.stream().anyMatch(each -> each.startsWith("Confirmed")));
    redis.blocking().publish("news", "x");
    redis.call(Command.of("XADD", "legacy", "*", "n", "1"));
    await(() -> stored.contains("news") && stored.contains("{n=1}"));
    reactor.close();
  }

  @Test
  void payloads() {
    PayloadTypes types =
        PayloadTypes.standard().with("order", Order.class, JsonCodec.of(Order.class));
    RedisEvents.Builder builder = RedisEvents.of(redis, reactor).group("billing").payloads(types);
    try (RedisEvents events = builder.open()) {
      reactor.at("orders/{id}").of(Order.class).handle(event -> stored.add(event.payload().book()));
      events.topic("orders");
      events.emit("orders/42", new Order("Emma")).join();
      await(() -> stored.contains("Emma"));
    }
  }

  @Test
  void members() {
    try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
      Topic topic =
          events.topic(
              "orders",
              opened ->
                  opened
                      .onAcquired((partition, token) -> stored.add("acquired " + partition))
                      .onReleased(partition -> stored.add("released " + partition)));
      boolean isMine = topic.isMine("42");
      String owner = topic.owner("42");
      assertThat(isMine && owner == null).isFalse();
      await(() -> topic.mine().size() == 16);
      assertThat(topic.isMine("42")).isTrue();
      assertThat(topic.owner("42")).isEqualTo(events.member());
    }
    assertThat(stored).hasSize(32).contains("acquired 15", "released 15");
  }

  /** The page shows the code that is run above; white space may differ. */
  @Test
  void page_showsThisCode() throws IOException {
    assertThat(GuideBlocks.countShown("events.md", EventsGuideTest.class)).isEqualTo(10);
  }
}
