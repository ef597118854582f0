package dev.kermes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.Codec;
import dev.kermes.events.PayloadCodec;
import dev.kermes.events.PayloadTypes;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.On;
import dev.kermes.reactor.Param;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.core.EventSerializer;
import org.springframework.modulith.events.support.DelegatingEventExternalizer;
import org.springframework.transaction.support.TransactionTemplate;

/** An application of Spring Modulith, whose register of events is a database in memory. */
@Timeout(120)
final class ModulithTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "kermes.server.enabled=true",
              "kermes.events.group=billing",
              "kermes.events.topics=orders",
              "spring.modulith.events.jdbc.schema-initialization.enabled=true");

  /** An event of a module, which others get as orders/ID. */
  @Externalized("orders::#{id()}")
  record OrderPlaced(String id, String book) {}

  /** Another one, without a key. */
  @Externalized("orders")
  record ShopClosed(String why) {}

  /** Handles the events that come back from the topic. */
  static class Billing {
    final BlockingQueue<String> billed = new LinkedBlockingQueue<>();

    @On("orders/{id}")
    public void bill(Object event, @Param("id") String id, EventMeta meta) {
      billed.add(id + " " + event + " " + meta.headers());
    }
  }

  /** The application, with all that Spring Boot finds on its class path. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Billing billing() {
      return new Billing();
    }

    @Bean
    PayloadCodec payloads() {
      return PayloadTypes.standard()
          .with("order", OrderPlaced.class, new Lines<>(OrderPlaced.class))
          .with("closed", ShopClosed.class, new Lines<>(ShopClosed.class));
    }

    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.externalizing()
          .select(EventExternalizationConfiguration.annotatedAsExternalized())
          .headers(OrderPlaced.class, order -> Map.of("trace", "7f"))
          .build();
    }

    @Bean
    EventSerializer serializer() {
      return new EventSerializer() {
        @Override
        public Object serialize(Object event) {
          return new String(Lines.encoded(event), StandardCharsets.UTF_8);
        }

        @Override
        public <T> T deserialize(Object serialized, Class<T> type) {
          return Lines.decoded(serialized.toString(), type);
        }
      };
    }
  }

  /** Records of texts, a line for each. */
  record Lines<T>(Class<T> type) implements Codec<T> {
    @Override
    public byte[] encode(T value) {
      return encoded(value);
    }

    @Override
    public T decode(byte[] bytes, int offset, int length) {
      return decoded(new String(bytes, offset, length, StandardCharsets.UTF_8), type);
    }

    static byte[] encoded(Object value) {
      String text =
          value instanceof OrderPlaced order
              ? order.id() + "\n" + order.book()
              : ((ShopClosed) value).why();
      return text.getBytes(StandardCharsets.UTF_8);
    }

    static <T> T decoded(String text, Class<T> type) {
      String[] lines = text.split("\n");
      return type.cast(
          type == OrderPlaced.class
              ? new OrderPlaced(lines[0], lines[1])
              : new ShopClosed(lines[0]));
    }
  }

  @Test
  void externalizedEvents_reachHandlersOfTheTopic_andAreCompleted() {
    runner.run(context -> {
      ApplicationEventPublisher publisher = context;
      context
          .getBean(TransactionTemplate.class)
          .executeWithoutResult(status -> {
            publisher.publishEvent(new OrderPlaced("42", "Emma"));
            publisher.publishEvent(new ShopClosed("inventory"));
          });
      BlockingQueue<String> billed = context.getBean(Billing.class).billed;
      String[] two = {billed.poll(30, TimeUnit.SECONDS), billed.poll(30, TimeUnit.SECONDS)};
      assertThat(Arrays.asList(two))
          .containsExactlyInAnyOrder(
              "42 OrderPlaced[id=42, book=Emma] {trace=7f}",
              "ShopClosed ShopClosed[why=inventory] {}");
      JdbcTemplate database = context.getBean(JdbcTemplate.class);
      String open = "select count(*) from EVENT_PUBLICATION where COMPLETION_DATE is null";
      while (!Integer.valueOf(0).equals(database.queryForObject(open, Integer.class))) {
        Thread.onSpinWait();
      }
      String all = "select count(*) from EVENT_PUBLICATION";
      assertThat(database.queryForObject(all, Integer.class)).isEqualTo(2);
    });
  }

  @Test
  void externalizer_isLeftOut_whenItIsSwitchedOffOrModulithIsMissing() {
    runner
        .withPropertyValues("kermes.events.externalization.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(DelegatingEventExternalizer.class));
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                KermesServerAutoConfiguration.class,
                KermesClientAutoConfiguration.class,
                KermesReactorAutoConfiguration.class,
                KermesEventsAutoConfiguration.class,
                KermesModulithAutoConfiguration.class))
        .withPropertyValues("kermes.server.enabled=true")
        .withClassLoader(new FilteredClassLoader(DelegatingEventExternalizer.class))
        .run(context -> assertThat(context).hasNotFailed());
  }
}
