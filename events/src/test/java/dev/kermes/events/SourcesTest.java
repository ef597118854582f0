package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.Codec;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.reactor.RunningSource;
import dev.kermes.testing.FaultyProxy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Channels, keyspace events, and streams of others, as sources of a reactor. */
@Timeout(120)
class SourcesTest extends Servers {

  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private final Queue<SubscriptionEvent> gaps = new ConcurrentLinkedQueue<>();

  static Stream<Integer> serverPorts() {
    return ports().stream();
  }

  private void awaitConfirmed(long count) {
    await(
        () -> gaps.stream().filter(SubscriptionEvent.Confirmed.class::isInstance).count() == count);
  }

  @ParameterizedTest
  @MethodSource("urls")
  void channels_arriveWithTheirNames(String url) {
    try (Member member = Member.first(url)) {
      member.reactor.on("channel/{name}", event -> seen.add("c " + event.payload()));
      member.reactor.on("any/{name}", event -> seen.add("p " + event.param("name")));
      member.reactor.on("shard/{name}", event -> seen.add("s " + event.payload()));
      member.reactor.from(ChannelSource.of(member.redis, "news").onGap(gaps::add));
      member.reactor.from(
          ChannelSource.patterns(member.redis, "wea*").prefix("any").onGap(gaps::add));
      member.reactor.from(
          ChannelSource.shards(member.redis, "local")
              .prefix("shard")
              .payloads(Codec.utf8())
              .onGap(gaps::add));
      awaitConfirmed(3);
      member.call("PUBLISH", "news", "1");
      member.call("PUBLISH", "weather", "2");
      member.call("SPUBLISH", "local", "3");
      await(() -> seen.size() == 3);
      assertThat(seen).containsExactlyInAnyOrder("c 1", "p weather", "s 3");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void channel_paused_keepsMessagesUntilItResumes(String url) {
    try (Member member = Member.first(url)) {
      member.reactor.on("channel/{name}", event -> seen.add(event.payload().toString()));
      RunningSource news =
          member.reactor.from(ChannelSource.of(member.redis, "news").onGap(gaps::add));
      awaitConfirmed(1);
      news.pause();
      member.call("PUBLISH", "news", "1");
      member.call("PUBLISH", "news", "2");
      assertThat(seen).isEmpty();
      news.resume();
      await(() -> seen.size() == 2);
      assertThat(seen).containsExactly("1", "2");
      assertThat(news.stop(Duration.ofSeconds(10))).isZero();
      await(() -> member.call("PUBLISH", "news", "3").equals(0L));
    }
  }

  @ParameterizedTest
  @MethodSource("serverPorts")
  void channel_connectionLost_tellsOfTheGap(int port) throws Exception {
    try (Member direct = Member.first("redis://127.0.0.1:" + port);
        FaultyProxy proxy = new FaultyProxy(port);
        Member member = Member.another("redis://127.0.0.1:" + proxy.port())) {
      member.reactor.on("channel/{name}", event -> seen.add(event.payload().toString()));
      RunningSource news =
          member.reactor.from(ChannelSource.of(member.redis, "news").onGap(gaps::add));
      awaitConfirmed(1);
      proxy.stall();
      proxy.lose();
      await(() -> gaps.stream().anyMatch(SubscriptionEvent.Lost.class::isInstance));
      assertThat(news.health().isUp()).isFalse();
      proxy.heal();
      await(() -> gaps.stream().anyMatch(SubscriptionEvent.Resumed.class::isInstance));
      assertThat(news.health().isUp()).isTrue();
      direct.call("PUBLISH", "news", "after");
      await(() -> seen.contains("after"));
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void keyspaceEvents_haveTheirKey(String url) {
    try (Member member = Member.first(url)) {
      member.call("CONFIG", "SET", "notify-keyspace-events", "Exg");
      member.reactor.on("keyspace/del/{key}", event -> seen.add("del " + event.payload()));
      member.reactor.on("keyspace/expired/{key}", event -> seen.add("gone " + event.param("key")));
      member.reactor.from(ChannelSource.keyspace(member.redis, "del", "expired").onGap(gaps::add));
      awaitConfirmed(2);
      member.call("SET", "a", "1");
      member.call("DEL", "a");
      member.call("SET", "b", "1", "PX", "1");
      await(() -> seen.size() == 2);
      assertThat(seen).containsExactly("del a", "gone b");
      member.call("CONFIG", "SET", "notify-keyspace-events", "");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void stream_isSharedByWorkersAndAcknowledged(String url) {
    try (Member member = Member.first(url)) {
      AtomicInteger calls = new AtomicInteger();
      member.reactor.on(
          "stream/{name}",
          event -> {
            if (event.payload().toString().contains("bad") && calls.incrementAndGet() < 3) {
              throw new IllegalStateException("not yet");
            }
            seen.add(event.param("name") + " " + event.payload());
          });
      RunningSource legacy =
          member.reactor.from(
              StreamSource.of(member.redis, "legacy", "billing", "c")
                  .workers(2)
                  .retryAfter(Duration.ofMillis(50)));
      member.call("XADD", "legacy", "*", "state", "bad");
      for (int i = 0; i < 10; i++) member.call("XADD", "legacy", "*", "n", "" + i);
      await(() -> seen.size() == 11);
      assertThat(seen).contains("legacy {state=bad}", "legacy {n=9}");
      assertThat(calls.get()).isEqualTo(3);
      assertThat(legacy.health().isUp()).isTrue();
      legacy.pause();
      member.call("XADD", "legacy", "*", "n", "10");
      legacy.resume();
      await(() -> seen.contains("legacy {n=10}"));
      assertThat(legacy.stop(Duration.ofSeconds(10))).isZero();
      assertThat(member.call("XPENDING", "legacy", "billing").toString()).startsWith("[0");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void stream_ofAnotherType_isNotHealthy(String url) {
    try (Member member = Member.first(url)) {
      member.call("SET", "legacy", "x");
      RunningSource legacy =
          member.reactor.from(StreamSource.of(member.redis, "legacy", "billing", "c"));
      await(() -> !legacy.health().isUp());
      assertThat(legacy.health().detail()).contains("WRONGTYPE");
    }
  }
}
