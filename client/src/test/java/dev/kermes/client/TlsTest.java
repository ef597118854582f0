package dev.kermes.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.TestIdentity;
import dev.kermes.testing.TlsProxy;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client over {@code rediss://}, through a proxy that terminates TLS in front of our server.
 */
@Timeout(60)
class TlsTest {
  /** A refusal must arrive well within this time; a command left in the queue would take longer. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  @TempDir private static Path folder;
  private static TestIdentity localhost;
  private static TestIdentity elsewhere;
  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    localhost = TestIdentity.ofLocalhost(folder);
    elsewhere = TestIdentity.of(folder, "elsewhere", "dns:elsewhere.example");
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static SSLContext trusting(TestIdentity identity) throws Exception {
    return identity.clientContext();
  }

  private static RedisOptions.Builder options(String host, int port) {
    return RedisOptions.url("rediss://" + host + ":" + port)
        .connectTimeout(CONNECT_TIMEOUT)
        .commandTimeout(Duration.ofSeconds(50));
  }

  private static RedisException failureWithin(Duration limit, RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      RedisFuture<@Nullable Object> ping = redis.send(Command.of("PING"));
      assertThatThrownBy(
              () -> ping.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS))
          .isInstanceOf(ExecutionException.class);
      return Objects.requireNonNull(ping.failure());
    }
  }

  private static void assertRefused(
      RedisException failure, Class<? extends Throwable> cause, String text) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            ConnectionLostException.class, e -> assertThat(e.mayHaveExecuted()).isFalse())
        .hasMessageStartingWith("no TLS connection: address=")
        .hasMessageContaining(text)
        .hasCauseInstanceOf(cause);
  }

  // ---- trusted

  @Test
  void trusted_byHostName_setsAndGets() throws Exception {
    assertSetsAndGets("localhost");
  }

  @Test
  void trusted_byAddress_setsAndGets() throws Exception {
    assertSetsAndGets("127.0.0.1");
  }

  private static void assertSetsAndGets(String host) throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port());
        RedisClient redis =
            RedisClient.open(options(host, proxy.port()).tls(trusting(localhost)).build())) {
      String large = "x".repeat(300_000); // many TLS records
      redis.blocking().set(host, large);
      assertThat(redis.blocking().get(host)).isEqualTo(large);
      assertThat(proxy.accepted()).isEqualTo(1);
    }
  }

  @Test
  void trusted_dedicatedConnections_areEncryptedAsWell() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port());
        RedisClient redis =
            RedisClient.open(options("localhost", proxy.port()).tls(trusting(localhost)).build())) {
      RedisFuture<@Nullable Object> pop = redis.send(Command.of("BLPOP", "tls-list", "0"));
      redis.blocking().rpush("tls-list", "element");
      assertThat(pop.join()).isEqualTo(List.of("tls-list", "element"));
      assertThat(proxy.accepted()).isEqualTo(2);
    }
  }

  // ---- refused

  @Test
  void untrusted_byTheJvm_failsAtOnce() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port())) {
      RedisException failure =
          failureWithin(CONNECT_TIMEOUT, options("localhost", proxy.port()).build());
      assertRefused(failure, SSLHandshakeException.class, "certification path");
    }
  }

  @Test
  void untrusted_byTheGivenContext_failsAtOnce() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port())) {
      RedisOptions options = options("localhost", proxy.port()).tls(trusting(elsewhere)).build();
      RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
      assertRefused(failure, SSLHandshakeException.class, "");
    }
  }

  @Test
  void untrusted_blockingCommand_failsAtOnce() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port());
        RedisClient redis = RedisClient.open(options("localhost", proxy.port()).build())) {
      RedisFuture<@Nullable Object> pop = redis.send(Command.of("BLPOP", "none", "0"));
      assertThatThrownBy(() ->
              pop.toCompletableFuture().get(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
          .isInstanceOf(ExecutionException.class);
      assertRefused(
          Objects.requireNonNull(pop.failure()), SSLHandshakeException.class, "certification path");
    }
  }

  @Test
  void otherHostName_isRefused() throws Exception {
    try (TlsProxy proxy = new TlsProxy(elsewhere, server.port())) {
      RedisOptions options = options("localhost", proxy.port()).tls(trusting(elsewhere)).build();
      RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
      assertRefused(failure, SSLHandshakeException.class, "localhost");
    }
  }

  @Test
  void otherHostName_unchecked_isAccepted() throws Exception {
    try (TlsProxy proxy = new TlsProxy(elsewhere, server.port())) {
      RedisOptions.Builder options = options("localhost", proxy.port()).verifiesHost(false);
      for (RedisOptions each :
          List.of(
              options.tls(trusting(elsewhere)).build(),
              options.trust(elsewhere.pem(folder)).build())) {
        try (RedisClient redis = RedisClient.open(each)) {
          assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
        }
      }
    }
  }

  @Test
  void trust_pemFile_isTrustedForItsHostOnly() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port());
        RedisClient redis =
            RedisClient.open(
                options("localhost", proxy.port()).trust(localhost.pem(folder)).build())) {
      assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
    }
    try (TlsProxy proxy = new TlsProxy(elsewhere, server.port())) {
      RedisOptions options =
          options("localhost", proxy.port()).trust(elsewhere.pem(folder)).build();
      assertRefused(
          failureWithin(CONNECT_TIMEOUT, options), SSLHandshakeException.class, "localhost");
    }
  }

  @Test
  void trust_missingFile_isNamed() {
    RedisOptions options = options("localhost", 1).trust(Path.of("no", "such.pem")).build();
    assertThatThrownBy(() -> RedisClient.open(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such.pem");
  }

  @Test
  void certificate_isPresentedToServer() throws Exception {
    try (TlsProxy proxy = TlsProxy.askingFor(elsewhere, localhost, server.port());
        RedisClient redis =
            RedisClient.open(
                options("localhost", proxy.port())
                    .trust(localhost.pem(folder))
                    .certificate(elsewhere.pem(folder), elsewhere.keyPem(folder))
                    .build())) {
      assertThat(redis.call(Command.of("PING"))).isEqualTo("PONG");
    }
  }

  @Test
  void untrusted_messageGivesAdvice() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port())) {
      RedisException failure =
          failureWithin(CONNECT_TIMEOUT, options("localhost", proxy.port()).build());
      assertThat(failure).hasMessageContaining("RedisOptions.trust");
    }
  }

  @Test
  void plainClient_toTlsServer_messageGivesAdvice() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port())) {
      RedisOptions options =
          RedisOptions.url("redis://localhost:" + proxy.port())
              .commandTimeout(Duration.ofSeconds(2))
              .build();
      RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
      assertThat(failure).hasMessageContaining("rediss://");
    }
  }

  // ---- no TLS at the other end

  /**
   * A server without TLS reacts to a TLS greeting depending on whether the greeting contains a
   * newline.
   */
  @Test
  void plainText_ourServer_failsClearly() {
    RedisOptions options =
        options("localhost", server.port())
            .connectTimeout(Duration.ofMillis(200))
            .commandTimeout(Duration.ofSeconds(1))
            .build();
    RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
    assertThat(failure)
        .isInstanceOfAny(ConnectionLostException.class, CommandTimeoutException.class)
        .hasMessageContaining("TLS");
  }

  @Test
  void plainText_answered_failsAtOnce() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerInPlainText(plain));
      RedisOptions options = options("localhost", plain.getLocalPort()).build();
      RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
      assertRefused(failure, NotSslRecordException.class, "the server does not speak TLS");
    }
  }

  private static void answerInPlainText(ServerSocket plain) {
    try {
      while (true) {
        try (Socket socket = plain.accept()) {
          socket.getOutputStream().write("-ERR unknown command\r\n".getBytes(ISO_8859_1));
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
      }
    } catch (IOException e) {
      // closed
    }
  }

  @Test
  void silence_isNamedInCommandTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      RedisOptions options =
          options("localhost", silent.getLocalPort())
              .connectTimeout(Duration.ofMillis(100))
              .commandTimeout(Duration.ofSeconds(2))
              .build();
      RedisException failure = failureWithin(CONNECT_TIMEOUT, options);
      assertThat(failure)
          .isInstanceOfSatisfying(
              CommandTimeoutException.class, e -> assertThat(e.mayHaveExecuted()).isFalse())
          .hasMessageContaining("no answer to the TLS handshake");
    }
  }

  // ---- losing the connection

  @Test
  void dropped_failsInFlightAndReconnects() throws Exception {
    try (TlsProxy proxy = new TlsProxy(localhost, server.port());
        RedisClient redis =
            RedisClient.open(options("localhost", proxy.port()).tls(trusting(localhost)).build());
        RedisClient direct = RedisClient.open(server.url())) {
      redis.blocking().set("kept", "value");
      RedisFuture<@Nullable Object> pop = redis.send(Command.of("BLPOP", "dropped", "0"));
      awaitBlockedClient(direct);

      proxy.drop();

      assertThatThrownBy(() -> pop.toCompletableFuture().get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      assertThat(pop.failure())
          .isInstanceOfSatisfying(
              ConnectionLostException.class, e -> assertThat(e.mayHaveExecuted()).isTrue());
      assertThat(getAfterLoss(redis)).isEqualTo("value");
      assertThat(proxy.accepted()).isEqualTo(3);
    }
  }

  private static void awaitBlockedClient(RedisClient redis) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!String.valueOf(redis.call(Command.of("INFO", "clients")))
        .contains("blocked_clients:1")) {
      if (System.nanoTime() > end) throw new IllegalStateException("no command is blocked");
    }
  }

  /** The first command may be sent before the client notices the end of its connection. */
  private static @Nullable String getAfterLoss(RedisClient redis) {
    try {
      return redis.blocking().get("kept");
    } catch (ConnectionLostException e) {
      return redis.blocking().get("kept");
    }
  }
}
