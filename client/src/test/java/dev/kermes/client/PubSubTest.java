package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.commands.HashSlots;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions against real servers: confirmed, lost, resumed, moved, refused, too slow. */
@Timeout(90)
class PubSubTest {
  private static String text(@Nullable SubscriptionEvent event) {
    return ((SubscriptionEvent.Message) Objects.requireNonNull(event)).text();
  }

  /** Skips the events before it. */
  private static <E extends SubscriptionEvent> E awaitNext(Subscription reporter, Class<E> type)
      throws InterruptedException {
    while (true) {
      SubscriptionEvent event = reporter.poll(Duration.ofSeconds(30));
      assertThat(event).isNotNull();
      if (type.isInstance(event)) return type.cast(event);
    }
  }

  private static void confirm(Subscription reporter) {
    reporter.confirmed().toCompletableFuture().join();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void ssubscribe_onOneServer(int respVersion) throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis =
            RedisClient.open(RedisOptions.url(server.url()).respVersion(respVersion).build());
        Subscription plain = redis.subscribe("s1");
        Subscription pattern = redis.psubscribe("s*")) {
      Subscription shard = redis.ssubscribe("s1", "s2");
      for (Subscription each : List.of(shard, plain, pattern)) confirm(each);
      assertThat(redis.call(Command.of("SPUBLISH", "s1", "to the shard"))).isEqualTo(1L);
      assertThat(redis.call(Command.of("PUBLISH", "s1", "to all"))).isEqualTo(2L);
      assertThat(text(awaitNext(shard, SubscriptionEvent.Message.class))).isEqualTo("to the shard");
      assertThat(text(awaitNext(plain, SubscriptionEvent.Message.class))).isEqualTo("to all");
      assertThat(awaitNext(pattern, SubscriptionEvent.Message.class).pattern()).isEqualTo("s*");
      shard.close();
      RealCluster.await(
          () -> Long.valueOf(0).equals(redis.call(Command.of("SPUBLISH", "s1", "x"))));
      assertThat(redis.call(Command.of("PUBLISH", "s1", "x"))).isEqualTo(2L);
    }
  }

  @Test
  void refusedByAcl_isEventAndFailsConfirmation() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient admin = RedisClient.open(server.url())) {
      admin.call(Command.of("ACL", "SETUSER", "u", "on", ">p", "+@all", "resetchannels", "&open"));
      try (RedisClient redis = RedisClient.open("redis://u:p@127.0.0.1:" + server.port());
          Subscription open = redis.subscribe("open");
          Subscription mixed = redis.subscribe("open", "secret")) {
        confirm(open);
        assertThatThrownBy(() -> confirm(mixed))
            .isInstanceOf(CompletionException.class)
            .hasMessageContaining("NOPERM");
        assertThat(awaitNext(mixed, SubscriptionEvent.Refused.class).channel()).isEqualTo("secret");
        admin.call(Command.of("PUBLISH", "open", "x"));
        assertThat(text(awaitNext(open, SubscriptionEvent.Message.class))).isEqualTo("x");
        assertThat(text(awaitNext(mixed, SubscriptionEvent.Message.class))).isEqualTo("x");
      }
    }
  }

  @Test
  void serverRestarts_subscriptionIsLostAndResumed() throws Exception {
    int port = Ports.free();
    RealRedis first = RealRedis.startOn(port);
    try (RedisClient redis = RedisClient.open("redis://127.0.0.1:" + port);
        Subscription reporter = redis.subscribe("a", "b")) {
      confirm(reporter);
      first.close();
      awaitNext(reporter, SubscriptionEvent.Lost.class);
      try (RealRedis second = RealRedis.startOn(port)) {
        assertThat(second.port()).isEqualTo(port);
        assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
        assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
        assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Resumed());
        redis.call(Command.of("PUBLISH", "b", "again"));
        assertThat(text(reporter.take())).isEqualTo("again");
      }
    }
  }

  @Test
  void tooSlow_withClose_endsThisSubscriptionOnly() throws Exception {
    SubscriptionOptions strict = new SubscriptionOptions(3, SubscriptionOptions.Overflow.CLOSE);
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        Subscription slow = redis.subscribe(List.of("c"), strict);
        Subscription other = redis.subscribe("c")) {
      confirm(slow);
      confirm(other);
      for (int i = 0; i < 5; i++) redis.call(Command.of("PUBLISH", "c", "m" + i));
      for (int i = 0; i < 5; i++) {
        assertThat(text(awaitNext(other, SubscriptionEvent.Message.class))).isEqualTo("m" + i);
      }
      assertThat(slow.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      assertThat(text(slow.take())).isEqualTo("m0");
      assertThat(text(slow.take())).isEqualTo("m1");
      assertThat(slow.take())
          .isInstanceOfSatisfying(
              SubscriptionEvent.Lost.class,
              lost -> assertThat(lost.cause()).isInstanceOf(QueueFullException.class));
      assertThat(slow.take()).isNull();
    }
  }

  /** Asks for one element at a time, when told to. */
  private static final class Reader implements Flow.Subscriber<SubscriptionEvent> {
    final LinkedBlockingQueue<Object> seen = new LinkedBlockingQueue<>();
    final CountDownLatch subscribed = new CountDownLatch(1);
    Flow.@Nullable Subscription flow;

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      flow = subscription;
      subscribed.countDown();
    }

    @Override
    public void onNext(SubscriptionEvent event) {
      seen.add(event);
    }

    @Override
    public void onError(Throwable failure) {
      seen.add(failure);
    }

    @Override
    public void onComplete() {
      seen.add("complete");
    }

    Object next() throws InterruptedException {
      Objects.requireNonNull(flow).request(1);
      return seen.take();
    }
  }

  @Test
  void publisher_followsDemand_cancellingUnsubscribes() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      Subscription reporter = redis.subscribe(List.of("c"), 4);
      Reader reader = new Reader();
      reporter.publisher().subscribe(reader);
      assertThat(reader.next()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      for (int i = 0; i < 3; i++) redis.call(Command.of("PUBLISH", "c", "m" + i));
      for (int i = 0; i < 3; i++) {
        assertThat(text((SubscriptionEvent) reader.next())).isEqualTo("m" + i);
      }
      assertThat(reader.seen).isEmpty();
      Objects.requireNonNull(reader.flow).cancel();
      RealCluster.await(() -> Long.valueOf(0).equals(redis.call(Command.of("PUBLISH", "c", "x"))));
      Reader late = new Reader();
      reporter.publisher().subscribe(late);
      assertThat(late.next()).isEqualTo("complete");
    }
  }

  @Test
  void closeClient_endsSubscriptionsWithoutLost() throws Exception {
    try (RealRedis server = RealRedis.start()) {
      RedisClient redis = RedisClient.open(server.url());
      Subscription taken = redis.subscribe("c");
      Subscription published = redis.psubscribe("c*");
      Reader reader = new Reader();
      published.publisher().subscribe(reader);
      for (Subscription each : List.of(taken, published)) confirm(each);
      assertThat(reader.next()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      assertThat(taken.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      redis.close();
      assertThat(taken.take()).isNull();
      assertThat(reader.next()).isEqualTo("complete");
      Subscription late = redis.subscribe("c");
      assertThat(late.take())
          .isInstanceOfSatisfying(
              SubscriptionEvent.Lost.class,
              lost -> assertThat(lost.cause()).isInstanceOf(ClientClosedException.class));
      assertThat(late.take()).isNull();
    }
  }

  @Test
  void cluster_shardChannelsFollowSlot_plainOnesSurviveTheirServer() throws Exception {
    try (RealCluster cluster = RealCluster.start(1);
        RedisClient redis = RedisClient.open(cluster.options().build());
        Subscription shard = redis.ssubscribe("{a}1", "{b}1", "{c}1");
        Subscription plain = redis.subscribe("plain")) {
      confirm(shard);
      confirm(plain);
      List<String> seen = new ArrayList<>();
      for (String channel : shard.channels()) redis.call(Command.of("SPUBLISH", channel, channel));
      for (int i = 0; i < 3; i++) {
        seen.add(awaitNext(shard, SubscriptionEvent.Message.class).text());
      }
      assertThat(seen).containsExactlyInAnyOrder("{a}1", "{b}1", "{c}1");

      int slot = HashSlots.of("a".getBytes(UTF_8));
      RealCluster.Member from = cluster.masterOf(slot);
      RealCluster.Member to = from == cluster.master(0) ? cluster.master(1) : cluster.master(0);
      cluster.migrate(slot, from, to);
      awaitNext(shard, SubscriptionEvent.Lost.class);
      awaitNext(shard, SubscriptionEvent.Resumed.class);
      redis.call(Command.of("SPUBLISH", "{a}1", "moved"));
      assertThat(awaitNext(shard, SubscriptionEvent.Message.class).text()).isEqualTo("moved");

      RealCluster.Member victim = cluster.master(2);
      victim.server.close();
      RealCluster.await(() -> cluster.masterOf(16_000) != victim);
      for (String channel : shard.channels()) {
        RealCluster.await(
            () -> Long.valueOf(1).equals(redis.call(Command.of("SPUBLISH", channel, "x"))));
      }
      RealCluster.await(() -> {
        redis.call(Command.of("PUBLISH", "plain", "still there"));
        try {
          return plain.poll(Duration.ofMillis(50)) instanceof SubscriptionEvent.Message;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
  }

  @Test
  void peer_acceptsAndCloses_isNotFlooded() throws IOException, InterruptedException {
    ScriptedPeer.Script script = (conversation, request) -> conversation.hangUp();
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url()).backoffFirst(Duration.ofMillis(200)).build());
        Subscription reporter = redis.subscribe("c")) {
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Lost.class);
      assertThat(reporter.poll(Duration.ofMillis(300))).isNull(); // reported once
      assertThat(peer.accepted()).isLessThan(12);
    }
  }
}
