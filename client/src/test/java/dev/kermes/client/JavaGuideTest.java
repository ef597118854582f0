package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.reply.ScoredValue;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The code of docs/java.md. The lines between {@code // guide: name} and {@code // end} are, to the
 * letter, the guide's block of that name; {@link #guide_saysWhatIsTestedHere} compares them.
 */
@Timeout(60)
class JavaGuideTest {
  private static final Path GUIDE = Path.of("../docs/java.md");
  private static final Path SELF = Path.of("src/test/java/dev/kermes/client/JavaGuideTest.java");

  private RedisServer server;
  private RedisClient redis;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    redis = RedisClient.open(server.url());
  }

  @AfterEach
  void close() {
    redis.close();
    server.close();
  }

  @Test
  void start() {
    String url = server.url();
    // guide: start
    try (RedisClient redis = RedisClient.open(url)) { // redis://localhost, for instance
      redis.blocking().set("greeting", "hello");
      String greeting = redis.blocking().get("greeting");
      assertThat(greeting).isEqualTo("hello");
    }
    // end
  }

  @Test
  void async() {
    // guide: async
    CompletionStage<Long> visits =
        redis
            .async()
            .set("visits", "41", new SetOptions().ex(60).nx())
            .thenCompose(stored -> redis.async().incr("visits"));
    // end
    assertThat(visits.toCompletableFuture().join()).isEqualTo(42);
  }

  @Test
  void names() {
    // guide: names
    BlockingCommands<String, String> c = redis.blocking();
    c.zadd("board", 120, "ada");
    c.expire("board", Duration.ofMinutes(30));
    List<ScoredValue<String>> best = c.zrangeWithscores("board", 0, 9, new ZrangeOptions().rev());

    c.xgroupCreate("jobs", "crawlers", "0", new XgroupCreateOptions().mkstream());
    c.xadd("jobs", "*", "page", "1");
    Map<String, List<StreamEntry<String, String>>> jobs =
        c.xreadgroup("crawlers", "c1", "jobs", ">");
    // end
    assertThat(best).containsExactly(new ScoredValue<>("ada", 120));
    assertThat(jobs.get("jobs"))
        .extracting(StreamEntry::fields)
        .containsExactly(Map.of("page", "1"));
  }

  @Test
  void batch() {
    // guide: batch
    Commands<String, String> c = new Commands<>(Codec.utf8(), Codec.utf8());
    Command<Long> visit = c.incr("visits"); // a value: nothing is sent yet

    var replies = redis.sendAll(List.of(visit, visit, c.lpush("visits", "x"))).join();

    assertThat(replies.get(1)).isEqualTo(2L);
    assertThat(replies.get(2)).isInstanceOf(ServerErrorException.class); // only this command failed
    // end
  }

  @Test
  void large() {
    redis.blocking().set("page", "x".repeat(1 << 20));
    // guide: large
    try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
      AsyncCommands<String, String> c =
          new AsyncCommands<>(new Commands<>(Codec.utf8(), Codec.utf8()), own);
      assertThat(c.get("page").toCompletableFuture().join()).hasSize(1 << 20);
    }
    // end
  }

  @Test
  void outcomes() {
    redis.blocking().set("text", "no number");
    List<String> told = new ArrayList<>();
    // guide: outcomes
    assertThat(redis.blocking().get("absent")).isNull(); // nil is null
    try {
      redis.blocking().incr("text");
    } catch (ServerErrorException e) {
      told.add(e.code()); // the server said no
    } catch (ConnectionLostException e) {
      told.add(e.mayHaveExecuted() ? "perhaps" : "no"); // unknown, or it was never sent
    }
    // end
    assertThat(told).containsExactly("ERR");
  }

  @Test
  void codecs() {
    // guide: codecs
    Codec<Integer> numbers =
        new Codec<>() {
          @Override
          public byte[] encode(Integer value) {
            return Codec.utf8().encode(value.toString());
          }

          @Override
          public Integer decode(byte[] bytes, int offset, int length) {
            return Integer.valueOf(Codec.utf8().decode(bytes, offset, length));
          }
        };
    BlockingCommands<String, Integer> ages = redis.blocking(Codec.utf8(), numbers);
    ages.hset("ages", Map.of("ann", 7));
    assertThat(ages.hgetall("ages")).isEqualTo(Map.of("ann", 7));
    // end
  }

  @Test
  void waiting() {
    // guide: waiting
    var job = redis.async().blpop("jobs", 30);
    redis.blocking().rpush("jobs", "first"); // is not held up: BLPOP has a connection of its own
    // end
    assertThat(job.toCompletableFuture().join()).isEqualTo(Map.entry("jobs", "first"));
  }

  @Test
  void transaction() {
    // guide: transaction
    Commands<String, String> c = new Commands<>(Codec.utf8(), Codec.utf8());
    TransactionResult moved =
        redis.transaction(List.of(c.decrby("ann", 5), c.incrby("bob", 5))).join();
    assertThat(moved.replies()).isEqualTo(List.of(-5L, 5L));

    CompletionStage<TransactionResult> doubled =
        redis.watch(
            List.of("bob"),
            connection ->
                connection
                    .send(c.get("bob"))
                    .thenApply(n -> List.of(c.set("bob", String.valueOf(2 * Long.parseLong(n))))));
    // end
    assertThat(doubled.toCompletableFuture().join().isAborted()).isFalse();
    assertThat(redis.blocking().get("bob")).isEqualTo("10");
  }

  @Test
  void script() {
    // guide: script
    Script<Long> add =
        Script.of("return redis.call('incrby', KEYS[1], ARGV[1])", Replies.integer());
    long sum = redis.run(add, List.of("n"), List.of("5")).join(); // EVALSHA; EVAL the first time
    // end
    assertThat(sum).isEqualTo(5);
  }

  @Test
  void pubSub() throws Exception {
    List<String> heard = new ArrayList<>();
    // guide: pubsub
    try (Subscription news = redis.subscribe("news")) {
      news.confirmed().toCompletableFuture().join(); // from here on nothing is missed
      redis.blocking().publish("news", "hello");
      while (heard.isEmpty()) {
        switch (news.take()) {
          case SubscriptionEvent.Message message -> heard.add(message.text());
          case SubscriptionEvent.Lost lost -> heard.add("a gap begins");
          case SubscriptionEvent.Resumed resumed -> heard.add("and ends");
          case SubscriptionEvent.Dropped dropped -> heard.add("too slow for " + dropped.count());
          case null -> heard.add("closed");
          default -> {} // confirmed, refused
        }
      }
    }
    // end
    assertThat(heard).containsExactly("hello");
  }

  @Test
  void streams() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    redis.call(Command.of("XADD", "orders", "1-1", "item", "tea"));
    // guide: streams
    StreamWorker worker =
        redis.consume(
            StreamRead.of("orders").as("shop", "worker-1"),
            order -> {
              redis.blocking().incr("sold:" + order.fields().get("item"));
              done.countDown();
            });
    // end
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    worker.close();
    assertThat(redis.blocking().get("sold:tea")).isEqualTo("1");
  }

  @Test
  void entries() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    redis.call(Command.of("XADD", "orders", "1-1", "item", "tea"));
    // guide: entries
    Flow.Publisher<StreamEntry<String, String>> orders = redis.entries(StreamRead.of("orders"));
    orders.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE); // or as many as you want now
          }

          @Override
          public void onNext(StreamEntry<String, String> order) {
            done.countDown();
          }

          @Override
          public void onError(Throwable failure) {
            failure.printStackTrace(); // WRONGTYPE, for instance, or what onNext has thrown
          }

          @Override
          public void onComplete() {} // the client was closed
        });
    // end
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void cache() {
    redis.blocking().set("k", "v");
    // guide: cache
    ReadCache cache = redis.cache(Duration.ofMinutes(1), 16 << 20); // 16 MiB
    cache.blocking().get("k"); // asks the server
    cache.blocking().get("k"); // does not, until k changes
    // end
    assertThat(cache.hits()).isEqualTo(1);
  }

  @Test
  void prepared() {
    redis.blocking().set("k", "v");
    ReadCache cache = redis.cache(Duration.ofMinutes(1), 16 << 20);
    // guide: prepared
    var message = cache.prepare(new Commands<>(Codec.utf8(), Codec.utf8()).get("k"));
    message.get(); // "v"
    // end
    assertThat(message.get()).isEqualTo("v");
    assertThat(cache.misses()).isEqualTo(1);
  }

  @Test
  void limits() {
    String url = server.url();
    // guide: limits
    RedisOptions options =
        RedisOptions.url(url)
            .commandTimeout(Duration.ofSeconds(2))
            .queueMax(10_000)
            .overflow(RedisOptions.Overflow.FAIL)
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      Command<?> keys = Command.of("KEYS", "*").withTimeout(Duration.ofSeconds(30));
      RedisFuture<?> slow = redis.send(keys);
      slow.cancel(false); // gives up waiting; other replies keep their order
    }
    // end
    assertThat(options.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.queueMax()).isEqualTo(10_000);
    assertThat(options.overflow()).isEqualTo(RedisOptions.Overflow.FAIL);
  }

  @Test
  void observer() {
    List<String> log = new CopyOnWriteArrayList<>();
    String url = server.url();
    // guide: observer
    CommandObserver logging =
        command -> {
          long start = System.nanoTime();
          return (node, failure) ->
              log.add(command + " took " + (System.nanoTime() - start) + " ns at " + node);
        };
    try (RedisClient redis = RedisClient.open(RedisOptions.url(url).observer(logging).build())) {
      redis.blocking().ping();
    }
    // end
    assertThat(log).hasSize(1).first().asString().startsWith("PING took ");
  }

  @Test
  void credentials() {
    redis.call(Command.of("CONFIG", "SET", "requirepass", "secret"));
    String url = server.url();
    // guide: credentials
    CredentialsProvider vault =
        () ->
            CompletableFuture.supplyAsync(
                () -> new CredentialsProvider.Credentials(null, "secret"));
    try (RedisClient redis = RedisClient.open(RedisOptions.url(url).credentials(vault).build())) {
      redis.blocking().ping();
      redis.reauthenticate().toCompletableFuture().join(); // when the vault has another one
    }
    // end
    assertThat(redis.blocking().info("commandstats")).contains("cmdstat_auth:", "cmdstat_ping:");
  }

  @Test
  void givingUp() {
    // guide: giving-up
    RedisFuture<?> job = redis.async().blpop("jobs", 0);
    job.toCompletableFuture().orTimeout(100, TimeUnit.MILLISECONDS); // ends the BLPOP, too
    // end
    RealCluster.await(job::isCancelled);
  }

  @Test
  void failFast() {
    String url = server.url();
    // guide: fail-fast
    RedisOptions options = RedisOptions.url(url).queuesWhileDisconnected(false).build();
    try (RedisClient redis = RedisClient.open(options)) {
      redis.connected().toCompletableFuture().join(); // fails at the first attempt in vain
      redis.blocking().ping(); // fails at once while there is no connection
    }
    // end
    assertThat(redis.blocking().info("commandstats")).contains("cmdstat_ping:calls=1,");
  }

  @Test
  void connectionObserver() {
    List<String> log = new CopyOnWriteArrayList<>();
    String url = server.url();
    // guide: connection-observer
    ConnectionObserver told =
        new ConnectionObserver() {
          @Override
          public void onLost(SocketAddress node, RedisException cause) {
            log.add("lost " + node);
          }

          @Override
          public void onConnected(SocketAddress node) {
            log.add("connected");
          }
        };
    RedisOptions options = RedisOptions.url(url).connectionObserver(told).build();
    // end
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().ping();
    }
    assertThat(log).containsExactly("connected");
  }

  @Test
  void tls() throws GeneralSecurityException {
    // guide: tls
    RedisOptions ownAuthority =
        RedisOptions.url("rediss://redis.example:6379").trust(Path.of("ca.pem")).build();

    RedisOptions withCertificate =
        RedisOptions.url("rediss://redis.example:6379")
            .trust(Path.of("ca.pem"))
            .certificate(Path.of("client.pem"), Path.of("client-key.pem")) // the key in PKCS#8
            .build();

    RedisOptions withContext =
        RedisOptions.url("rediss://redis.example:6379").tls(SSLContext.getDefault()).build();
    // end
    assertThat(List.of(ownAuthority, withCertificate, withContext)).allMatch(RedisOptions::usesTls);
  }

  // ---- the guide itself

  @Test
  void guide_saysWhatIsTestedHere() throws IOException {
    Map<String, String> tested = regions(Files.readString(SELF));
    Map<String, String> told = blocks(Files.readString(GUIDE));
    assertThat(told).isEqualTo(tested);
  }

  private static Map<String, String> regions(String source) {
    Map<String, String> regions = new LinkedHashMap<>();
    Matcher region = Pattern.compile("(?ms)^ *// guide: (\\S+)\n(.*?)^ *// end$").matcher(source);
    while (region.find()) regions.put(region.group(1), dedented(region.group(2)));
    return regions;
  }

  private static String dedented(String lines) {
    return lines.stripTrailing().stripIndent() + "\n";
  }

  /** Every block of Java must have a name. */
  private static Map<String, String> blocks(String guide) {
    Map<String, String> blocks = new LinkedHashMap<>();
    Matcher block =
        Pattern.compile("(?ms)^(?:<!-- (\\S+) -->\n)?```java\n(.*?)^```$").matcher(guide);
    while (block.find()) blocks.put(String.valueOf(block.group(1)), block.group(2));
    return blocks;
  }
}
