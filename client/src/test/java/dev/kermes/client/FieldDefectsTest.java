package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static dev.kermes.testing.ScriptedPeer.ECHO;
import static dev.kermes.testing.ScriptedPeer.bulkOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The thirteen groups of defects of redis-async 0.3 and JRESP, the predecessors of this client: at
 * least one test for each, against a scripted peer.
 */
@Timeout(60)
class FieldDefectsTest {
  private static final Commands<String, String> C = new Commands<>(Codec.utf8(), Codec.utf8());

  @Test
  @DisplayName(
      "1 null array: a BLPOP that times out and an aborted EXEC end nothing but themselves")
  void nullArray() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          switch (request.getFirst()) {
            case "MULTI", "WATCH" -> conversation.reply("+OK\r\n");
            case "SET" -> conversation.reply("+QUEUED\r\n");
            case "BLPOP", "EXEC" -> conversation.reply("*-1\r\n");
            default -> conversation.bulk(request.getLast());
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(redis.blocking().blpop(List.of("k"), 1)).isNull();
      TransactionResult result = redis.transaction(List.of(C.set("k", "v"))).join();
      assertThat(result.isAborted()).isTrue();
      assertThat(redis.call(echo("alive"))).isEqualTo("alive");
      assertThat(peer.accepted()).isEqualTo(2); // the shared one, and one that both borrowed
    }
  }

  @Test
  @DisplayName("2 back-pressure: a slow subscriber loses only its own oldest messages")
  void slowSubscriber() throws Exception {
    int flood = 20_000;
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getFirst().equals("SUBSCRIBE")) {
            conversation.confirm(request);
            for (int i = 0; i < flood; i++) conversation.push("message", "c", "m" + i);
            conversation.push("message", "c", "last");
          } else {
            conversation.bulk(request.getLast());
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url());
        Subscription slow = redis.subscribe(List.of("c"), 8)) {
      RealCluster.await(() -> slow.dropped() == flood + 1 - 7); // 7 and the confirmation are kept
      assertThat(redis.call(echo("alive"))).isEqualTo("alive");
      assertThat(slow.take()).isEqualTo(new SubscriptionEvent.Dropped(flood + 1 - 7));
    }
  }

  @Test
  @DisplayName("2 back-pressure: commands queued for a peer that does not answer are bounded")
  void queueIsBounded() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer((conversation, request) -> {});
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(peer.url())
                    .queueMax(100)
                    .overflow(RedisOptions.Overflow.FAIL)
                    .build())) {
      List<RedisFuture<@Nullable Object>> taken = new ArrayList<>();
      for (int i = 0; i < 100; i++) taken.add(redis.send(echo("x")));
      assertThat(Failures.<@Nullable Object>of(redis, echo("x")))
          .isInstanceOf(QueueFullException.class);
      assertThat(taken).noneMatch(RedisFuture::isDone);
    }
  }

  @Test
  @DisplayName("3 lost connection: an error for each pending command, never a nil or a value")
  void lostConnection() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getLast().equals("hang up")) conversation.hangUp();
          else if (conversation.number() > 1) conversation.reply("$-1\r\n");
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      List<RedisFuture<@Nullable Object>> pending = new ArrayList<>();
      for (int i = 0; i < 10; i++) pending.add(redis.send(echo("waits")));
      pending.add(redis.send(echo("hang up")));
      for (RedisFuture<@Nullable Object> each : pending) {
        assertThat(Failures.of(each)).isInstanceOf(ConnectionLostException.class);
      }
      assertThat(redis.call(echo("nil"))).isNull();
    }
  }

  @Test
  @DisplayName(
      "4 blocking inside: opening, sending and subscribing return before there is a server")
  void neverBlocksTheCaller() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      RedisClient redis =
          RedisClient.open("redis://user:pw@127.0.0.1:" + silent.getLocalPort() + "/3");
      Subscription reporter = redis.subscribe("c");
      List<RedisFuture<?>> sent =
          List.of(
              redis.send(echo("shared")),
              redis.send(C.blpop(List.of("k"), 0)),
              redis.sendAll(List.of(echo("batch"))),
              redis.transaction(List.of(C.ping())));
      assertThat(sent).noneMatch(RedisFuture::isDone);
      assertThat(reporter.confirmed().toCompletableFuture()).isNotDone();
      redis.close();
      for (RedisFuture<?> each : sent) {
        assertThat(Failures.of(each)).isInstanceOf(ClientClosedException.class);
      }
    }
  }

  @Test
  @DisplayName("4 blocking inside: a stage may wait for another command")
  void stageMayWait() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(ECHO);
        RedisClient redis = RedisClient.open(peer.url())) {
      RedisFuture<String> one = redis.send(C.echo("1"));
      assertThat(one.thenApply(text -> redis.call(C.echo(text + "2"))).toCompletableFuture().join())
          .isEqualTo("12");
    }
  }

  @Test
  @DisplayName("5 reconnect: commands continue and subscriptions resume on a new connection")
  void reconnects() throws Exception {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          switch (request.getFirst()) {
            case "SUBSCRIBE" -> {
              conversation.confirm(request);
              if (conversation.number() < 3) conversation.hangUp();
              else conversation.push("message", "c", "again");
            }
            default -> conversation.bulk(request.getLast());
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(redis.call(echo("x"))).isEqualTo("x");
      Subscription reporter = redis.subscribe("c");
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
      assertThat(reporter.take()).isInstanceOf(SubscriptionEvent.Lost.class);
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Confirmed("c"));
      assertThat(reporter.take()).isEqualTo(new SubscriptionEvent.Resumed());
      assertThat(((SubscriptionEvent.Message) Objects.requireNonNull(reporter.take())).text())
          .isEqualTo("again");
    }
  }

  @Test
  @DisplayName(
      "6 connection state: commands that block or change their connection have one of their own")
  void connectionState() throws IOException {
    List<String> shared = new CopyOnWriteArrayList<>();
    List<String> others = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          (conversation.number() == 1 ? shared : others).add(request.getFirst());
          conversation.reply(request.getFirst().startsWith("B") ? "*-1\r\n" : "+OK\r\n");
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      redis.call(echo("first"));
      for (String word : List.of("WATCH", "SELECT", "AUTH", "MULTI", "QUIT", "SUBSCRIBE")) {
        assertThatThrownBy(() -> redis.send(Command.of(word, "1")))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> redis.send(Command.of("CLIENT", "REPLY", "OFF")))
          .isInstanceOf(IllegalArgumentException.class);
      redis.call(C.blpop(List.of("k"), 1));
      redis.call(Command.of("XREAD", "BLOCK", "1", "STREAMS", "s", "$"));
      redis.call(Command.of("WAIT", "1", "1"));
      try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
        own.send(Command.of("WATCH", "k")).join();
      }
      assertThat(shared).containsExactly("ECHO");
      assertThat(others).startsWith("BLPOP", "XREAD", "WAIT", "WATCH");
    }
  }

  @Test
  @DisplayName("7 transactions: a value that any thread may send; a typed result per command")
  void transactions() throws Exception {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          switch (request.getFirst()) {
            case "MULTI" -> conversation.reply("+OK\r\n");
            case "EXEC" -> conversation.reply("*3\r\n:5\r\n-WRONGTYPE no list\r\n$1\r\nv\r\n");
            default -> conversation.reply("+QUEUED\r\n");
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      List<Command<?>> commands = List.of(C.incr("n"), C.lpop("s"), C.get("k"));
      RedisFuture<TransactionResult> sent = redis.transaction(commands);
      List<@Nullable Object> replies = new CopyOnWriteArrayList<>();
      Thread.ofPlatform().start(() -> replies.addAll(sent.join().replies())).join();
      assertThat(replies.get(0)).isEqualTo(5L);
      assertThat(replies.get(1)).isInstanceOf(ServerErrorException.class);
      assertThat(replies.get(2)).isEqualTo("v");
    }
  }

  @Test
  @DisplayName("8 pub/sub: several channels, several subscribers, confirmed, closed twice, sharded")
  void pubSub() throws Exception {
    List<String> requests = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          requests.add(String.join(" ", request));
          if (request.getFirst().endsWith("UNSUBSCRIBE")) return;
          conversation.confirm(request);
          conversation.push(
              request.getFirst().equals("SSUBSCRIBE") ? "smessage" : "message",
              request.get(1),
              "to " + request.get(1));
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      Subscription both = redis.subscribe("a", "b");
      Subscription shard = redis.ssubscribe("a");
      assertThat(both.confirmed().toCompletableFuture().join()).isSameAs(both);
      Subscription second = redis.subscribe("a");
      second.confirmed().toCompletableFuture().join();
      assertThat(textsOf(both, 4)).containsExactly("a", "to a", "b", "to b");
      assertThat(textsOf(shard, 2)).containsExactly("a", "to a");
      second.close();
      second.close();
      both.close();
      RealCluster.await(() -> requests.contains("UNSUBSCRIBE b"));
      assertThat(requests)
          .containsExactlyInAnyOrder(
              "SUBSCRIBE a", "SUBSCRIBE b", "SSUBSCRIBE a", "UNSUBSCRIBE a", "UNSUBSCRIBE b");
    }
  }

  /** Channels confirmed and texts of messages. */
  private static List<String> textsOf(Subscription reporter, int count)
      throws InterruptedException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(
          switch (Objects.requireNonNull(reporter.take())) {
            case SubscriptionEvent.Confirmed confirmed -> confirmed.channel();
            case SubscriptionEvent.Message message -> message.text();
            case SubscriptionEvent other -> other.toString();
          });
    }
    return texts;
  }

  @Test
  @DisplayName("9 scripts: known by content, loaded by the first caller, used by many at once")
  void scripts() throws Exception {
    AtomicInteger evals = new AtomicInteger();
    List<String> known = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getFirst().equals("EVAL")) {
            evals.incrementAndGet();
            known.add(Script.of(request.get(1), Replies.any()).sha1());
          } else if (!known.contains(request.get(1))) {
            conversation.reply("-NOSCRIPT No matching script\r\n");
            return;
          }
          conversation.bulk(request.getLast());
        };
    Script<@Nullable Object> one = Script.of("return ARGV[1]", Replies.any());
    Script<@Nullable Object> other = Script.of("return ARGV[1] -- other", Replies.any());
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      List<RedisFuture<@Nullable Object>> runs = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        runs.add(redis.run(i % 2 == 0 ? one : other, List.of("k"), List.of("v" + i)));
      }
      for (int i = 0; i < 50; i++) assertThat(runs.get(i).join()).isEqualTo("v" + i);
      int before = evals.get();
      assertThat(redis.run(one, List.of("k"), List.of("again")).join()).isEqualTo("again");
      assertThat(evals).hasValue(before);
    }
  }

  @Test
  @DisplayName("10 arguments: bytes as they are, numbers as bulks, null refused")
  void arguments() throws IOException {
    byte[] binary = new byte[256];
    for (int i = 0; i < 256; i++) binary[i] = (byte) i;
    List<List<String>> requests = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          requests.add(request);
          conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      Commands<byte[], byte[]> bytes = new Commands<>(Codec.bytes(), Codec.bytes());
      assertThat(redis.call(bytes.getset(binary, binary))).isEqualTo(binary);
      redis.send(C.incrby("k", Long.MIN_VALUE));
      redis.call(echo("Keeps Its Case"));
      assertThat(requests.get(0).get(1)).isEqualTo(new String(binary, ISO_8859_1));
      assertThat(requests.get(1)).containsExactly("INCRBY", "k", "-9223372036854775808");
      assertThat(requests.get(2)).containsExactly("ECHO", "Keeps Its Case");
      @SuppressWarnings("NullAway") // what callers from other languages may do
      RedisFuture<?> refused = redis.send(C.get(null));
      assertThat(Failures.of(refused)).isInstanceOf(EncodeException.class);
      assertThat(requests).hasSize(3);
    }
  }

  @Test
  @DisplayName("11 nil: null, an error and a lost connection are three different things")
  void nil() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          switch (request.getLast()) {
            case "nil" -> conversation.reply("$-1\r\n");
            case "nil of RESP3" -> conversation.reply("_\r\n");
            case "empty" -> conversation.bulk("");
            case "error" -> conversation.reply("-ERR no\r\n");
            default -> conversation.hangUp();
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(redis.call(C.get("nil"))).isNull();
      assertThat(redis.call(C.get("nil of RESP3"))).isNull();
      assertThat(redis.call(C.get("empty"))).isEmpty();
      assertThat(Failures.of(redis, C.set("k", "error"))).isInstanceOf(ServerErrorException.class);
      assertThat(Failures.of(redis, C.set("k", "gone")))
          .isInstanceOf(ConnectionLostException.class);
    }
  }

  @Test
  @DisplayName("12 I/O: replies in any pieces, requests of any size, memory given back")
  void io() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          String wire = bulkOf(request.getLast());
          int piece = Math.max(1, wire.length() / 7);
          for (int i = 0; i < wire.length(); i += piece) {
            conversation.reply(wire.substring(i, Math.min(wire.length(), i + piece)));
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      List<Integer> sizes = List.of(0, 1, 1460, 1461, 16_384, 32_000, 65_536, 5_000_000, 3);
      List<RedisFuture<@Nullable Object>> sent = new ArrayList<>();
      for (int size : sizes) sent.add(redis.send(echo("x".repeat(size))));
      for (int i = 0; i < sizes.size(); i++) {
        assertThat(sent.get(i).join()).isEqualTo("x".repeat(sizes.get(i)));
      }
    }
  }

  @Test
  @DisplayName("13 absent: RESP3, users, names, databases, deadlines and cancellation are there")
  void absent() throws Exception {
    try (ScriptedPeer server =
            ScriptedPeer.replying(
                List.of("%0\r\n", "+OK\r\n", "+OK\r\n", "+OK\r\n", "#t\r\n", "", ""));
        RedisClient redis =
            RedisClient.open("redis://u:p@127.0.0.1:" + server.port() + "/4?name=n")) {
      assertThat(redis.call(Command.of("TRUTH"))).isEqualTo(true);
      assertThat(server.requests().subList(0, 2))
          .containsExactly(
              List.of("HELLO", "3", "AUTH", "u", "p", "SETNAME", "n"), List.of("SELECT", "4"));
      RedisFuture<@Nullable Object> late =
          redis.send(echo("late").withTimeout(Duration.ofMillis(30)));
      assertThat(Failures.of(late)).isInstanceOf(CommandTimeoutException.class);
      RedisFuture<@Nullable Object> unwanted = redis.send(echo("unwanted"));
      assertThat(unwanted.cancel(false)).isTrue();
      assertThat(Failures.of(unwanted)).isInstanceOf(CommandCancelledException.class);
    }
  }
}
