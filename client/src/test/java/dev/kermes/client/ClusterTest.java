package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.Ports;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Routing in a cluster of three real redis-servers that stay as they are. */
@Timeout(60)
class ClusterTest {
  private static RealCluster cluster;
  private static RedisClient redis;
  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(0);
    redis = RedisClient.open(cluster.options().build());
  }

  @AfterAll
  static void stop() {
    redis.close();
    cluster.close();
  }

  @BeforeEach
  void clean() {
    redis.blocking().flushall();
  }

  @Test
  void send_routesToServerOfKey() {
    for (int i = 0; i < 100; i++) redis.blocking().set("key" + i, "value" + i);
    for (int i = 0; i < 100; i++) {
      assertThat(redis.blocking().get("key" + i)).isEqualTo("value" + i);
    }
    for (RealCluster.Member member : cluster.members()) {
      assertThat((Long) Objects.requireNonNull(member.call("DBSIZE"))).isPositive();
    }
  }

  @Test
  void masters_areThoseOfTheSlots() {
    redis.blocking().set("a", "1");
    List<Integer> ports = cluster.members().stream().map(RealCluster.Member::port).toList();
    assertThat(redis.masters())
        .extracting(each -> ((InetSocketAddress) each).getPort())
        .containsExactlyInAnyOrderElementsOf(ports);
  }

  @Test
  void mget_overSlots_isSplitAndJoinedInOrder() {
    redis.blocking().mset(Map.of("a", "1", "b", "2", "c", "3", "{a}d", "4"));
    assertThat(redis.blocking().mget("c", "missing", "a", "{a}d", "b"))
        .containsExactly("3", null, "1", "4", "2");
  }

  @Test
  void sendAll_overSlots_keepsTheOrderPerServer() {
    List<Command<Long>> batch = new ArrayList<>();
    for (int i = 0; i < 300; i++) batch.add(COMMANDS.rpush("list" + i % 10, Integer.toString(i)));
    List<Object> lengths = new ArrayList<>();
    for (int i = 0; i < 300; i++) lengths.add(1L + i / 10);
    assertThat(redis.sendAll(batch).join()).isEqualTo(lengths);
    for (int key = 0; key < 10; key++) {
      List<String> elements = new ArrayList<>();
      for (int i = key; i < 300; i += 10) elements.add(Integer.toString(i));
      assertThat(redis.blocking().lrange("list" + key, 0, -1)).isEqualTo(elements);
    }
  }

  @Test
  void del_exists_unlink_touch_overSlots_areSummedUp() {
    redis.blocking().mset(Map.of("a", "1", "b", "2", "c", "3"));
    assertThat(redis.blocking().exists("a", "b", "c", "d")).isEqualTo(3);
    assertThat(redis.blocking().touch("a", "b", "d")).isEqualTo(2);
    assertThat(redis.blocking().del("a", "d")).isEqualTo(1);
    assertThat(redis.blocking().unlink("a", "b", "c")).isEqualTo(2);
  }

  @Test
  void split_oneFailure_failsTheWhole() {
    Command<Long> asNumbers =
        COMMANDS
            .mget("a", "b")
            .decodedBy(in -> {
              throw new IllegalArgumentException("not mine");
            });
    assertThatThrownBy(() -> redis.call(asNumbers)).isInstanceOf(DecodeException.class);
    assertThat(redis.blocking().mget("a", "b")).containsExactly(null, null);
  }

  @Test
  void crossSlot_notSplittable_namesKeys() {
    assertThatThrownBy(() -> redis.blocking().sinter("a", "b"))
        .isInstanceOf(CrossSlotException.class)
        .hasMessage(
            "keys in different slots: command=SINTER, a=15495, b=3300;"
                + " a hash tag such as {user1} puts keys into one slot");
    assertThatThrownBy(() -> redis.blocking().msetnx(Map.of("a", "1", "b", "2")))
        .isInstanceOf(CrossSlotException.class);
    assertThatThrownBy(() -> redis.call(Command.of("MSET", "a", "1", "b")))
        .isInstanceOf(CrossSlotException.class);
    assertThat(redis.blocking().exists("a", "b")).isZero();
  }

  @Test
  void commandWithoutKeys_goesToAllMastersIfTableSaysSo() {
    redis.blocking().mset(Map.of("a", "1", "b", "2", "c", "3"));
    assertThat(redis.blocking().dbsize()).isEqualTo(3);
    assertThat(redis.blocking().keys("*")).containsExactlyInAnyOrder("a", "b", "c");
    String sha = redis.blocking().scriptLoad("return redis.call('get', KEYS[1])");
    assertThat(redis.blocking().scriptExists(sha, "0".repeat(40))).containsExactly(true, false);
    for (String key : List.of("a", "b", "c")) {
      assertThat(redis.call(Command.of("EVALSHA", sha, "1", key)))
          .isEqualTo(redis.blocking().get(key));
    }
  }

  @Test
  void sendAll_overServers_keepsTheOrderAndEachFailure() {
    List<Command<?>> commands = new ArrayList<>();
    for (int i = 0; i < 300; i++) commands.add(COMMANDS.set("k" + i, "v" + i));
    for (int i = 0; i < 300; i++) commands.add(COMMANDS.get("k" + i));
    commands.add(COMMANDS.lpush("k7", "x"));
    List<Object> results = new ArrayList<>(redis.sendAll(commands).join());
    assertThat(results.get(299)).isEqualTo("OK");
    for (int i = 0; i < 300; i++) assertThat(results.get(300 + i)).isEqualTo("v" + i);
    assertThat(results.getLast())
        .isInstanceOfSatisfying(
            ServerErrorException.class, e -> assertThat(e.code()).isEqualTo("WRONGTYPE"));
    assertThat(redis.sendAll(List.of()).join()).isEmpty();
  }

  @Test
  void transaction_onOneSlot() {
    TransactionResult result =
        redis
            .transaction(
                List.of(COMMANDS.set("{t}a", "1"), COMMANDS.incr("{t}a"), COMMANDS.get("{t}a")))
            .join();
    assertThat(result.replies()).isEqualTo(List.of("OK", 2L, "2"));
    assertThatThrownBy(
            () -> redis.transaction(List.of(COMMANDS.set("a", "1"), COMMANDS.set("b", "1"))).join())
        .hasCauseInstanceOf(CrossSlotException.class);
  }

  @Test
  void blocking_goesToServerOfKey() {
    var waiting = redis.async().blpop(List.of("{list}q"), 10);
    redis.blocking().rpush("{list}q", "x");
    assertThat(waiting.toCompletableFuture().join()).isEqualTo(Map.entry("{list}q", "x"));
  }

  @Test
  void watch_onServerOfKey() {
    for (String key : List.of("a", "b", "c")) {
      try (DedicatedConnection own = redis.dedicated(key).toCompletableFuture().join()) {
        own.send(Command.of("WATCH", key)).join();
        redis.blocking().set(key, "other");
        TransactionResult result = own.transaction(List.of(COMMANDS.set(key, "mine"))).join();
        assertThat(result.isAborted()).isTrue();
      }
    }
  }

  @Test
  void close_failsLaterCommands() {
    RedisClient own = RedisClient.open(cluster.options().build());
    own.blocking().ping();
    own.close();
    assertThatThrownBy(() -> own.blocking().get("a")).isInstanceOf(ClientClosedException.class);
  }

  @Test
  void noServer_commandsFailAtTheirDeadline() {
    RedisOptions options =
        RedisOptions.url("redis-cluster://127.0.0.1:" + Ports.free())
            .commandTimeout(Duration.ofMillis(200))
            .build();
    try (RedisClient lost = RedisClient.open(options)) {
      assertThatThrownBy(() -> lost.blocking().get("a"))
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("no server known yet");
    }
  }
}
