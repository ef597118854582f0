package dev.kermes.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandObserver;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.server.RedisServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands as timers and as observations. */
@Timeout(60)
class MicrometerTest {
  private static RedisClient open(RedisServer server, CommandObserver observer) {
    return RedisClient.open(RedisOptions.url(server.url()).observer(observer).build());
  }

  @Test
  void timers_perCommandNodeAndOutcome() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Commands<String, String> c = new Commands<>(Codec.utf8(), Codec.utf8());
    try (RedisServer server = RedisServer.start();
        RedisClient redis = open(server, new CommandTimers(registry))) {
      for (int i = 0; i < 3; i++) redis.blocking().set("k", "v");
      assertThatThrownBy(() -> redis.blocking().lpush("k", "v"))
          .isInstanceOf(ServerErrorException.class);
      redis.sendAll(List.of(c.ping(), c.ping())).join();
      redis.transaction(List.of(c.ping())).join();
      var set = registry.get(CommandTimers.NAME).tag("command", "SET").tag("outcome", "ok").timer();
      assertThat(set.count()).isEqualTo(3);
      assertThat(set.totalTime(TimeUnit.NANOSECONDS)).isPositive();
      assertThat(set.getId().getTag("node")).endsWith(":" + server.port());
      assertThat(
              registry
                  .get(CommandTimers.NAME)
                  .tags("command", "LPUSH", "outcome", "ServerErrorException")
                  .timer()
                  .count())
          .isEqualTo(1);
      for (String whole : List.of("BATCH", "TRANSACTION")) {
        assertThat(registry.get(CommandTimers.NAME).tag("command", whole).timer().count())
            .isEqualTo(1);
      }
    }
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
    assertThat(set.getContextualName()).isEqualTo("SET");
    assertThat(set.getParentObservation()).isNotNull();
    assertThat(set.getError()).isNull();
    assertThat(set.toString()).doesNotContain("secret");
    assertThat(ended.getLast().getError()).isInstanceOf(ServerErrorException.class);
  }
}
