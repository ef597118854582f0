package dev.kermes.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.net.Transport;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that leave while the server does not read what they have sent. */
final class LeavingClientsTest {

  /** A waiting connection with more unread input than this is no longer read. */
  private static final int UNREAD = 64 * 1024;

  private static final Pattern UNREAD_INPUT = Pattern.compile("name=leaving .* qbuf=(\\d+) ");

  private final ManualClock clock = Clock.manual(1_700_000_000_000L);

  private static List<String> transports() {
    List<String> found = new ArrayList<>();
    for (String name : List.of("nio", "epoll", "io_uring")) {
      try {
        found.add(Transport.named(name).name());
      } catch (IllegalArgumentException e) {
        // Not available on this machine.
      }
    }
    return found;
  }

  private static List<Arguments> ways() {
    List<Arguments> ways = new ArrayList<>();
    for (String transport : transports()) {
      for (String command : List.of("BLPOP nothing 0", "WAIT 1 0", "SET paused 1")) {
        for (boolean isReset : new boolean[] {false, true}) {
          ways.add(Arguments.of(transport, command, isReset));
        }
      }
    }
    return ways;
  }

  private RedisServer start(String transport) {
    return TestServers.with("transport", transport).clock(clock).start();
  }

  private static SocketChannel connect(RedisServer server, String command) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    SocketChannel client = SocketChannel.open(new InetSocketAddress(loopback, server.port()));
    String start = "CLIENT SETNAME leaving\r\n" + command + "\r\n";
    client.write(ByteBuffer.wrap(start.getBytes(US_ASCII)));
    return client;
  }

  /** Sends requests until the kernel takes no more and the server has stopped reading. */
  private static void flood(SocketChannel client, RespSocket observer) throws IOException {
    client.configureBlocking(false);
    byte[] requests = "EXISTS a\r\n".repeat(50_000).getBytes(US_ASCII);
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (client.write(ByteBuffer.wrap(requests)) > 0 || unread(observer) <= UNREAD) {
      assertThat(System.nanoTime()).as("the server still reads").isLessThan(deadline);
    }
  }

  private static int unread(RespSocket observer) throws IOException {
    Matcher input = UNREAD_INPUT.matcher(observer.call("CLIENT", "LIST").text());
    return input.find() ? Integer.parseInt(input.group(1)) : 0;
  }

  private static void leave(SocketChannel client, boolean isReset) throws IOException {
    client.configureBlocking(true);
    if (isReset) client.setOption(StandardSocketOptions.SO_LINGER, 0);
    client.close();
  }

  private void awaitAlone(RespSocket observer) throws IOException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!Fact.of(observer, "connected_clients").equals("1")) {
      assertThat(System.nanoTime()).as("the client is still there").isLessThan(deadline);
      clock.advance(Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void client_thatWaitsAndHasSentMuch_isClosedWhenItLeaves(
      String transport, String command, boolean isReset) throws IOException {
    try (RedisServer server = start(transport);
        RespSocket observer = new RespSocket(server.port())) {
      observer.call("CLIENT", "PAUSE", "1000000000", "WRITE");
      try (SocketChannel client = connect(server, command)) {
        flood(client, observer);
        leave(client, isReset);
        awaitAlone(observer);
      }
      assertThat(observer.call("CLIENT", "UNPAUSE")).hasToString("+OK");
      assertThat(observer.call("EXISTS", "paused")).hasToString(":0");
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void client_thatStays_losesNothing(String transport) throws IOException {
    try (RedisServer server = start(transport);
        RespSocket observer = new RespSocket(server.port());
        RespSocket client = new RespSocket(server.port())) {
      client.sendRaw("BLPOP l 0\r\n" + "PING\r\n".repeat(20_000));
      observer.await("cmd=blpop", "CLIENT", "LIST");
      for (int i = 0; i < 5; i++) clock.advance(Duration.ofSeconds(1));
      assertThat(observer.call("RPUSH", "l", "1")).hasToString(":1");
      assertThat(client.read()).hasToString("*2[$1:l, $1:1]");
      for (int i = 0; i < 20_000; i++) assertThat(client.read()).hasToString("+PONG");
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void client_thatKeepsSending_isClosedAtItsLimit(String transport) throws IOException {
    try (RedisServer server = start(transport);
        RespSocket observer = new RespSocket(server.port());
        RespSocket client = new RespSocket(server.port())) {
      observer.call("CONFIG", "SET", "client-query-buffer-limit", "1mb");
      Thread sends =
          Thread.ofVirtual()
              .start(() -> {
                String requests = "PING\r\n".repeat(10_000);
                assertThatThrownBy(
                        () -> {
                          client.sendRaw("BLPOP nothing 0\r\n");
                          while (true) client.sendRaw(requests);
                        })
                    .isInstanceOf(IOException.class);
              });
      observer.await("cmd=blpop", "CLIENT", "LIST");
      awaitAlone(observer);
      assertThat(Fact.of(observer, "client_query_buffer_limit_disconnections")).isEqualTo("1");
      join(sends);
    }
  }

  private static void join(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
