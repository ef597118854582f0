package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.reply.GeoMember;
import dev.kermes.client.reply.GeoPoint;
import dev.kermes.server.RedisServer;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The README's example, and a server in this JVM without a socket. */
class EmbeddedServerTest {

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  private static final Script<String> SLOW =
      Script.of("for i = 1, 100000 do end return 'slow'", Replies.text());

  @Test
  void readme_example() {
    try (RedisServer server = RedisServer.start();
        RedisClient redis = RedisClient.open(server.url())) {
      assertThat(redis.async().set("greeting", "hello").toCompletableFuture().join())
          .isEqualTo("OK");

      String greeting = redis.blocking().get("greeting");

      Commands<String, String> c = new Commands<>(Codec.utf8(), Codec.utf8());
      var replies = redis.sendAll(List.of(c.incr("n"), c.incr("n"))).join();
      assertThat(greeting).isEqualTo("hello");
      assertThat(replies).isEqualTo(List.of(1L, 2L));
    }
  }

  @Test
  void inVm_withoutSocket() {
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient redis = RedisClient.open(server.inVmUrl())) {
      redis.blocking().set("key", "x".repeat(100_000));
      assertThat(redis.blocking().get("key")).hasSize(100_000);
      assertThat(server.port()).isZero();
    }
  }

  @Test
  void inVm_longPipelinesBehindSlowCommands_getEachReply() {
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient one = RedisClient.open(server.inVmUrl());
        RedisClient other = RedisClient.open(server.inVmUrl())) {
      Random random = new Random(1);
      for (int round = 0; round < 50; round++) {
        List<CompletableFuture<String>> echoes = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
          RedisClient redis = i % 2 == 0 ? one : other;
          if (random.nextInt(400) == 0) {
            redis.send(SLOW.eval(Codec.utf8(), List.of(), Codec.utf8(), List.of()));
          }
          echoes.add(redis.send(COMMANDS.echo(text(i))).toCompletableFuture());
        }
        for (int i = 0; i < 4000; i++) {
          assertThat(echoes.get(i).orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(text(i));
        }
      }
    }
  }

  private static String text(int number) {
    return (number + " ").repeat(60);
  }

  @Test
  void handshake_tellsTheVersionOfTheBuild() {
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient redis = RedisClient.open(server.inVmUrl())) {
      assertThat(redis.blocking().clientInfo())
          .contains("lib-name=kermes lib-ver=" + System.getProperty("kermes.version") + " ");
    }
  }

  @Test
  void manualClock_expiresKeys() {
    ManualClock clock = Clock.manual(0);
    try (RedisServer server = RedisServer.builder().port(0).clock(clock).start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("key", "value", new SetOptions().ex(60));
      clock.advance(Duration.ofSeconds(59));
      assertThat(redis.blocking().get("key")).isEqualTo("value");
      clock.advance(Duration.ofSeconds(1));
      assertThat(redis.blocking().get("key")).isNull();
    }
  }

  @Test
  void geosearch_inAPolygon() {
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start();
        RedisClient redis = RedisClient.open(server.inVmUrl())) {
      var inside = new GeoMember<>("inside", 1, 1);
      var outside = new GeoMember<>("outside", 9, 9);
      redis.blocking().geoadd("places", List.of(inside, outside));
      List<GeoPoint> square =
          List.of(new GeoPoint(0, 0), new GeoPoint(2, 0), new GeoPoint(2, 2), new GeoPoint(0, 2));
      assertThat(redis.blocking().geosearch("places", new GeosearchOptions().bypolygon(square)))
          .containsExactly("inside");
    }
  }
}
