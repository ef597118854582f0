package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisException;
import dev.kermes.reactor.NoHandlerException;
import dev.kermes.reactor.RunningSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls and keyspace events in clusters: ours in this JVM, and processes of Redis or Valkey. */
@Timeout(180)
class ClusterTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(500);

  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /** A member that answers with its name, and whether it owns the key. */
  private static Member answering(Member member) {
    member
        .reactor
        .at("orders/{id}")
        .handle(event -> event.reply(member.events.member() + " " + (event.meta().token() > 0)));
    member.events.answer("orders");
    return member;
  }

  private static boolean isAnswered(Member caller, boolean isToOwner, String answer) {
    try {
      var call =
          isToOwner
              ? caller.events.callOwner("orders/a", "x", SHORT)
              : caller.events.call("orders/a", "x", SHORT);
      return call.join().equals(answer);
    } catch (CompletionException e) {
      return false; // of this call alone: a request is never repeated
    }
  }

  @ParameterizedTest
  @EnumSource
  void calls_areAnswered_alsoAfterAFailover(TestCluster.Kind kind) {
    try (TestCluster cluster = kind.start();
        Member caller = Member.first(cluster.url(), options -> options)) {
      assertThatThrownBy(() -> caller.events.call("orders/a", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class);
      try (Member receiver = answering(Member.another(cluster.url()))) {
        String name = receiver.events.member();
        assertThat(caller.events.call("orders/a", "x", MINUTE).join()).isEqualTo(name + " false");
        Topic unused = receiver.topic();
        assertThat(caller.events.callOwner("orders/a", "x", MINUTE).join())
            .isEqualTo(name + " true");
        cluster.killMasterOf("{" + name + "}:inbox"); // where requests arrive
        Servers.await(() -> isAnswered(caller, false, name + " false"));
        Servers.await(() -> isAnswered(caller, true, name + " true"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void keyspaceEvents_comeFromEachMaster_alsoFromNewOnes(TestCluster.Kind kind) {
    try (TestCluster cluster = kind.start();
        Member member = Member.first(cluster.url())) {
      member.reactor.on("keyspace/del/{key}", event -> seen.add(event.payload().toString()));
      RunningSource events = member.reactor.from(ChannelSource.keyspace(member.redis, "del"));
      Set<String> all = Set.copyOf(IntStream.range(0, 60).mapToObj(i -> "k" + i).toList());
      awaitDeletions(member, all);
      cluster.killMasterOf("k1");
      awaitDeletions(member, all);
      cluster.failOver("k2");
      awaitDeletions(member, all);
      Servers.await(() -> events.health().isUp());
      assertThat(events.stop(Duration.ofSeconds(10))).isZero();
    }
  }

  /** Deletes keys until the event of each has been seen. */
  private void awaitDeletions(Member member, Set<String> keys) {
    seen.clear();
    Servers.await(() -> {
      for (String each : keys) if (!seen.contains(each)) delete(member, each);
      return seen.containsAll(keys);
    });
  }

  private static void delete(Member member, String key) {
    try {
      Object set = member.call("SET", key, "x");
      assertThat(set).isEqualTo("OK");
      assertThat(member.call("DEL", key)).isNotNull();
    } catch (RedisException e) {
      // during the failover; the caller tries again
    }
  }

  @ParameterizedTest
  @EnumSource
  void keyspaceEvents_whilePaused_comeAfterwards(TestCluster.Kind kind) {
    try (TestCluster cluster = kind.start();
        Member member = Member.first(cluster.url())) {
      AtomicInteger confirmed = new AtomicInteger();
      member.reactor.on("keyspace/del/{key}", event -> seen.add(event.payload().toString()));
      RunningSource events =
          member.reactor.from(
              ChannelSource.keyspace(member.redis, "del")
                  .onGap(gap -> confirmed.incrementAndGet()));
      Servers.await(() -> confirmed.get() == 3); // each master's
      events.pause();
      delete(member, "k1");
      delete(member, "k2");
      assertThat(seen).isEmpty();
      events.resume();
      Servers.await(() -> seen.equals(Set.of("k1", "k2")));
      assertThat(events.health().isUp()).isTrue();
    }
  }
}
