package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lettuce meets the faults of messages that come without a request. */
class PushFaultsTest {

  private final TestServer server = TestServer.start();
  private final RedisClient lettuce = RedisClient.create(RedisURI.create(server.url()));

  @AfterEach
  void close() {
    lettuce.shutdown(Duration.ZERO, Duration.ofSeconds(10));
    server.close();
  }

  private BlockingQueue<String> subscribe(ProtocolVersion protocol) {
    lettuce.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
    BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    StatefulRedisPubSubConnection<String, String> connection = lettuce.connectPubSub();
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            messages.add(message);
          }
        });
    connection.sync().subscribe("news", "weather");
    return messages;
  }

  private void publish(String... messages) {
    for (String each : messages) server.client().blocking().publish("news", each);
  }

  private static List<String> take(BlockingQueue<String> messages, int count)
      throws InterruptedException {
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) taken.add(messages.poll(20, TimeUnit.SECONDS));
    return taken;
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void duplicate_arrivesTwice(ProtocolVersion protocol) throws InterruptedException {
    PushRule rule = server.faults().onPush("message").nth(2).duplicate();
    BlockingQueue<String> messages = subscribe(protocol);
    publish("a", "b", "c");
    assertThat(take(messages, 4)).containsExactly("a", "b", "b", "c");
    assertThat(rule.hits()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void lose_skipsTheMessage(ProtocolVersion protocol) throws InterruptedException {
    server.faults().onPush("message").times(2).lose();
    BlockingQueue<String> messages = subscribe(protocol);
    publish("a", "b", "c");
    assertThat(take(messages, 1)).containsExactly("c");
  }

  @Test
  void delay_passes() throws InterruptedException {
    server.faults().onPush("message").delay(Duration.ofMillis(1));
    BlockingQueue<String> messages = subscribe(ProtocolVersion.RESP3);
    publish("a");
    assertThat(take(messages, 1)).containsExactly("a");
  }

  /** The values that a client with a cache sees, before and after another client's SET. */
  private List<@Nullable String> cachedReads() {
    Map<String, String> cache = new ConcurrentHashMap<>();
    try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
      CacheFrontend<String, String> cached =
          ClientSideCaching.enable(
              CacheAccessor.forMap(cache), connection, TrackingArgs.Builder.enabled());
      server.client().blocking().set("k", "old");
      List<@Nullable String> read = new ArrayList<>();
      read.add(cached.get("k"));
      server.client().blocking().set("k", "new");
      String pong = connection.sync().ping(); // comes after the push, if there is one
      assertThat(pong).isEqualTo("PONG");
      read.add(cached.get("k"));
      return read;
    }
  }

  @Test
  void invalidate_reachesACache() {
    assertThat(cachedReads()).containsExactly("old", "new");
  }

  @Test
  void loseInvalidate_leavesACacheBehind() {
    PushRule rule = server.faults().onPush("invalidate").lose();
    assertThat(cachedReads()).containsExactly("old", "old");
    assertThat(rule.hits()).isEqualTo(1);
  }

  @Test
  void duplicateInvalidate_doesNotHarmACache() {
    PushRule rule = server.faults().onPush("invalidate").duplicate();
    assertThat(cachedReads()).containsExactly("old", "new");
    assertThat(rule.hits()).isEqualTo(1);
  }

  @Test
  void error_ofSubscribe_isMet() {
    server.faults().on("SUBSCRIBE").error("NOPERM no channels");
    try (StatefulRedisPubSubConnection<String, String> connection = lettuce.connectPubSub()) {
      assertThatThrownBy(() -> connection.sync().subscribe("news"))
          .hasMessage("NOPERM no channels");
      assertThat(connection.sync().ping()).isEqualTo("PONG");
    }
  }

  @Test
  void push_reachesListeners() throws InterruptedException {
    server.faults().on("CLIENT MAINT_NOTIFICATIONS").reply("OK");
    BlockingQueue<String> pushes = new LinkedBlockingQueue<>();
    try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
      connection.addListener(push -> pushes.add(text(push)));
      assertThat(connection.sync().set("k", "v")).isEqualTo("OK");

      server.faults().push("MIGRATING", 1, 10, "7");
      server.faults().push("MIGRATED", 2, "7");
      server.faults().push("FAILING_OVER", 3L, 10, "7");
      server.faults().push("FAILED_OVER", 4, "7");
      server.faults().push("MOVING", 5, 3600, null);

      assertThat(take(pushes, 5))
          .containsExactly(
              "MIGRATING [1, 10, 7]",
              "MIGRATED [2, 7]",
              "FAILING_OVER [3, 10, 7]",
              "FAILED_OVER [4, 7]",
              "MOVING [5, 3600, null]");
      assertThat(connection.sync().get("k")).isEqualTo("v");
    }
  }

  private static String text(PushMessage push) {
    List<@Nullable Object> values = new ArrayList<>(push.getContent(StringCodec.UTF8::decodeValue));
    return push.getType() + " " + values.subList(1, values.size());
  }

  @Test
  void push_ofAnotherType_isRefused() {
    assertThatThrownBy(() -> server.faults().push("MOVING", 1.5))
        .hasMessage("an element of a push is text, an integer or null: java.lang.Double");
  }

  @Test
  void disconnectAll_isFollowedByReconnection() {
    try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
      connection.sync().set("k", "v");
      server.faults().disconnectAll();
      assertThat(connection.sync().get("k")).isEqualTo("v");
    }
  }

  @Test
  void thaw_executesThePendingCommands() {
    try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
      server.faults().freeze();
      var pending = connection.async().set("k", "v");
      server.faults().thaw();
      assertThat(pending.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join())
          .isEqualTo("OK");
    }
  }
}
