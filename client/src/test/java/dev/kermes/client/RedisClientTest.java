package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.reply.ScoredValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against every server under test, over RESP3 and RESP2. */
@Timeout(60)
class RedisClientTest extends ServersUnderTest {
  private static Command<@Nullable String> get(String key) {
    return CommandBuilder.of("GET").text(key).build(Replies.bulk(Codec.utf8()));
  }

  private static Command<String> set(String key, String value) {
    return CommandBuilder.of("SET").text(key).text(value).build(Replies.ok());
  }

  @ParameterizedTest
  @MethodSource("options")
  void send_setAndGet_inEveryWay(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(redis.send(set("k", "v\u00e9\r\n")).join()).isEqualTo("OK");
      assertThat(redis.call(get("k"))).isEqualTo("v\u00e9\r\n");
      assertThat(redis.send(get("k")).get(5, TimeUnit.SECONDS)).isEqualTo("v\u00e9\r\n");
      assertThat(redis.send(get("k")).thenApply(String::valueOf).toCompletableFuture().join())
          .isEqualTo("v\u00e9\r\n");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void views_scriptsAndFunctions(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      BlockingCommands<String, String> blocking = redis.blocking();
      String script = "return {KEYS[1], ARGV[1], #ARGV}";
      List<Object> expected = List.of("k", "a", 2L);
      assertThat(texts(blocking.eval(script, List.of("k"), "a", "b"))).isEqualTo(expected);
      String sha1 = blocking.scriptLoad(script);
      assertThat(texts(blocking.evalsha(sha1, "k", List.of("a", "b")))).isEqualTo(expected);
      assertThat(blocking.scriptExists(sha1, "none")).containsExactly(true, false);
      String library =
          "#!lua name=typed\nredis.register_function{function_name='both', flags={'no-writes'},"
              + " callback=function(keys, args) return {keys[1], args[1], #args} end}";
      assertThat(blocking.functionLoad(library, new FunctionLoadOptions().replace()))
          .isEqualTo("typed");
      assertThat(texts(blocking.fcallRo("both", List.of("k"), "a", "b"))).isEqualTo(expected);
      assertThat(blocking.functionDelete("typed")).isEqualTo("OK");
    }
  }

  /** A list with bulk strings as text. */
  private static List<Object> texts(@Nullable Object reply) {
    List<Object> texts = new ArrayList<>();
    for (Object each : (List<?>) Objects.requireNonNull(reply)) {
      texts.add(each instanceof byte[] bytes ? new String(bytes, UTF_8) : each);
    }
    return texts;
  }

  @ParameterizedTest
  @MethodSource("options")
  void views_typedCommands(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      BlockingCommands<String, String> blocking = redis.blocking();
      blocking.del("typed", "typedHash");
      assertThat(blocking.set("typed", "1")).isEqualTo("OK");
      assertThat(blocking.incr("typed")).isEqualTo(2);
      assertThat(blocking.get("typed")).isEqualTo("2");
      assertThat(blocking.get("untyped")).isNull();
      assertThat(blocking.hset("typedHash", Map.of("a", "1"))).isEqualTo(1);
      assertThat(blocking.hgetall("typedHash")).isEqualTo(Map.of("a", "1"));
      assertThat(redis.async().get("typed").toCompletableFuture().join()).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void nilErrorAndValue_areDistinct(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("DEL", "none"));
      redis.call(set("text", "abc"));
      assertThat(redis.call(get("none"))).isNull();
      RedisFuture<@Nullable Object> wrong = redis.send(Command.of("LPUSH", "text", "x"));
      assertThatThrownBy(wrong::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(ServerErrorException.class);
      assertThat(((ServerErrorException) Objects.requireNonNull(wrong.failure())).code())
          .isEqualTo("WRONGTYPE");
      assertThatThrownBy(() -> redis.call(Command.of("LPUSH", "text", "x")))
          .isInstanceOf(ServerErrorException.class)
          .hasMessageStartingWith("WRONGTYPE");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void sendAll_errorsAreElements(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      Command<@Nullable Object> broken =
          CommandBuilder.of("SET").text("k").bytes(cast(null)).build(Replies.any());
      List<@Nullable Object> replies =
          redis
              .sendAll(
                  List.of(
                      set("batch", "1"),
                      broken,
                      Command.of("LPUSH", "batch", "x"),
                      get("nothing"),
                      get("batch")))
              .join();
      assertThat(replies).hasSize(5);
      assertThat(replies.get(0)).isEqualTo("OK");
      assertThat(replies.get(1)).isInstanceOf(EncodeException.class);
      assertThat(replies.get(2)).isInstanceOf(ServerErrorException.class);
      assertThat(replies.get(3)).isNull();
      assertThat(replies.get(4)).isEqualTo("1");
      assertThat(redis.sendAll(List.of(broken)).join().getFirst())
          .isInstanceOf(EncodeException.class);
      assertThat(redis.sendAll(List.of()).join()).isEmpty();
    }
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static byte[] cast(byte @Nullable [] nothing) {
    return nothing;
  }

  @ParameterizedTest
  @MethodSource("options")
  void blpop_timesOut_isNilAndDelaysNoOther(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      Command<@Nullable Object> pop = Command.of("BLPOP", "empty", "0.3");
      RedisFuture<@Nullable Object> blocked = redis.send(pop);
      assertThat(redis.call(get("k2"))).isNull();
      assertThat(blocked.isDone()).isFalse();
      assertThat(blocked.join()).isNull();
      RedisFuture<@Nullable Object> served = redis.send(Command.of("BLPOP", "list", "0"));
      redis.call(Command.of("RPUSH", "list", "x"));
      assertThat(served.join()).isEqualTo(List.of("list", "x"));
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void blpop_moreThanConnections_areServedInOrder(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      List<RedisFuture<@Nullable Object>> pops = new ArrayList<>();
      for (int i = 0; i < 20; i++) pops.add(redis.send(Command.of("BLPOP", "many", "20")));
      for (int i = 0; i < 20; i++) redis.call(Command.of("RPUSH", "many", "x"));
      for (RedisFuture<@Nullable Object> pop : pops) {
        assertThat(pop.join()).isEqualTo(List.of("many", "x"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void blpop_cancelled_popsNothingLater(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      RedisFuture<@Nullable Object> blocked = redis.send(Command.of("BLPOP", "cancelled", "0"));
      awaitBlockedClients(redis, 1);
      assertThat(blocked.cancel(true)).isTrue();
      awaitBlockedClients(redis, 0);
      redis.call(Command.of("RPUSH", "cancelled", "x"));
      assertThat(redis.call(Command.of("LPOP", "cancelled"))).isEqualTo("x");
    }
  }

  private static void awaitBlockedClients(RedisClient redis, int count) {
    String line = "blocked_clients:" + count;
    while (!String.valueOf(redis.call(Command.of("INFO", "clients"))).contains(line)) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void transaction_runsAsOne(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      TransactionResult result =
          redis.transaction(List.of(set("t", "1"), Command.of("LPUSH", "t", "x"), get("t"))).join();
      assertThat(result.isAborted()).isFalse();
      assertThat(result.replies().get(0)).isEqualTo("OK");
      assertThat(result.replies().get(1)).isInstanceOf(ServerErrorException.class);
      assertThat(result.replies().get(2)).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void transaction_refusedCommand_failsWithTheRefusal(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      assertThatThrownBy(() -> redis.transaction(List.of(set("t2", "1"), Command.of("GET"))).join())
          .cause()
          .isInstanceOf(ServerErrorException.class)
          .hasMessageContaining("wrong number of arguments");
      assertThat(redis.call(get("t2"))).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void exec_afterWatchedKeyChanged_isAborted(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        DedicatedConnection own = redis.dedicated().toCompletableFuture().get()) {
      own.send(Command.of("WATCH", "watched")).join();
      redis.call(Command.of("INCR", "watched"));
      TransactionResult result = own.transaction(List.of(set("watched", "0"))).join();
      assertThat(result.isAborted()).isTrue();
      assertThat(result.replies()).isEmpty();
      assertThat(own.transaction(List.of(get("watched"))).join().isAborted()).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void dedicated_returnedBeforeReady_servesNextBorrower(Server server) {
    RedisOptions options = RedisOptions.url(server.url()).dedicatedMax(1).build();
    for (int i = 0; i < 20; i++) {
      try (RedisClient redis = RedisClient.open(options)) {
        redis.dedicated().thenAccept(DedicatedConnection::close).toCompletableFuture().join();
        RedisFuture<@Nullable Object> waiting = redis.send(Command.of("BLPOP", "nothing", "0"));
        waiting.cancel(false);
        Command<@Nullable Object> next = Command.of("BLPOP", "nothing", "0.001");
        assertThat(redis.call(next.withTimeout(Duration.ofSeconds(20)))).isNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void send_statefulCommand_isRefused(Server server) {
    try (RedisClient redis = RedisClient.open(server.url())) {
      for (String name : List.of("WATCH", "MULTI", "SELECT", "SUBSCRIBE", "MONITOR")) {
        assertThatThrownBy(() -> redis.send(Command.of(name, "x")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(name);
      }
      assertThatThrownBy(() -> redis.send(Command.of("CLIENT", "REPLY", "OFF")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> redis.sendAll(List.of(Command.of("SELECT", "1"))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void open_urlWithDatabaseAndName_selectsAndNames(Server server) {
    try (RedisClient first = RedisClient.open(server.url());
        RedisClient redis = RedisClient.open(server.url() + "/3?name=tester")) {
      redis.call(set("in3", "x"));
      assertThat(first.call(get("in3"))).isNull();
      assertThat(redis.call(Command.of("CLIENT", "GETNAME"))).isEqualTo("tester");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void replies_mapsInBothProtocols(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("HSET", "h", "a", "1", "b", "2"));
      Decoder<Map<String, String>> map =
          Replies.map(Replies.value(Codec.utf8()), Replies.value(Codec.utf8()));
      assertThat(redis.call(Command.of("HGETALL", "h").decodedBy(map)))
          .isEqualTo(Map.of("a", "1", "b", "2"));
      redis.call(Command.of("ZADD", "z", "1.5", "a", "inf", "b"));
      assertThat(
              redis.call(
                  Command.of("ZRANGE", "z", "0", "-1", "WITHSCORES")
                      .decodedBy(Replies.scored(Codec.utf8()))))
          .containsExactly(
              new ScoredValue<>("a", 1.5), new ScoredValue<>("b", Double.POSITIVE_INFINITY));
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void subscribe_confirmsAndDelivers(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        Subscription reporter = redis.subscribe("news", "sport");
        Subscription all = redis.psubscribe("n*")) {
      reporter.confirmed().toCompletableFuture().get();
      all.confirmed().toCompletableFuture().get();
      redis.call(Command.of("PUBLISH", "news", "hello"));
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      assertThat(reporter.take())
          .isInstanceOfSatisfying(
              SubscriptionEvent.Message.class,
              message -> assertThat(message.text()).isEqualTo("hello"));
      assertThat(all.take()).isEqualTo(new SubscriptionEvent.Confirmed("n*"));
      assertThat(all.take())
          .isInstanceOfSatisfying(
              SubscriptionEvent.Message.class,
              message -> assertThat(message.pattern()).isEqualTo("n*"));
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void subscribe_slowSubscriber_losesOldestAndAffectsNoOther(Server server) throws Exception {
    try (RedisClient redis = RedisClient.open(server.url());
        Subscription slow = redis.subscribe(List.of("flood"), 10);
        Subscription fast = redis.subscribe(List.of("flood"), 10_000)) {
      fast.confirmed().toCompletableFuture().get();
      slow.confirmed().toCompletableFuture().get();
      List<Command<?>> flood = new ArrayList<>();
      for (int i = 0; i < 5000; i++) flood.add(Command.of("PUBLISH", "flood", "m" + i));
      redis.sendAll(flood).join();
      assertThat(fast.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      for (int i = 0; i < 5000; i++) {
        assertThat(Objects.requireNonNull((SubscriptionEvent.Message) fast.take()).text())
            .isEqualTo("m" + i);
      }
      assertThat(slow.take()).isEqualTo(new SubscriptionEvent.Dropped(4991));
      assertThat(slow.dropped()).isEqualTo(4991);
      assertThat(slow.take()).isInstanceOf(SubscriptionEvent.Confirmed.class);
      for (int i = 4991; i < 5000; i++) {
        assertThat(Objects.requireNonNull((SubscriptionEvent.Message) slow.take()).text())
            .isEqualTo("m" + i);
      }
      assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void subscribe_connectionKilled_reportsLostAndResumesAllChannels(RedisOptions options)
      throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        Subscription reporter = redis.subscribe("resumed")) {
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("resumed"));
      redis.call(Command.of("CLIENT", "KILL", "TYPE", "pubsub"));
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Lost.class);
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("resumed"));
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Resumed());
      redis.call(Command.of("PUBLISH", "resumed", "again"));
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Message.class);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void send_fromManyThreads_eachGetsItsOwnReply(Server server) throws Exception {
    int threads = 16;
    int calls = 2000;
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(threads);
    try (RedisClient redis =
        RedisClient.open(RedisOptions.url(server.url()).queueMax(64).build())) {
      for (int t = 0; t < threads; t++) {
        String prefix = "t" + t + ":";
        Runnable echo =
            () -> {
              for (int i = 0; i < calls; i++) {
                String word = prefix + i;
                if (!word.equals(redis.call(Command.of("ECHO", word)))) wrong.incrementAndGet();
              }
              done.countDown();
            };
        if (t % 2 == 0) Thread.ofVirtual().start(echo);
        else Thread.ofPlatform().start(echo);
      }
      assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong).hasValue(0);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void stages_neverRunOnTheEventLoop(Server server) {
    try (RedisClient redis = RedisClient.open(server.url())) {
      for (int i = 0; i < 2000; i++) {
        RedisFuture<@Nullable Object> ping = redis.send(Command.of("PING"));
        String thread =
            ping.thenApply(pong -> Thread.currentThread().getName()).toCompletableFuture().join();
        assertThat(thread).doesNotStartWith("kermes-client");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void dump_isBytesWithAnyCodec(Server server) {
    try (RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().del("dumped", "restored");
      redis.blocking().rpush("dumped", "a", "b", "ü");
      byte[] dump = Objects.requireNonNull(redis.blocking().dump("dumped"));
      assertThat(redis.blocking().restore("restored", 0, dump)).isEqualTo("OK");
      assertThat(redis.blocking().lrange("restored", 0, -1)).containsExactly("a", "b", "ü");
      assertThat(redis.blocking().dump("none")).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void send_largeValues_areReturnedComplete(Server server) {
    byte[] large = new byte[3_000_000];
    new Random(1).nextBytes(large);
    Codec<byte[]> bytes = Codec.bytes();
    try (RedisClient redis = RedisClient.open(server.url())) {
      RedisFuture<String> set =
          redis.send(
              CommandBuilder.of("SET").text("large").value(bytes, large).build(Replies.ok()));
      RedisFuture<@Nullable Object> ping = redis.send(Command.of("PING"));
      RedisFuture<byte[]> got =
          redis.send(CommandBuilder.of("GET").text("large").build(Replies.value(bytes)));
      assertThat(set.join()).isEqualTo("OK");
      assertThat(ping.join()).isEqualTo("PONG");
      assertThat(got.join()).isEqualTo(large);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void close_failsCommandsInFlightAndLaterOnes(Server server) {
    RedisClient redis = RedisClient.open(server.url());
    redis.call(Command.of("PING"));
    RedisFuture<@Nullable Object> blocked =
        redis.send(Command.of("BLPOP", "forever", "0").withTimeout(Duration.ofSeconds(50)));
    redis.close();
    assertThatThrownBy(blocked::join).cause().isInstanceOf(ClientClosedException.class);
    assertThatThrownBy(() -> redis.call(Command.of("PING")))
        .isInstanceOf(ClientClosedException.class);
    redis.close();
  }
}
