package dev.kermes.client;

import static dev.kermes.client.Echo.echo;
import static dev.kermes.testing.ScriptedPeer.ECHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of earlier clients, each tested against a scripted peer. */
@Timeout(60)
class ConnectionFaultsTest {
  private static RedisException failureOf(RedisClient redis, Command<@Nullable Object> command) {
    return Failures.<@Nullable Object>of(redis, command);
  }

  @Test
  void reply_nullArray_isNilAndConnectionSurvives() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) ->
            conversation.reply(request.getFirst().equals("NIL") ? "*-1\r\n" : "+PONG\r\n");
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(redis.call(Command.of("NIL"))).isNull();
      assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void loss_midReply_failsInFlightAsMaybeExecuted() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (conversation.number() > 1) {
            conversation.bulk(request.getLast());
          } else if (request.getLast().equals("3")) {
            conversation.reply("$100\r\nonly the beginning");
            conversation.hangUp();
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      List<RedisFuture<@Nullable Object>> futures = new ArrayList<>();
      for (int i = 1; i <= 3; i++) futures.add(redis.send(echo(Integer.toString(i))));
      for (RedisFuture<@Nullable Object> future : futures) {
        assertThat(Failures.of(future))
            .isInstanceOfSatisfying(
                ConnectionLostException.class, e -> assertThat(e.mayHaveExecuted()).isTrue());
      }
      assertThat(redis.call(echo("after"))).isEqualTo("after");
      assertThat(peer.accepted()).isEqualTo(2);
    }
  }

  @Test
  void loss_beforeWriting_keepsTheCommandForTheNextConnection() {
    int port = Ports.free();
    RedisOptions options =
        RedisOptions.url("redis://127.0.0.1:" + port).backoffMax(Duration.ofMillis(20)).build();
    try (RedisClient redis = RedisClient.open(options)) {
      RedisFuture<@Nullable Object> early = redis.send(Command.of("PING"));
      try (RealRedis server = RealRedis.startOn(port)) {
        assertThat(early.join()).isEqualTo("PONG");
        assertThat(server.port()).isEqualTo(port);
      }
    }
  }

  @Test
  void disconnected_withoutQueueing_failsAtOnceAsNotExecuted() {
    RedisOptions options =
        RedisOptions.url("redis://127.0.0.1:" + Ports.free())
            .queuesWhileDisconnected(false)
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(failureOf(redis, Command.of("PING")))
          .isInstanceOfSatisfying(
              ConnectionLostException.class, e -> assertThat(e.mayHaveExecuted()).isFalse());
    }
  }

  @Test
  void timeout_lateReply_isDroppedAndNothingShifts() throws IOException {
    Semaphore release = new Semaphore(0);
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getLast().equals("slow")) release.acquireUninterruptibly();
          conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      redis.call(echo("connected"));
      RedisFuture<@Nullable Object> slow =
          redis.send(echo("slow").withTimeout(Duration.ofMillis(50)));
      RedisFuture<@Nullable Object> behind = redis.send(echo("behind"));
      assertThat(Failures.of(slow))
          .isInstanceOfSatisfying(
              CommandTimeoutException.class, e -> assertThat(e.mayHaveExecuted()).isTrue());
      release.release();
      assertThat(behind.join()).isEqualTo("behind");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void timeout_whileNotConnected_isNotExecuted() {
    RedisOptions options =
        RedisOptions.url("redis://127.0.0.1:" + Ports.free())
            .commandTimeout(Duration.ofMillis(100))
            .build();
    try (RedisClient redis = RedisClient.open(options)) {
      assertThat(failureOf(redis, Command.of("PING")))
          .isInstanceOfSatisfying(
              CommandTimeoutException.class, e -> assertThat(e.mayHaveExecuted()).isFalse())
          .hasMessageContaining("Connection refused");
    }
  }

  @Test
  void cancel_inFlight_neverShiftsReplies() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(ECHO);
        RedisClient redis = RedisClient.open(peer.url())) {
      for (int round = 0; round < 200; round++) {
        List<RedisFuture<@Nullable Object>> futures = new ArrayList<>();
        for (int i = 0; i < 50; i++) futures.add(redis.send(echo(round + ":" + i)));
        for (int i = 0; i < 50; i += 2) futures.get(i).cancel(false);
        for (int i = 1; i < 50; i += 2) {
          assertThat(futures.get(i).join()).isEqualTo(round + ":" + i);
        }
      }
    }
  }

  @Test
  void encodeFailure_failsOnlyItsOwnCommand() throws IOException {
    Codec<String> broken =
        new Codec<>() {
          @Override
          public byte[] encode(String value) {
            throw new IllegalStateException("no bytes for " + value);
          }

          @Override
          public String decode(byte[] bytes, int offset, int length) {
            return "";
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(ECHO);
        RedisClient redis = RedisClient.open(peer.url())) {
      RedisFuture<@Nullable Object> before = redis.send(echo("before"));
      RedisFuture<@Nullable Object> failing =
          redis.send(CommandBuilder.of("ECHO").value(broken, "x").build(Replies.any()));
      RedisFuture<@Nullable Object> after = redis.send(echo("after"));
      assertThat(Failures.of(failing)).isInstanceOf(EncodeException.class);
      assertThat(before.join()).isEqualTo("before");
      assertThat(after.join()).isEqualTo("after");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void decodeFailure_failsOnlyItsOwnCommand() throws IOException {
    try (ScriptedPeer peer = new ScriptedPeer(ECHO);
        RedisClient redis = RedisClient.open(peer.url())) {
      RedisFuture<Long> failing = redis.send(echo("no number").decodedBy(Replies.integer()));
      RedisFuture<@Nullable Object> after = redis.send(echo("after"));
      assertThat(Failures.of(failing)).isInstanceOf(DecodeException.class);
      assertThat(after.join()).isEqualTo("after");
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void peer_silent_isReplaced() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (conversation.number() > 1) conversation.bulk(request.getLast());
        };
    RedisOptions.Builder options;
    try (ScriptedPeer peer = new ScriptedPeer(script)) {
      options = RedisOptions.url(peer.url()).deadPeerTimeout(Duration.ofMillis(100));
      try (RedisClient redis = RedisClient.open(options.build())) {
        assertThat(failureOf(redis, echo("into the void")))
            .isInstanceOf(ConnectionLostException.class)
            .hasMessageContaining("peer is silent");
        assertThat(redis.call(echo("back"))).isEqualTo("back");
      }
    }
  }

  @Test
  void peer_sendsGarbage_failsInFlightAndIsReplaced() throws IOException {
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (conversation.number() > 1) conversation.bulk(request.getLast());
          else conversation.reply("HTTP/1.1 400 Bad Request\r\n\r\n");
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      assertThat(failureOf(redis, echo("x"))).isInstanceOf(RedisProtocolException.class);
      assertThat(redis.call(echo("back"))).isEqualTo("back");
    }
  }

  @Test
  void queue_full_failsOrWaitsAsConfigured() throws Exception {
    Semaphore release = new Semaphore(0);
    ScriptedPeer.Script script =
        (conversation, request) -> {
          release.acquireUninterruptibly();
          conversation.bulk(request.getLast());
        };
    try (ScriptedPeer peer = new ScriptedPeer(script)) {
      RedisOptions.Builder options = RedisOptions.url(peer.url()).queueMax(2);
      try (RedisClient redis =
          RedisClient.open(options.overflow(RedisOptions.Overflow.FAIL).build())) {
        RedisFuture<@Nullable Object> one = redis.send(echo("1"));
        RedisFuture<@Nullable Object> two = redis.send(echo("2"));
        assertThat(failureOf(redis, echo("3"))).isInstanceOf(QueueFullException.class);
        release.release(2);
        assertThat(one.join()).isEqualTo("1");
        assertThat(two.join()).isEqualTo("2");
      }
      try (RedisClient redis =
          RedisClient.open(options.overflow(RedisOptions.Overflow.WAIT).build())) {
        redis.send(echo("1"));
        redis.send(echo("2"));
        CountDownLatch sent = new CountDownLatch(1);
        Thread waiting =
            Thread.ofPlatform()
                .start(() -> {
                  redis.send(echo("3"));
                  sent.countDown();
                });
        while (waiting.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        assertThat(sent.getCount()).isEqualTo(1);
        release.release(3);
        sent.await();
      }
    }
  }

  @Test
  void handshake_unknownHello_fallsBackToResp2() throws Exception {
    try (ScriptedPeer server =
            ScriptedPeer.replying(
                List.of(
                    "-ERR unknown command 'HELLO'\r\n",
                    "+OK\r\n",
                    "+OK\r\n",
                    "-ERR no\r\n",
                    "-ERR no\r\n",
                    "+PONG\r\n"));
        RedisClient redis =
            RedisClient.open("redis://u:p@127.0.0.1:" + server.port() + "/?name=n")) {
      assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
      assertThat(server.requests().subList(1, 3))
          .containsExactly(List.of("AUTH", "u", "p"), List.of("CLIENT", "SETNAME", "n"));
    }
  }

  @Test
  void handshake_wrongPassword_failsQueuedCommandsWithServerError() {
    try (RealRedis server = RealRedis.start("--requirepass", "secret");
        RedisClient wrong = RedisClient.open("redis://:oops@127.0.0.1:" + server.port());
        RedisClient right = RedisClient.open("redis://:secret@127.0.0.1:" + server.port())) {
      assertThatThrownBy(() -> wrong.call(Command.of("PING")))
          .isInstanceOf(ServerErrorException.class)
          .hasMessageStartingWith("WRONGPASS");
      assertThat(right.call(Command.of("PING"))).isEqualTo("PONG");
    }
  }

  @Test
  void open_unixSocket_withDatabase(@org.junit.jupiter.api.io.TempDir Path folder) {
    Path socket = folder.resolve("redis.sock");
    try (RealRedis server = RealRedis.start("--unixsocket", socket.toString());
        RedisClient redis = RedisClient.open("redis-socket://" + socket + "?db=2");
        RedisClient other = RedisClient.open(server.url() + "/2")) {
      assertThat(redis.call(Command.of("SET", "via", "socket"))).isEqualTo("OK");
      assertThat(other.call(Command.of("GET", "via"))).isEqualTo("socket");
    }
  }

  @Test
  void url_forms() {
    RedisOptions full = RedisOptions.url("rediss://us%40er:p%3Aw@host:7000/5").build();
    assertThat(full.user()).isEqualTo("us@er");
    assertThat(full.password()).isEqualTo("p:w");
    assertThat(full.database()).isEqualTo(5);
    assertThat(full.usesTls()).isTrue();
    assertThat(full.address()).isEqualTo(java.net.InetSocketAddress.createUnresolved("host", 7000));
    assertThat(full.toString()).doesNotContain("p:w");
    assertThat(RedisOptions.url("redis-local://my_name").build().address())
        .isEqualTo(new io.netty.channel.local.LocalAddress("my_name"));
    for (String bad : List.of("http://host", "redis://", "redis://h/x", "redis://h?x=1", "h")) {
      assertThatThrownBy(() -> RedisOptions.url(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Each value contains its key, so that any shift of replies is detected. */
  @Test
  void randomFaults_neverShiftReplies() throws IOException {
    for (long seed = 0; seed < 8; seed++) {
      Random faults = new Random(seed);
      ScriptedPeer.Script script =
          (conversation, request) -> {
            int dice = faults.nextInt(300);
            String value = "$" + request.getLast().length() + "\r\n" + request.getLast() + "\r\n";
            if (dice == 0) conversation.hangUp();
            else if (dice == 1) {
              conversation.reply(value.substring(0, value.length() - 3));
              conversation.hangUp();
            } else if (dice < 30) {
              for (char c : value.toCharArray()) conversation.reply(String.valueOf(c));
            } else if (dice == 30) conversation.reply("!nonsense\r\n");
            else conversation.reply(value);
          };
      try (ScriptedPeer peer = new ScriptedPeer(script)) {
        faultyRun(peer, new Random(seed + 1000));
      }
    }
  }

  private static void faultyRun(ScriptedPeer peer, Random random) {
    RedisOptions options = RedisOptions.url(peer.url()).backoffFirst(Duration.ofMillis(1)).build();
    int answered = 0;
    try (RedisClient redis = RedisClient.open(options)) {
      for (int round = 0; round < 60; round++) {
        List<RedisFuture<@Nullable Object>> futures = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
          RedisFuture<@Nullable Object> future = redis.send(echo(round + ":" + i));
          futures.add(future);
          if (random.nextInt(10) == 0) future.cancel(false);
        }
        for (int i = 0; i < 30; i++) {
          Object reply = replyOrNull(futures.get(i));
          if (reply == null) continue;
          answered++;
          assertThat(reply).isEqualTo(round + ":" + i);
        }
      }
    }
    assertThat(answered).isGreaterThan(100);
  }

  private static @Nullable Object replyOrNull(RedisFuture<@Nullable Object> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      assertThat(e.getCause())
          .isInstanceOfAny(
              ConnectionLostException.class,
              RedisProtocolException.class,
              CommandCancelledException.class);
      return null;
    }
  }
}
