package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.HashSlots;
import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Client-side caching against real servers. */
@Timeout(90)
class ReadCacheTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  /** Whether reading it again sends nothing to a server. */
  private static boolean isKept(ReadCache cache, String key) {
    long before = cache.misses();
    cache.blocking().get(key);
    return cache.misses() == before;
  }

  @Test
  void secondRead_isHit_untilKeyChanges() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        RedisClient other = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      other.blocking().set("k", "1");
      assertThat(cache.blocking().get("k")).isEqualTo("1");
      assertThat(cache.blocking().get("k")).isEqualTo("1");
      assertThat(cache.hits()).isEqualTo(1);
      assertThat(cache.blocking().get("missing")).isNull();
      assertThat(isKept(cache, "missing")).isTrue();

      other.blocking().set("k", "2");
      RealCluster.await(() -> "2".equals(cache.blocking().get("k")));
      other.blocking().flushall();
      RealCluster.await(() -> cache.blocking().get("k") == null);
    }
  }

  @Test
  void preparedRead_givesTheSameObject_untilKeyChanges() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        RedisClient other = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      other.blocking().rpush("l", "a");
      CachedRead<List<String>> read = cache.prepare(COMMANDS.lrange("l", 0, -1));
      assertThat(read.get()).containsExactly("a");
      List<String> kept = read.get();
      assertThat(read.get()).isSameAs(kept);
      assertThat(cache.misses()).isEqualTo(1);
      assertThat(cache.hits()).isEqualTo(2);

      cache.blocking().rpush("l", "b");
      assertThat(read.get()).containsExactly("a", "b");
      other.blocking().rpush("l", "c");
      RealCluster.await(() -> read.get().size() == 3);
      other.blocking().del("l");
      RealCluster.await(() -> read.get().isEmpty());
    }
  }

  @Test
  void preparedRead_ofLostConnectionExpiredOrClosedCache_asksAgain() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().set("k", "1");
      CachedRead<@Nullable String> kept;
      try (ReadCache cache = redis.cache(LONG, 1 << 20);
          ReadCache brief = redis.cache(Duration.ofNanos(1), 1 << 20)) {
        CachedRead<@Nullable String> expired = brief.prepare(COMMANDS.get("k"));
        for (int i = 0; i < 3; i++) assertThat(expired.get()).isEqualTo("1");
        assertThat(brief.misses()).isEqualTo(3);

        kept = cache.prepare(COMMANDS.get("k"));
        for (int i = 0; i < 3; i++) assertThat(kept.get()).isEqualTo("1");
        assertThat(cache.misses()).isEqualTo(1);
        redis.call(Command.of("CLIENT", "KILL", "TYPE", "normal"));
        RealCluster.await(() -> cache.size() == 0);
        redis.blocking().set("k", "2");
        assertThat(kept.get()).isEqualTo("2");
        assertThat(kept.get()).isEqualTo("2");
      }
      redis.blocking().set("k", "3");
      assertThat(kept.get()).isEqualTo("3");
    }
  }

  @Test
  void preparedRead_ofAnEvictedReply_asksAgain() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache small = redis.cache(LONG, 5000)) {
      CachedRead<@Nullable String> read = small.prepare(COMMANDS.get("k"));
      for (int i = 0; i < 2; i++) assertThat(read.get()).isNull();
      for (int i = 0; i < 1000; i++) small.blocking().get("k" + i);
      long before = small.misses();
      assertThat(read.get()).isNull();
      assertThat(small.misses()).isEqualTo(before + 1);
    }
  }

  @Test
  void preparedRead_ofAWrite_writesEachTime() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      CachedRead<Long> count = cache.prepare(COMMANDS.incr("n"));
      assertThat(count.get()).isEqualTo(1);
      assertThat(count.get()).isEqualTo(2);
    }
  }

  @Test
  void collections_areDecodedForEachReader() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      redis.blocking().rpush("l", "a", "b");
      cache.blocking().lrange("l", 0, -1).clear();
      assertThat(cache.blocking().lrange("l", 0, -1)).containsExactly("a", "b");
      byte[] raw = cache.call(new Commands<>(Codec.utf8(), Codec.bytes()).get("l2"));
      assertThat(raw).isNull();
      redis.blocking().set("v", "x");
      assertThat(cache.blocking().get("v")).isEqualTo("x");
      assertThat(cache.call(new Commands<>(Codec.utf8(), Codec.bytes()).get("v")))
          .isEqualTo("x".getBytes(UTF_8));
    }
  }

  @Test
  void writesAndErrors_passThrough() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      cache.blocking().set("k", "1");
      assertThat(cache.blocking().incr("k")).isEqualTo(2);
      cache.blocking().randomkey();
      assertThat(cache.size()).isZero();
      try {
        cache.blocking().llen("k");
      } catch (ServerErrorException e) {
        assertThat(e.code()).isEqualTo("WRONGTYPE");
      }
      assertThat(cache.size()).isZero();
    }
  }

  @Test
  void timeToLive_andSize_areBounds() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache brief = redis.cache(Duration.ofNanos(1), 1 << 20);
        ReadCache small = redis.cache(LONG, 5000)) {
      redis.blocking().set("k", "1");
      brief.blocking().get("k");
      assertThat(isKept(brief, "k")).isFalse();
      for (int i = 0; i < 1000; i++) small.blocking().get("k" + i);
      assertThat(small.size()).isBetween(5, 25);
      assertThat(isKept(small, "k999")).isTrue();
      assertThat(isKept(small, "k0")).isFalse();
    }
  }

  @Test
  void connectionLost_dropsAllReplies() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      redis.blocking().set("k", "1");
      cache.blocking().get("k");
      assertThat(cache.size()).isEqualTo(1);
      redis.call(Command.of("CLIENT", "KILL", "TYPE", "normal"));
      RealCluster.await(() -> cache.size() == 0);
      assertThat(cache.blocking().get("k")).isEqualTo("1");
      RealCluster.await(() -> isKept(cache, "k"));
    }
  }

  @Test
  void writersAndReaders_readerNeverStaysStale() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        RedisClient writer = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicLong backwards = new AtomicLong();
      writer.blocking().set("n", "0");
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(
            Thread.ofVirtual()
                .start(() -> {
                  long last = 0;
                  while (!isOver.get()) {
                    String text = cache.blocking().get("n");
                    long now = text == null ? -1 : Long.parseLong(text);
                    if (now < last) backwards.incrementAndGet();
                    last = now;
                  }
                }));
      }
      for (int i = 0; i < 3000; i++) writer.blocking().incr("n");
      RealCluster.await(() -> "3000".equals(cache.blocking().get("n")));
      isOver.set(true);
      for (Thread reader : readers) reader.join();
      assertThat(backwards).hasValue(0);
      RealCluster.await(() -> isKept(cache, "n"));
    }
  }

  @Test
  void resp2_cachesNothing() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis =
            RedisClient.open(RedisOptions.url(server.url()).respVersion(2).build());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      redis.blocking().set("k", "1");
      assertThat(cache.blocking().get("k")).isEqualTo("1");
      assertThat(cache.size()).isZero();
    }
  }

  @Test
  void cluster_eachServerInvalidatesItsKeys_evenWhenSlotsMove() {
    try (RealCluster cluster = RealCluster.start(0);
        RedisClient redis = RedisClient.open(cluster.options().build());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      for (String key : List.of("a", "b", "c")) {
        redis.blocking().set(key, "1");
        assertThat(cache.blocking().get(key)).isEqualTo("1");
        assertThat(isKept(cache, key)).isTrue();
        redis.blocking().set(key, "2");
        RealCluster.await(() -> "2".equals(cache.blocking().get(key)));
      }
      int slot = HashSlots.of("a".getBytes(UTF_8));
      RealCluster.Member from = cluster.masterOf(slot);
      RealCluster.Member to = from == cluster.master(0) ? cluster.master(1) : cluster.master(0);
      cluster.migrate(slot, from, to);
      redis.blocking().set("a", "3");
      RealCluster.await(() -> "3".equals(cache.blocking().get("a")));
      RealCluster.await(() -> isKept(cache, "a"));
      redis.blocking().set("a", "4");
      RealCluster.await(() -> "4".equals(cache.blocking().get("a")));
    }
  }

  @Test
  void ownWrites_areReadAsWritten() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      for (int i = 0; i < 2000; i++) {
        String value = "v" + i;
        cache.blocking().get("k");
        RedisFuture<?> early = cache.async().get("k"); // may be answered with the older value
        cache.blocking().set("k", value);
        assertThat(cache.blocking().get("k")).isEqualTo(value);
        early.join();
        assertThat(cache.blocking().get("k")).isEqualTo(value);
      }
      RealCluster.await(() -> isKept(cache, "k"));
    }
  }

  @Test
  void ownWrites_ofEveryKind_areReadAsWritten() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      List<Command<?>> writes =
          List.of(
              Command.of("DEL", "k"),
              Command.of("FLUSHALL"),
              Command.of("FLUSHDB", "SYNC"),
              Command.of("RENAME", "k", "l"),
              Command.of("EVAL", "return redis.call('del', KEYS[1])", "1", "k"),
              Command.of("EVAL", "return redis.call('del', 'k')", "0"),
              Command.of("GETDEL", "k"),
              Command.of("PEXPIRE", "k", "0"));
      for (Command<?> write : writes) {
        for (int i = 0; i < 200; i++) {
          redis.blocking().set("k", "v");
          RealCluster.await(() -> "v".equals(cache.blocking().get("k")));
          cache.send(write).join();
          assertThat(cache.blocking().get("k")).as(write.toString()).isNull();
        }
      }
    }
  }

  @Test
  void ownWrite_inFlight_readsAskServer() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      cache.blocking().lrange("l", 0, -1);
      cache.blocking().lrange("l", 0, -1);
      assertThat(cache.hits()).isEqualTo(1);
      RedisFuture<?> write = cache.async().blpop(List.of("l"), 0);
      cache.blocking().lrange("l", 0, -1);
      cache.blocking().lrange("l", 0, -1);
      assertThat(cache.hits()).isEqualTo(1);
      assertThat(write.cancel(false)).isTrue(); // also cancels the command in the server
      RealCluster.await(() -> redis.blocking().info("clients").contains("blocked_clients:0"));
      RealCluster.await(() -> {
        cache.blocking().lrange("l", 0, -1);
        return cache.hits() > 1;
      });
    }
  }

  @Test
  void ownWrites_byManyThreads_neverReadOldValues() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url());
        ReadCache cache = redis.cache(LONG, 1 << 20)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int n = 0; n < 500; n++) {
                    long mine = cache.blocking().incr("n");
                    assertThat(Long.parseLong(cache.blocking().get("n")))
                        .isGreaterThanOrEqualTo(mine);
                  }
                },
                task -> Thread.ofVirtual().start(task)));
      }
      for (var each : all) each.get(60, TimeUnit.SECONDS);
      assertThat(cache.blocking().get("n")).isEqualTo("4000");
    }
  }
}
