package dev.kermes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.events.RedisEvents;
import dev.kermes.events.Topic;
import dev.kermes.reactor.On;
import dev.kermes.reactor.Param;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Durable topics of an application. */
@Timeout(60)
final class EventsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KermesServerAutoConfiguration.class,
                  KermesClientAutoConfiguration.class,
                  KermesReactorAutoConfiguration.class,
                  KermesEventsAutoConfiguration.class,
                  KermesEventsHealthAutoConfiguration.class))
          .withPropertyValues("kermes.server.enabled=true");

  /** Handles events of a topic, and calls. */
  static class Shipping {
    final BlockingQueue<String> shipped = new LinkedBlockingQueue<>();

    @On("orders/{id}")
    public void ship(String payload, @Param("id") int id) {
      shipped.add(id + " " + payload);
    }

    @On("prices/{item}")
    public String price(String request) {
      return "12 EUR for " + request;
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    Shipping shipping() {
      return new Shipping();
    }

    @Bean
    RedisEventsCustomizer partitions() {
      return events -> events.partitions(4);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) LockSupport.parkNanos(1_000_000);
  }

  @Test
  void methodsOfBeans_handleTheTopicsOfTheProperties() {
    AtomicReference<Topic> topic = new AtomicReference<>();
    runner
        .withUserConfiguration(Application.class)
        .withPropertyValues(
            "kermes.events.group=billing",
            "kermes.events.topics=orders",
            "kermes.events.answers=prices",
            "kermes.events.lease=20s",
            "kermes.events.parking=1h")
        .run(context -> {
          RedisEvents events = context.getBean(RedisEvents.class);
          events.emit("orders/42", "two books").join();
          Shipping shipping = context.getBean(Shipping.class);
          assertThat(shipping.shipped.poll(20, TimeUnit.SECONDS)).isEqualTo("42 two books");
          assertThat(events.call("prices/book", "Ann", TIMEOUT).join()).isEqualTo("12 EUR for Ann");
          topic.set(events.topic("orders"));
          await(() -> topic.get().mine().size() == 4);
          Health health = Objects.requireNonNull(context.getBean(HealthIndicator.class).health());
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails().get("orders")).isEqualTo("partitions=[0, 1, 2, 3]");
        });
    assertThat(topic.get().mine()).isEmpty();
  }

  @Test
  void withoutGroup_emitsOnly() {
    runner.run(context -> {
      context.getBean(RedisEvents.class).emit("orders/42", "x").join();
      assertThat(context.getBean(RedisClient.class).blocking().keys("*")).isNotEmpty();
    });
  }

  @Test
  void beans_areLeftOut() {
    runner
        .withPropertyValues("kermes.events.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(RedisEvents.class));
    runner
        .withClassLoader(new FilteredClassLoader(RedisEvents.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("kermesEvents"));
    runner
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisEvents.class));
    runner
        .withPropertyValues("management.health.kermes-events.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }
}
