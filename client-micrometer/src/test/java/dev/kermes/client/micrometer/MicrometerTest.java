package dev.kermes.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.Codec;
import dev.kermes.client.CommandObserver;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.server.RedisServer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands as timers and as observations. */
@Timeout(60)
class MicrometerTest {
  private static RedisClient open(RedisServer server, CommandObserver observer) {
    return RedisClient.open(RedisOptions.url(server.url()).observer(observer).build());
  }

  @Test
  void timers_perCommandServerAndOutcome() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Commands<String, String> c = new Commands<>(Codec.utf8(), Codec.utf8());
    try (RedisServer server = RedisServer.start();
        RedisClient redis = open(server, new CommandTimers(registry))) {
      for (int i = 0; i < 3; i++) redis.blocking().set("k", "v");
      assertThatThrownBy(() -> redis.blocking().lpush("k", "v"))
          .isInstanceOf(ServerErrorException.class);
      redis.sendAll(List.of(c.ping(), c.ping())).join();
      redis.transaction(List.of(c.ping())).join();
      var set = registry.get(CommandTimers.NAME).tag("db.operation.name", "SET").timer();
      assertThat(set.count()).isEqualTo(3);
      assertThat(set.totalTime(TimeUnit.NANOSECONDS)).isPositive();
      assertThat(tags(set))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "db.system.name", "redis",
                  "db.operation.name", "SET",
                  "server.address", "127.0.0.1",
                  "server.port", Integer.toString(server.port()),
                  "db.response.status_code", "none",
                  "error.type", "none"));
      Timer push = registry.get(CommandTimers.NAME).tag("db.operation.name", "LPUSH").timer();
      assertThat(push.count()).isEqualTo(1);
      assertThat(tags(push))
          .containsEntry("db.response.status_code", "WRONGTYPE")
          .containsEntry("error.type", "WRONGTYPE");
      for (String whole : List.of("PIPELINE", "MULTI")) {
        assertThat(registry.get(CommandTimers.NAME).tag("db.operation.name", whole).timer().count())
            .isEqualTo(1);
      }
    }
  }

  private static Map<String, String> tags(Timer timer) {
    return timer.getId().getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue));
  }

  /** Scripts may return anything as an error; failures of the client are named by their class. */
  @Test
  void timers_haveFewValuesForErrors() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    CommandObserver timers = new CommandTimers(registry);
    for (String each : List.of("user 17 not found", "ERR x", "bad", "X".repeat(100))) {
      timers.onStart("EVAL").onEnd(null, new ServerErrorException(each));
    }
    timers.onStart("EVAL").onEnd(null, new ClientClosedException("closed", null));
    assertThat(registry.get(CommandTimers.NAME).timers())
        .extracting(each -> tags(each).get("error.type") + " " + each.count())
        .containsExactlyInAnyOrder("ERR 4", ClientClosedException.class.getName() + " 1");
  }

  @Test
  void traces_haveParentsAndErrors_butNoKeys() {
    List<Observation.Context> ended = new CopyOnWriteArrayList<>();
    ObservationRegistry registry = ObservationRegistry.create();
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<>() {
              @Override
              public void onStop(Observation.Context context) {
                ended.add(context);
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    try (RedisServer server = RedisServer.start();
        RedisClient redis = open(server, new CommandTraces(registry))) {
      Observation.createNotStarted("request", registry)
          .observe(() -> redis.blocking().set("secret", "value"));
      assertThatThrownBy(() -> redis.blocking().incr("secret"))
          .isInstanceOf(ServerErrorException.class);
    }
    Observation.Context set = ended.getFirst();
    assertThat(set.getName()).isEqualTo("db.client.operation.duration");
    assertThat(set.getContextualName()).isEqualTo("SET");
    assertThat(set.getParentObservation()).isNotNull();
    assertThat(set.getError()).isNull();
    assertThat(set.toString()).doesNotContain("secret");
    assertThat(ended.getLast().getError()).isInstanceOf(ServerErrorException.class);
  }
}
