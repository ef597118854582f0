package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same uses of a watched master by several clients, while it stays, is replaced on demand, and
 * is killed; the last also with servers of Redis.
 */
@Timeout(120)
class SentinelClientsTest {

  private static final int KEYS = 2000;
  private static final String NAME = "mymaster";

  enum Library {
    JEDIS,
    LETTUCE,
    REDISSON,
    KERMES;

    SentinelClient open(Set<String> sentinels) {
      return switch (this) {
        case JEDIS -> new JedisSentinelClient(NAME, sentinels);
        case LETTUCE -> new LettuceSentinelClient(NAME, sentinels);
        case REDISSON -> RedissonStore.open(NAME, sentinels);
        case KERMES -> new KermesSentinelClient(NAME, sentinels);
      };
    }

    SentinelClient open(KermesSentinel sentinel) {
      return open(
          sentinel.sentinels().stream()
              .map(each -> each.host() + ":" + each.port())
              .collect(Collectors.toSet()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keys_areSetAndRead(Library library) {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3);
        SentinelClient client = library.open(sentinel)) {
      for (int i = 0; i < KEYS; i++) client.set("key" + i, "value" + i);
      for (int i = 0; i < KEYS; i++) assertThat(client.get("key" + i)).isEqualTo("value" + i);
      Map<String, String> values = new LinkedHashMap<>();
      for (int i = 0; i < KEYS; i++) values.put("key" + i, "other" + i);
      client.setAll(values);
      for (int i = 0; i < KEYS; i++) assertThat(client.get("key" + i)).isEqualTo("other" + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void messages_arriveBeforeAndAfterAFailover(Library library) throws Exception {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3);
        SentinelClient client = library.open(sentinel)) {
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      client.subscribe("news", heard::add);
      client.publish("news", "one");
      assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
      if (library == Library.JEDIS) return; // its subscriptions end with their connection
      KermesSentinel.Node master = sentinel.failover();
      try (RespSocket socket = new RespSocket(master.port())) {
        socket.await("1", "PUBLISH", "news", "two"); // once the client has subscribed again
      }
      assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("two");
    }
  }

  @ParameterizedTest
  @EnumSource
  void failover_underLoad_losesNoWrite(Library library) {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3);
        SentinelClient client = library.open(sentinel);
        WriteLoad load = WriteLoad.start(client, key -> sentinel.master(), false)) {
      load.awaitWrites(1000);
      sentinel.failover();
      load.awaitWrites(1000);
      load.stop();
      assertThat(load.lost()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void killedMaster_underLoad_losesNoWriteThatAReplicaHas(Library library) {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3);
        SentinelClient client = library.open(sentinel);
        WriteLoad load = WriteLoad.start(client, key -> sentinel.master(), true)) {
      load.awaitWrites(200);
      KermesSentinel.Node killed = sentinel.master();
      sentinel.kill(killed);
      assertThat(sentinel.awaitMaster()).isNotSameAs(killed);
      load.awaitWrites(200);
      sentinel.restart(killed);
      load.awaitWrites(200);
      load.stop();
      assertThat(load.lost()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("try") // the master is closed twice
  void killedMasterOfRedis_underLoad_isTheSame(Library library) throws IOException {
    try (RealRedis master = RealRedis.start("--repl-diskless-sync-delay", "0");
        RealRedis replica = RealRedis.start("--replicaof", "127.0.0.1 " + master.port());
        RealRedis sentinel =
            RealRedis.startSentinel(
                "sentinel monitor mymaster 127.0.0.1 %d 1".formatted(master.port()),
                "sentinel down-after-milliseconds mymaster 500");
        RespSocket asking = new RespSocket(sentinel.port())) {
      awaitLinked(asking);
      Object only = master;
      try (SentinelClient client = library.open(Set.of("127.0.0.1:" + sentinel.port()));
          WriteLoad load = WriteLoad.start(client, key -> only, true)) {
        load.awaitWrites(200);
        master.close();
        load.stop();
        asking.awaitInfo("address=127.0.0.1:" + replica.port());
        NodeProcess.await("followed by " + library, () -> canSet(client));
        assertThat(load.lost()).isEmpty();
      }
    }
  }

  private static boolean canSet(SentinelClient client) {
    try {
      client.set("after", "failover");
      return true;
    } catch (RuntimeException e) {
      return false; // it has not heard of the next master yet
    }
  }

  private static void awaitLinked(RespSocket asking) throws IOException {
    String linked = "";
    while (!linked.contains("master-link-status, $2:ok")) {
      linked = asking.call("SENTINEL", "REPLICAS", NAME).toString();
    }
  }

  @ParameterizedTest
  @EnumSource
  void lostSentinels_areNoProblem(Library library) {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3);
        SentinelClient client = library.open(sentinel)) {
      sentinel.kill(sentinel.sentinel(0));
      assertThat(client.setReplicated("a", "1")).isTrue();
      sentinel.kill(sentinel.master());
      sentinel.awaitMaster();
      try (SentinelClient fresh = library.open(sentinel)) {
        assertThat(fresh.get("a")).isEqualTo("1");
      }
    }
  }
}
