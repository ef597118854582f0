package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static dev.kermes.testing.ScriptedPeer.ECHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.ConnectionReporter;
import dev.kermes.client.internal.pool.DedicatedPool;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's reports on its connections: to futures, to observers and to the log. */
@SuppressWarnings("NullAway") // null is passed on purpose
@Timeout(60)
class ConnectionEventsTest {
  private static final class Heard implements ConnectionObserver {
    final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
    @Nullable RedisException last;

    @Override
    public void onConnected(SocketAddress node) {
      events.add("connected");
    }

    @Override
    public void onLost(SocketAddress node, RedisException cause) {
      events.add("lost");
    }

    @Override
    public void onFailed(SocketAddress node, RedisException cause, int attempts) {
      last = cause;
      events.add("failed " + attempts);
    }
  }

  private static Throwable failureOf(RedisClient redis, Duration limit) {
    CompletableFuture<RedisClient> connected = redis.connected().toCompletableFuture();
    try {
      connected.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    } catch (Exception e) {
      return e;
    }
    return new AssertionError("connected");
  }

  @Test
  void connected_wrongPassword_failsAtOnce() {
    try (RealRedis server = RealRedis.start("--requirepass", "right")) {
      String address = "127.0.0.1:" + server.port();
      try (RedisClient redis = RedisClient.open("redis://:wrong@" + address)) {
        assertThat(failureOf(redis, Duration.ofSeconds(5)))
            .isInstanceOf(ServerErrorException.class)
            .hasMessageStartingWith("WRONGPASS");
      }
      try (RedisClient redis = RedisClient.open("redis://" + address)) {
        assertThat(failureOf(redis, Duration.ofSeconds(5)))
            .isInstanceOf(ServerErrorException.class)
            .hasMessageStartingWith("NOAUTH")
            .hasMessageContaining("redis://:password@host");
      }
      try (RedisClient redis = RedisClient.open("redis://:right@" + address)) {
        assertThat(redis.connected().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(5));
        assertThat(redis).hasToString("RedisClient[" + address + ", connected]");
      }
    }
  }

  @Test
  void connected_serverDown_failsAtTheDeadline_andSucceedsLater() throws Exception {
    int port = Ports.free();
    RedisOptions options =
        RedisOptions.url("redis://127.0.0.1:" + port)
            .commandTimeout(Duration.ofMillis(300))
            .backoffMax(Duration.ofMillis(20))
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(failureOf(redis, Duration.ofSeconds(5)))
          .isInstanceOf(ConnectionLostException.class)
          .hasMessageContaining("address=127.0.0.1:" + port)
          .hasMessageContaining("refused");
      try (RealRedis server = RealRedis.startOn(port)) {
        RealCluster.await(() -> redis.toString().endsWith("connected]"));
        assertThat(redis.connected().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(5));
        assertThat(server.port()).isEqualTo(port);
      }
    }
  }

  @Test
  void connected_failingFast_failsAtTheFirstAttempt() {
    RedisOptions options =
        RedisOptions.url("redis://127.0.0.1:" + Ports.free())
            .queuesWhileDisconnected(false)
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(failureOf(redis, Duration.ofSeconds(5)))
          .isInstanceOf(ConnectionLostException.class);
    }
  }

  @Test
  void connected_clusterDown_failsAtTheDeadline() {
    RedisOptions options =
        RedisOptions.url("redis-cluster://127.0.0.1:" + Ports.free())
            .commandTimeout(Duration.ofMillis(300))
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(failureOf(redis, Duration.ofSeconds(5))).hasMessageContaining("refused");
    }
  }

  @Test
  void connected_closed_fails() {
    RedisClient redis = RedisClient.open("redis://127.0.0.1:" + Ports.free());
    CompletableFuture<RedisClient> before = redis.connected().toCompletableFuture();
    redis.close();
    assertThat(before)
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableThat()
        .withCauseInstanceOf(ClientClosedException.class);
    assertThat(failureOf(redis, Duration.ofSeconds(5))).isInstanceOf(ClientClosedException.class);
  }

  @Test
  void observerAndLog_reportLossAndReconnect() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getLast().equals("end")) conversation.hangUp();
          else conversation.bulk(request.getLast());
        };
    Heard heard = new Heard();
    try (OrderlyEndTest.Log log = new OrderlyEndTest.Log();
        ScriptedPeer peer = new ScriptedPeer(script)) {
      try (RedisClient redis =
          RedisClient.open(RedisOptions.url(peer.url()).connectionObserver(heard).build())) {
        redis.call(echo("x"));
        assertThat(Failures.<@Nullable Object>of(redis, echo("end")))
            .isInstanceOf(ConnectionLostException.class);
        redis.call(echo("y"));
      }
      assertThat(heard.events).containsExactly("connected", "lost", "connected");
      List<String> lines = log.of(ConnectionReporter.class);
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0)).startsWith("WARNING").contains("connection lost", "reconnecting");
      assertThat(lines.get(1)).startsWith("INFO").contains("connected to 127.0.0.1:" + peer.port());
    }
  }

  @Test
  void refusals_areLoggedOnce() throws IOException {
    AtomicBoolean isOpen = new AtomicBoolean();
    ScriptedPeer.Script handshake =
        (conversation, request) -> {
          if (isOpen.get()) ScriptedPeer.greet(conversation, request);
          else conversation.reply("-WRONGPASS no\r\n");
        };
    Heard heard = new Heard();
    try (OrderlyEndTest.Log log = new OrderlyEndTest.Log();
        ScriptedPeer peer = new ScriptedPeer(ECHO, handshake)) {
      RedisOptions options =
          RedisOptions.url(peer.url())
              .connectionObserver(heard)
              .backoffFirst(Duration.ofMillis(1))
              .backoffMax(Duration.ofMillis(5))
              .build();
      try (RedisClient redis = RedisClient.open(options)) {
        RealCluster.await(() -> heard.events.contains("failed 20"));
        assertThat(log.of(ConnectionReporter.class))
            .hasSize(1)
            .first()
            .asString()
            .contains("WRONGPASS");
        isOpen.set(true);
        RealCluster.await(() -> isConnected(redis)); // not immediately if a refusal is on its way
        assertThat(log.of(ConnectionReporter.class)).hasSize(2);
      }
      assertThat(Objects.requireNonNull(heard.last)).hasMessageContaining("WRONGPASS no");
    }
  }

  private static boolean isConnected(RedisClient redis) {
    return redis
        .connected()
        .handle((done, failure) -> failure == null)
        .toCompletableFuture()
        .join();
  }

  @Test
  void waitForDedicatedConnection_isLogged() throws Exception {
    try (OrderlyEndTest.Log log = new OrderlyEndTest.Log();
        RealRedis server = RealRedis.start()) {
      RedisOptions options = RedisOptions.url(server.url()).blockingMax(1).build();
      try (RedisClient redis = RedisClient.open(options)) {
        redis.send(Command.of("BLPOP", "q", "0"));
        for (int i = 0; i < 10; i++) redis.send(Command.of("BLPOP", "q", "0"));
        RealCluster.await(() -> !log.of(DedicatedPool.class).isEmpty());
      }
      assertThat(log.of(DedicatedPool.class))
          .hasSize(1)
          .first()
          .asString()
          .contains("blockingMax=1");
    }
  }

  @Test
  void shutdown_endsNormally() {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      assertThat(redis.call(Command.of("SHUTDOWN", "NOSAVE"))).isEqualTo("OK");
    }
  }

  // ---- messages

  @Test
  void url_errors_nameThePartAndNeverThePassword() {
    for (String[] each :
        new String[][] {
          {"redis://localhost:abc", "port=abc"},
          {"redis://localhost/x", "database=x"},
          {"redis://:secret@localhost/x", "database=x"},
          {"redis://:se/cret@localhost", "%2F"},
          {"redis://:se#cret@localhost", "%23"},
          {"redis://:secret@localhost:70000", "port"},
          {"redis://user:secret@", "host"},
          {"redis-socket:///s?password=secret&no=1", "no"},
          {"localhost", "redis://"},
          {"redis://:sec ret@localhost", "not a URL"},
        }) {
      assertThatThrownBy(() -> RedisOptions.url(each[0]))
          .as(each[0])
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(each[1])
          .hasMessageNotContaining("secret")
          .hasMessageNotContaining("cret@")
          .hasMessageNotContaining("sec ret");
    }
    assertThat(RedisOptions.url("redis://:p@ss@localhost").build().password()).isEqualTo("p@ss");
  }

  @Test
  void nullArgument_isNamedInFailure() {
    Command<?> command =
        CommandBuilder.of("SET").text("k").value(Codec.utf8(), null).build(Replies.ok());
    assertThat(Objects.requireNonNull(EncodedCommand.of(command).failure()))
        .hasMessage("argument is null: command=SET, index=2")
        .hasNoCause();
  }

  @Test
  void failure_thrownToCaller_isReportedOnce() throws Exception {
    try (RealRedis server = RealRedis.start();
        RedisClient redis = RedisClient.open(server.url())) {
      redis.blocking().rpush("l", "x");
      assertThatThrownBy(() -> redis.blocking().get("l"))
          .isInstanceOf(ServerErrorException.class)
          .hasNoCause()
          .satisfies(e ->
              assertThat(e.getStackTrace()[0].getClassName())
                  .isEqualTo(RedisClient.class.getName()));
    }
  }

  @Test
  void toString_describesState() {
    SubscriptionEvent.Message message =
        new SubscriptionEvent.Message(null, "news", new byte[] {1, 2, 3});
    assertThat(message).hasToString("Message[news, 3 bytes]");
    try (RedisClient redis = RedisClient.open("redis://:secret@127.0.0.1:1");
        ReadCache cache = redis.cache(Duration.ofMinutes(1), 1000)) {
      assertThat(redis).hasToString("RedisClient[127.0.0.1:1, connecting]");
      assertThat(cache).hasToString("ReadCache[replies=0, hits=0, misses=0]");
      assertThat(redis.options().toString()).doesNotContain("secret");
    }
  }
}
