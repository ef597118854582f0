package dev.kermes.events.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.NoHandlerException;
import dev.kermes.reactor.Overflow;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Retry;
import dev.kermes.reactor.RunningSource;
import dev.kermes.testing.FaultyProxy;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Source and sink on the machine's RabbitMQ. */
@Timeout(120)
class AmqpTest {

  private static @Nullable RealRabbit started;

  private final Reactor reactor = Reactor.create();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void start() {
    assumeTrue(
        RealRabbit.program().isPresent(),
        "rabbitmq-server is not installed (Debian: rabbitmq-server)");
    started = RealRabbit.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) started.close();
  }

  private static RealRabbit rabbit() {
    return Objects.requireNonNull(started);
  }

  /** Work with a channel of its own. */
  private interface Work<T> {
    T with(Channel channel) throws IOException;
  }

  private static <T> T call(Work<T> work) throws Exception {
    try (Connection connection = RealRabbit.factory(rabbit().port()).newConnection();
        Channel channel = connection.createChannel()) {
      return work.with(channel);
    }
  }

  /**
   * The queue "orders" gets what is published in the exchange "shop", and "dead" what it rejects.
   */
  private static void declare(Channel channel) throws IOException {
    channel.exchangeDeclare("shop", "topic", true);
    channel.queueDeclare("dead", true, false, false, null);
    Map<String, Object> rules =
        Map.of(
            "x-dead-letter-exchange", "",
            "x-dead-letter-routing-key", "dead",
            "x-single-active-consumer", true);
    channel.queueDeclare("orders", true, false, false, rules);
    channel.queueBind("orders", "shop", "#");
  }

  @BeforeEach
  void empty() throws Exception {
    reactor.onError((event, error) -> {});
    AMQP.Queue.PurgeOk unused =
        call(channel -> {
          declare(channel);
          channel.queuePurge("dead");
          return channel.queuePurge("orders");
        });
  }

  @AfterEach
  void close() {
    reactor.close();
  }

  private static AmqpSource orders(int port) {
    return AmqpSource.of(RealRabbit.factory(port), "orders").prefix("").topology(AmqpTest::declare);
  }

  private static AmqpSink shop(int port) {
    return AmqpSink.of(RealRabbit.factory(port), "shop").topology(AmqpTest::declare);
  }

  private static long count(String queue) throws Exception {
    return call(channel -> channel.messageCount(queue));
  }

  private static void publish(String text, AMQP.@Nullable BasicProperties properties)
      throws Exception {
    Object unused =
        call(channel -> {
          channel.basicPublish(
              "shop", "orders/42", properties, text.getBytes(StandardCharsets.UTF_8));
          return text;
        });
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) throw new AssertionError("has not happened in time");
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void emit_isHandledWithItsMetadataAndAcknowledged() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      Queue<EventMeta> metas = new ConcurrentLinkedQueue<>();
      reactor.on(
          "orders/{id}",
          event -> {
            seen.add(event.param("id") + " " + event.payload());
            metas.add(event.meta());
          });
      RunningSource orders = reactor.from(orders(rabbit().port()));
      EventMeta meta =
          EventMeta.none().id("o-42").header("trace", "7f").within(Duration.ofMinutes(1));
      assertThat(shop.emit("orders/42", "two books", meta).join()).isEqualTo("o-42");
      await(() -> !metas.isEmpty());
      assertThat(seen).containsExactly("42 two books");
      assertThat(metas.element().id()).isEqualTo("o-42");
      assertThat(metas.element().header("trace")).isEqualTo("7f");
      assertThat(metas.element().attempt()).isEqualTo(1);
      assertThat(orders.health().isUp()).isTrue();
      assertThat(orders.stop(Duration.ofSeconds(10))).isZero();
      assertThat(count("orders")).isZero();
    }
  }

  @Test
  void messagesOfOthers_areTextOrBytesByTheirContentType() throws Exception {
    reactor.on("orders/{id}", event -> seen.add(event.payload().getClass().getSimpleName()));
    reactor.from(orders(rabbit().port()));
    publish("{}", new AMQP.BasicProperties.Builder().contentType("application/json").build());
    publish("{}", null);
    await(() -> seen.size() == 2);
    assertThat(seen).containsExactly("String", "byte[]");
  }

  /** The handlers are parallel; the source keeps the order nevertheless. */
  @Test
  void handler_failing_isRetriedBeforeLaterMessagesOfItsKey() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      AtomicInteger calls = new AtomicInteger();
      reactor
          .at("orders/{id}")
          .parallel()
          .retry(Retry.times(3).backoff(Duration.ZERO, Duration.ofMillis(1)))
          .handle(event -> {
            if (event.payload().equals("0") && calls.incrementAndGet() < 3) throw new Exception();
            seen.add(event.payload() + " " + event.meta().attempt());
          });
      reactor.from(orders(rabbit().port()));
      for (int i = 0; i < 20; i++) shop.emit("orders/a", "" + i, EventMeta.none()).join();
      await(() -> seen.size() == 20);
      assertThat(seen).startsWith("0 3", "1 1", "2 1").endsWith("19 1");
    }
  }

  @Test
  void message_thatCannotBeHandled_isADeadLetter() throws Exception {
    reactor.on(
        "orders/{id}",
        event -> {
          throw new IllegalStateException("no stock");
        });
    reactor.on("amqp/dead", event -> seen.add(event.payload() + " " + event.meta().headers()));
    reactor.from(orders(rabbit().port()));
    try (AmqpSink shop = shop(rabbit().port())) {
      shop.emit("orders/42", "failed", EventMeta.none()).join();
      shop.emit("returns/42", "without handler", EventMeta.none()).join();
    }
    publish("not decoded", new AMQP.BasicProperties.Builder().type("order").build());
    await(() -> seen.isEmpty() && isCount("dead", 3));
    reactor.from(AmqpSource.of(RealRabbit.factory(rabbit().port()), "dead"));
    await(() -> seen.size() == 2 && isCount("dead", 0)); // the third is of an unknown type
    assertThat(count("orders")).isZero();
  }

  private static boolean isCount(String queue, long expected) {
    try {
      return count(queue) == expected;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void prefetch_limitsWhatHandlersHave() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      CountDownLatch gate = new CountDownLatch(1);
      AtomicInteger begun = new AtomicInteger();
      reactor
          .at("orders/{id}")
          .parallel()
          .handle(event -> {
            begun.incrementAndGet();
            gate.await();
            seen.add(event.param("id"));
          });
      for (int i = 0; i < 10; i++) shop.emit("orders/" + i, "x", EventMeta.none()).join();
      reactor.from(orders(rabbit().port()).prefetch(3));
      await(() -> begun.get() == 3);
      assertThat(count("orders")).isEqualTo(7);
      gate.countDown();
      await(() -> seen.size() == 10);
    }
    assertThatThrownBy(() -> orders(1).prefetch(0)).hasMessage("out of range: prefetch=0");
  }

  @Test
  void handler_whoseQueueIsFull_getsTheMessageLater() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      CountDownLatch gate = new CountDownLatch(1);
      reactor
          .at("orders/{id}")
          .serial()
          .queue(1, Overflow.REJECT)
          .handle(event -> {
            gate.await();
            seen.add(event.param("id"));
          });
      reactor.from(orders(rabbit().port()));
      for (int i = 0; i < 5; i++) shop.emit("orders/" + i, "x", EventMeta.none()).join();
      gate.countDown();
      await(() -> seen.size() == 5);
      await(() -> isCount("orders", 0));
      assertThat(count("dead")).isZero();
    }
  }

  @Test
  void pause_holdsMessagesUntilResume() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      reactor.on("orders/{id}", event -> seen.add(event.param("id")));
      RunningSource orders = reactor.from(orders(rabbit().port()));
      await(() -> orders.health().isUp());
      orders.pause();
      for (int i = 0; i < 3; i++) shop.emit("orders/a", "x", EventMeta.none()).join();
      await(() -> isCount("orders", 0)); // they are at the source
      assertThat(seen).isEmpty();
      orders.resume();
      await(() -> seen.size() == 3);
    }
  }

  @Test
  void stop_givesBackWhatWasNotHandled_inItsOrder() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      var first =
          reactor
              .at("orders/{id}")
              .handle(event -> {
                begun.countDown();
                never.await();
              });
      RunningSource orders = reactor.from(orders(rabbit().port()));
      for (int i = 0; i < 3; i++) shop.emit("orders/a", "" + i, EventMeta.none()).join();
      begun.await();
      assertThat(orders.stop(Duration.ZERO)).isEqualTo(1);
      await(() -> isCount("orders", 3));
      first.close();
      reactor.on("orders/{id}", event -> seen.add(event.payload() + " " + event.meta().attempt()));
      reactor.from(orders(rabbit().port()));
      await(() -> seen.size() == 3);
      assertThat(seen).containsExactly("0 2", "1 2", "2 2");
    }
  }

  @Test
  void connections_lost_areOpenedAgain() throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(rabbit().port());
        AmqpSink shop = shop(proxy.port())) {
      reactor.on("orders/{id}", event -> seen.add((String) event.payload()));
      RunningSource orders = reactor.from(orders(proxy.port()));
      shop.emit("orders/a", "0", EventMeta.none()).join();
      await(() -> seen.contains("0"));
      proxy.cut();
      await(() -> !orders.health().isUp());
      assertThatThrownBy(() -> shop.emit("orders/a", "1", EventMeta.none()).join())
          .hasCauseInstanceOf(IOException.class);
      proxy.heal();
      shop.emit("orders/a", "2", EventMeta.none()).join();
      await(() -> seen.contains("2"));
      assertThat(orders.health().isUp()).isTrue();
    }
  }

  @Test
  void broker_killed_keepsMessagesAndIsFoundAgain() throws Exception {
    try (AmqpSink shop = shop(rabbit().port())) {
      CountDownLatch gate = new CountDownLatch(1);
      reactor.on(
          "orders/{id}",
          event -> {
            gate.await();
            seen.add((String) event.payload());
          });
      reactor.from(orders(rabbit().port()));
      for (int i = 0; i < 5; i++) shop.emit("orders/a", "" + i, EventMeta.none()).join();
      rabbit().restart();
      gate.countDown();
      await(() -> seen.containsAll(List.of("0", "1", "2", "3", "4")));
      await(() -> isCount("orders", 0));
    }
  }

  @Test
  void emit_thatNoQueueGets_fails() throws Exception {
    AmqpSink nowhere = AmqpSink.of(RealRabbit.factory(rabbit().port()), "");
    try (nowhere) {
      assertThatThrownBy(() -> nowhere.emit("no/queue", "x", EventMeta.none()).join())
          .hasCauseInstanceOf(NoHandlerException.class)
          .hasMessageContaining("no handler: key=no/queue");
      assertThatThrownBy(() -> nowhere.emit("dead", 7, EventMeta.none()).join())
          .hasMessageContaining("no codec: class=java.lang.Integer");
      reactor.to("dead", nowhere);
      reactor.emit("dead", "x");
      await(() -> isCount("dead", 1));
    }
    assertThatThrownBy(() -> nowhere.emit("dead", "x", EventMeta.none()).join())
        .hasMessageContaining("closed: exchange=");
  }

  @Test
  void queue_thatDoesNotExist_isNotHealthyUntilItDoes() throws Exception {
    reactor.on("amqp/{name}", event -> seen.add(event.param("name")));
    RunningSource late = reactor.from(AmqpSource.of(RealRabbit.factory(rabbit().port()), "late"));
    await(() -> late.health().detail().contains("IOException"));
    assertThat(late.health().isUp()).isFalse();
    Object unused = call(channel -> channel.queueDeclare("late", false, false, false, null));
    await(() -> late.health().isUp());
    Object unusedToo = call(channel -> channel.queueDelete("late"));
    await(() -> !late.health().isUp());
  }

  private void ship(@Nullable String id) {
    seen.add("shipped " + id);
  }

  @Test
  void guide() {
    int port = rabbit().port();
    ConnectionFactory factory = new ConnectionFactory(); // of com.rabbitmq.client
    factory.setPort(port);
    reactor.at("orders/{id}").retry(Retry.times(3)).handle(event -> ship(event.param("id")));
    reactor.from(AmqpSource.of(factory, "orders").prefix("").prefetch(64));
    reactor.to("orders/**", AmqpSink.of(factory, "shop"));
    reactor.emit("orders/42", "two books");
    await(() -> seen.contains("shipped 42"));
  }

  /** The page shows the code that is run above; white space may differ. */
  @Test
  void page_showsThisCode() throws IOException {
    assertThat(GuideBlocks.countShown("amqp.md", AmqpTest.class)).isEqualTo(1);
  }
}
