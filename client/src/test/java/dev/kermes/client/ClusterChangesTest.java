package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Route;
import dev.kermes.commands.HashSlots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real cluster that changes while commands are under way. */
@Timeout(120)
class ClusterChangesTest {
  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  /** Callers that run until they are stopped; keeps their unexpected failures. */
  private static final class Load {
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final List<CompletableFuture<Long>> callers = new ArrayList<>();
    final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    final AtomicLong lost = new AtomicLong();

    /** Runs {@code round} repeatedly and counts the successful rounds. */
    CompletableFuture<Long> start(Runnable round) {
      CompletableFuture<Long> done = new CompletableFuture<>();
      callers.add(done);
      Thread.ofVirtual().start(() -> done.complete(run(round)));
      return done;
    }

    private long run(Runnable round) {
      long rounds = 0;
      while (!isStopped.get()) {
        try {
          round.run();
          rounds++;
        } catch (ConnectionLostException e) {
          lost.incrementAndGet();
        } catch (RuntimeException | AssertionError e) {
          failures.add(e);
        }
      }
      return rounds;
    }

    void stop() {
      isStopped.set(true);
      for (CompletableFuture<Long> caller : callers) caller.join();
    }
  }

  @Test
  void migration_underLoad_losesAndRepeatsNothing() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis = RedisClient.open(cluster.options().build())) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 200; i++) keys.add("{moving}" + i);
      int slot = Route.of(EncodedCommand.of("GET", "{moving}")).slot();

      Load load = new Load();
      for (String key : keys) redis.blocking().set("{moving}value" + key, "v");
      List<CompletableFuture<Long>> counts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String counter = "{moving}counter" + i;
        counts.add(load.start(() -> redis.blocking().incr(counter)));
      }
      CompletableFuture<Long> transactions =
          load.start(() ->
              redis
                  .transaction(List.of(COMMANDS.incr("{moving}t1"), COMMANDS.incr("{moving}t2")))
                  .join());
      load.start(() ->
          assertThat(redis.blocking().mget("{moving}value{moving}1", "{moving}value{moving}2"))
              .containsExactly("v", "v"));

      RealCluster.Member from = cluster.masterOf(slot);
      RealCluster.Member to = from == cluster.master(0) ? cluster.master(1) : cluster.master(0);
      for (int round = 0; round < 3; round++) {
        cluster.migrate(slot, from, to);
        cluster.migrate(slot, to, from);
      }
      cluster.migrate(slot, from, to);
      load.stop();

      assertThat(load.failures).isEmpty();
      assertThat(load.lost).hasValue(0);
      for (int i = 0; i < counts.size(); i++) {
        assertThat(redis.blocking().get("{moving}counter" + i))
            .isEqualTo(Long.toString(counts.get(i).join()));
      }
      assertThat(redis.blocking().mget("{moving}t1", "{moving}t2"))
          .containsOnly(Long.toString(transactions.join()));
      assertThat(to.call("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
          .isEqualTo(200L + counts.size() + 2);
    }
  }

  @Test
  void failover_underLoad_continuesWithReplica() {
    try (RealCluster cluster = RealCluster.start(1);
        RedisClient redis = RedisClient.open(cluster.options().build())) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 50; i++) keys.add("key" + i);
      for (String key : keys) redis.call(COMMANDS.set(key, "v" + key));
      for (RealCluster.Member master : cluster.members().subList(0, 3))
        master.call("WAIT", "1", "1000");

      Load load = new Load();
      for (int i = 0; i < 8; i++) {
        String own = keys.get(i);
        load.start(() -> assertThat(redis.blocking().get(own)).isEqualTo("v" + own));
        load.start(() -> redis.call(COMMANDS.set("own" + own, "x").repeatable()));
      }
      RealCluster.Member victim = cluster.master(2);
      int slot = 16_000;
      victim.server.close();
      RealCluster.await(() -> cluster.masterOf(slot) != victim);
      for (String key : keys) assertThat(redis.blocking().get(key)).isEqualTo("v" + key);
      load.stop();

      assertThat(load.failures).isEmpty();
      for (String key : keys) {
        redis.blocking().set(key, "after");
        assertThat(redis.blocking().get(key)).isEqualTo("after");
      }
      assertThat(redis.blocking().dbsize()).isGreaterThanOrEqualTo(50);
    }
  }

  @Test
  void readFromReplica_isAnsweredByReplica() {
    try (RealCluster cluster = RealCluster.start(1);
        RedisClient redis =
            RedisClient.open(cluster.options().readFrom(ReadFrom.PREFER_REPLICA).build())) {
      redis.blocking().set("key", "value");
      RealCluster.Member master = cluster.masterOf(HashSlots.of("key".getBytes(UTF_8)));
      master.call("WAIT", "1", "1000");
      RealCluster.await(() -> {
        master.call("CONFIG", "RESETSTAT");
        for (int i = 0; i < 10; i++) {
          assertThat(redis.blocking().get("key")).isEqualTo("value");
        }
        return !((String) Objects.requireNonNull(master.call("INFO", "commandstats")))
            .contains("cmdstat_get:");
      });
      redis.blocking().set("key", "other"); // writes still find the master
    }
  }

  /** Promotes a replica of the master of {@code slot}. */
  private static void failOver(RealCluster cluster, int slot) {
    RealCluster.Member before = cluster.masterOf(slot);
    for (RealCluster.Member member : cluster.members()) {
      String role = String.valueOf(member.call("INFO", "replication"));
      if (role.contains("role:slave") && role.contains("master_port:" + before.port())) {
        member.call("CLUSTER", "FAILOVER");
        RealCluster.await(() -> cluster.masterOf(slot) == member);
        return;
      }
    }
    throw new IllegalStateException("no replica of " + before.port());
  }

  private static CompletableFuture<TransactionResult> increment(RedisClient redis, String key) {
    return redis
        .watch(
            List.of(key),
            own ->
                own.send(COMMANDS.get(key))
                    .thenApply(n -> List.of(COMMANDS.set(key, (Long.parseLong(n) + 1) + ""))))
        .toCompletableFuture();
  }

  @Test
  void failover_watchAndBlockingCommands_continueAtNewMaster() {
    try (RealCluster cluster = RealCluster.start(1);
        RedisClient redis =
            RedisClient.open(cluster.options().topologyPeriod(Duration.ofHours(1)).build())) {
      int slot = HashSlots.of("w".getBytes(UTF_8));
      redis.blocking().set("{w}", "0");
      assertThat(increment(redis, "{w}").join().replies()).isEqualTo(List.of("OK"));
      RedisFuture<?> waiting = redis.async().blpop(List.of("{w}list"), 0);
      RealCluster.Member before = cluster.masterOf(slot);
      RealCluster.await(
          () -> String.valueOf(before.call("INFO", "clients")).contains("blocked_clients:1"));
      failOver(cluster, slot);

      assertThat(increment(redis, "{w}").join().replies()).isEqualTo(List.of("OK"));
      redis.blocking().rpush("{w}list", "element");
      assertThat(waiting.join()).isNotNull();
      assertThat(redis.blocking().get("{w}")).isEqualTo("2");
    }
  }

  @Test
  void failover_borrowedConnection_refreshesTopology() {
    try (RealCluster cluster = RealCluster.start(1);
        RedisClient redis =
            RedisClient.open(cluster.options().topologyPeriod(Duration.ofHours(1)).build())) {
      int slot = HashSlots.of("w".getBytes(UTF_8));
      redis.blocking().set("{w}", "0");
      DedicatedConnection first = redis.dedicated("{w}").toCompletableFuture().join();
      failOver(cluster, slot);
      assertThat(Failures.of(first.transaction(List.of(COMMANDS.incr("{w}")))))
          .hasMessageStartingWith("MOVED");
      first.close();
      RealCluster.await(() -> {
        try (DedicatedConnection next = redis.dedicated("{w}").toCompletableFuture().join()) {
          return next.send(COMMANDS.get("{w}")).failure() == null
              && "0".equals(next.send(COMMANDS.get("{w}")).join());
        } catch (CompletionException e) {
          return false;
        }
      });
    }
  }

  @Test
  void migration_watch_losesNothing() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis =
            RedisClient.open(cluster.options().topologyPeriod(Duration.ofHours(1)).build())) {
      for (int i = 0; i < 20; i++) redis.blocking().set("{w}" + i, "0");
      int slot = HashSlots.of("w".getBytes(UTF_8));
      Load load = new Load();
      List<CompletableFuture<Long>> counts = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String key = "{w}" + i;
        counts.add(load.start(() -> increment(redis, key).join()));
      }
      RealCluster.Member from = cluster.masterOf(slot);
      RealCluster.Member to = from == cluster.master(0) ? cluster.master(1) : cluster.master(0);
      cluster.migrate(slot, from, to);
      long after = Long.parseLong(redis.blocking().get("{w}0"));
      RealCluster.await(() -> Long.parseLong(redis.blocking().get("{w}0")) > after + 1);
      cluster.migrate(slot, to, from);
      load.stop();
      assertThat(load.failures).isEmpty();
      assertThat(load.lost).hasValue(0);
      for (int i = 0; i < 3; i++) {
        assertThat(redis.blocking().get("{w}" + i)).isEqualTo(counts.get(i).join() + "");
      }
    }
  }

  @Test
  void migration_stalled_watchFollowsAsk() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis = RedisClient.open(cluster.options().build())) {
      int slot = HashSlots.of("w".getBytes(UTF_8));
      redis.blocking().get("{w}");
      RealCluster.Member from = cluster.masterOf(slot);
      RealCluster.Member to = from == cluster.master(0) ? cluster.master(1) : cluster.master(0);
      String number = Integer.toString(slot);
      to.call("CLUSTER", "SETSLOT", number, "IMPORTING", from.id);
      from.call("CLUSTER", "SETSLOT", number, "MIGRATING", to.id);
      redis.blocking().set("{w}", "1"); // by ASK, because the slot has not been moved yet
      assertThat(increment(redis, "{w}").join().replies()).isEqualTo(List.of("OK"));
      assertThat(redis.blocking().get("{w}")).isEqualTo("2");
    }
  }
}
