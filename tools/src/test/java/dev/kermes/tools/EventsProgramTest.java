package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.events.RedisEvents;
import dev.kermes.events.Topic;
import dev.kermes.reactor.Reactor;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One topic whose handler fails; the program runs in a process of its own. */
final class EventsProgramTest {

  private final RedisServer server = RedisServer.start();
  private final Reactor reactor = Reactor.create();
  private final RedisClient redis = RedisClient.open("redis://127.0.0.1:" + server.port());
  private final RedisEvents events =
      RedisEvents.of(redis, reactor).group("billing").member("host-1").partitions(2).open();

  @BeforeEach
  void failOnce() {
    reactor.onError((event, error) -> {});
    reactor
        .at("orders/{id}")
        .named("shipping")
        .handle(event -> {
          throw new IllegalStateException("no stock");
        });
    Topic topic = events.topic("orders");
    events.emit("orders/42", "two books").join();
    awaitDeadLetters(topic, 1);
  }

  private static void awaitDeadLetters(Topic topic, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (topic.deadLetters().list(9).size() != count) {
      if (System.nanoTime() - deadline > 0) throw new AssertionError("no dead letter in time");
      LockSupport.parkNanos(1_000_000);
    }
  }

  @AfterEach
  void close() {
    events.close();
    redis.close();
    server.close();
  }

  private Result run(String... words) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("events", "--url", "redis://127.0.0.1:" + server.port()));
    all.addAll(List.of(words));
    return Programs.finish(Programs.start(Main.class, all.toArray(String[]::new)), "");
  }

  @Test
  void topicsAndOwners_areShown() throws Exception {
    Result topics = run("topics");
    assertThat(topics.err()).isEmpty();
    assertThat(topics.status()).isZero();
    assertThat(topics.out())
        .startsWith("TOPIC ")
        .containsPattern("\norders +billing +1 +0 +0 +0 +1 +0\n");
    Result owners = run("owners", "orders", "billing");
    assertThat(owners.out())
        .startsWith("PARTITION ")
        .containsPattern("\n0 .* host-1\n")
        .containsPattern("\n1 .* host-1\n");
    assertThat(run("parked", "orders", "billing").out()).isEmpty();
  }

  @Test
  void deadLetters_areListedReplayedAndDropped() throws Exception {
    Result dead = run("dead", "orders", "billing");
    assertThat(dead.out())
        .contains("key=orders/42", "handlers=shipping", "cause=java.lang.IllegalStateException");
    String id = dead.out().substring(0, dead.out().indexOf(' '));
    assertThat(run("replay", "orders", "billing", "9:9-9").status()).isEqualTo(1);
    assertThat(run("replay", "orders", "billing", id).out()).isEqualTo("replayed: 1\n");
    awaitDeadLetters(events.topic("orders"), 1); // the handler still fails
    assertThat(run("dead", "orders", "billing").out()).doesNotContain(id + " ");
    assertThat(run("drop", "orders", "billing", "all").out()).isEqualTo("dropped: 1\n");
    assertThat(run("dead", "orders", "billing").out()).isEmpty();
  }

  @Test
  void mistakes_areExplained() throws Exception {
    assertThat(run("dead", "orders").err()).startsWith("usage: kermes events");
    Result unknown = run("dead", "orders", "audit");
    assertThat(unknown.err()).isEqualTo("kermes: no such group: topic=orders, group=audit\n");
    assertThat(unknown.status()).isEqualTo(1);
  }
}
