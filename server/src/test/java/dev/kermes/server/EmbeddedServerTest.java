package dev.kermes.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.net.Transport;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.KermesThreads;
import dev.kermes.testing.RespSocket;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers inside a JVM: ways to connect, several servers side by side, closing, large requests. */
final class EmbeddedServerTest {

  @Test
  void close_leavesTheClock() {
    List<Runnable> listeners = new ArrayList<>();
    Clock listening =
        new Clock() {
          @Override
          public long millis() {
            return 0;
          }

          @Override
          public long nanos() {
            return 0;
          }

          @Override
          public void onJump(Runnable listener) {
            listeners.add(listener);
          }

          @Override
          public void offJump(Runnable listener) {
            listeners.remove(listener);
          }
        };
    try (RedisServer server = RedisServer.builder().port(0).clock(listening).start()) {
      assertThat(server.port()).isPositive();
      assertThat(listeners).hasSize(1);
    }
    assertThat(listeners).isEmpty(); // a clock that stays has no server that has ended
  }

  @Test
  void clock_thatOutlivesAServer_movesOn() {
    ManualClock clock = Clock.manual(0);
    RedisServer.builder().port(0).clock(clock).start().close();
    clock.advance(Duration.ofMillis(5));
    assertThat(clock.millis()).isEqualTo(5);
  }

  @Test
  void severalServers_shareNothing() throws Exception {
    try (RedisServer a = RedisServer.start();
        RedisServer b = RedisServer.start();
        RespSocket toA = new RespSocket(a.port());
        RespSocket toB = new RespSocket(b.port())) {
      toA.call("SET", "k", "a");
      assertThat(toB.call("GET", "k")).hasToString("$-1");
      toB.call("CONFIG", "SET", "requirepass", "secret");
      assertThat(toA.call("CONFIG", "GET", "requirepass").elements().get(1)).hasToString("$0:");
      toA.send("SHUTDOWN");
      a.awaitClosed();
      assertThat(toB.call("PING")).hasToString("+PONG");
      assertThat(toA.readToEnd()).isEmpty();
    }
  }

  @Test
  void close_leavesNoThreadBehind() throws Exception {
    Set<Thread> before = KermesThreads.running();
    for (int i = 0; i < 3; i++) {
      try (RedisServer server = RedisServer.builder().port(0).inVm().start();
          RespSocket socket = new RespSocket(server.port())) {
        socket.send("BLPOP", "l", "0");
      }
    }
    assertThat(KermesThreads.leftSince(before)).isEmpty();
  }

  @Test
  void shutdown_endsTheServer() throws Exception {
    try (RedisServer server = RedisServer.builder().port(0).loops(3).start();
        RespSocket socket = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      assertThat(socket.call("SHUTDOWN", "FOO")).hasToString("-ERR syntax error");
      socket.send("SHUTDOWN", "NOSAVE");
      assertThat(socket.readToEnd()).isEmpty();
      assertThat(other.readToEnd()).isEmpty();
      server.awaitClosed();
    }
  }

  @Test
  void start_portTaken_saysSo() {
    try (RedisServer server = RedisServer.start()) {
      RedisServer.Builder second = RedisServer.builder().port(server.port());
      assertThatThrownBy(second::start)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen: address=")
          .hasMessageContaining(":" + server.port());
    }
  }

  @Test
  void clientDefaultResp_isTheProtocolThatConnectionsBeginWith() throws IOException {
    try (RedisServer server =
            RedisServer.builder().port(0).option("client-default-resp", "3").start();
        RespSocket socket = new RespSocket(server.port())) {
      assertThat(socket.call("GET", "k")).hasToString("_");
      socket.call("HELLO", "2");
      assertThat(socket.call("GET", "k")).hasToString("$-1");
      socket.call("RESET");
      assertThat(socket.call("GET", "k")).hasToString("_");
      assertThat(socket.call("CONFIG", "GET", "client-default-r*")).hasToString("%0");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void configSetPort_listensThereAndKeepsConnections(int loops) throws IOException {
    try (RedisServer taken = RedisServer.start();
        RedisServer server = RedisServer.builder().port(0).loops(loops).start();
        RespSocket early = new RespSocket(server.port())) {
      int first = server.port();
      String port = String.valueOf(taken.port());
      assertThat(early.call("CONFIG", "SET", "maxmemory", "10mb", "port", port, "timeout", "5"))
          .hasToString(
              "-ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on"
                  + " this port. Check server logs.");
      assertThat(early.call("CONFIG", "GET", "port", "maxmemory", "timeout"))
          .hasToString(
              "*6[$9:maxmemory, $1:0, $4:port, $%d:%d, $7:timeout, $1:0]"
                  .formatted(String.valueOf(first).length(), first));
      assertThat(server.port()).isEqualTo(first);

      assertThat(early.call("CONFIG", "SET", "port", "0")).hasToString("+OK");
      int second = server.port();
      assertThat(second).isNotEqualTo(first);
      assertThat(early.call("CONFIG", "GET", "port").elements().get(1).text())
          .endsWith(":" + second);
      try (RespSocket late = new RespSocket(second)) {
        assertThat(late.call("SET", "k", "v")).hasToString("+OK");
        assertThat(early.call("GET", "k")).hasToString("$1:v");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void configSetBind_listensThereAndKeepsConnections(int loops) throws IOException {
    try (RedisServer server = RedisServer.builder().port(0).loops(loops).start();
        RespSocket early = new RespSocket(server.port())) {
      int port = server.port();
      for (String wrong : List.of("999.999.999.999", "127.0.0.1 192.0.2.1")) {
        assertThat(early.call("CONFIG", "SET", "timeout", "5", "bind", wrong))
            .hasToString(
                "-ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to"
                    + " specified addresses.");
        assertServes("127.0.0.1", port);
      }
      assertThat(early.call("CONFIG", "GET", "bind", "timeout").toString())
          .contains(":127.0.0.1 -::1,")
          .contains("$1:0");

      assertThat(early.call("CONFIG", "SET", "bind", "127.0.0.2 -192.0.2.1")).hasToString("+OK");
      assertServes("127.0.0.2", port);
      assertRefused("127.0.0.1", port);
      assertThat(early.call("CONFIG", "SET", "bind", "")).hasToString("+OK");
      assertRefused("127.0.0.2", port);
      assertThat(early.call("CONFIG", "SET", "bind", "* -::*")).hasToString("+OK");
      assertServes("127.0.0.1", port);
      assertThat(server.port()).isEqualTo(port);
    }
  }

  private static void assertServes(String host, int port) throws IOException {
    try (Socket socket = new Socket(host, port)) {
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
    }
  }

  private static void assertRefused(String host, int port) {
    assertThatThrownBy(() -> new Socket(host, port).close()).isInstanceOf(ConnectException.class);
  }

  @Test
  void unixSocket_carriesCommands(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("kermes.sock");
    RedisServer.Builder builder =
        RedisServer.builder().withoutTcp().option("unixsocket", path.toString());
    try (RedisServer server = builder.start();
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      assertThat(server.port()).isZero();
      channel.connect(UnixDomainSocketAddress.of(path));
      try (RespSocket socket =
          new RespSocket(
              channel, Channels.newInputStream(channel), Channels.newOutputStream(channel))) {
        assertThat(socket.call("SET", "k", "v")).hasToString("+OK");
        assertThat(socket.call("GET", "k")).hasToString("$1:v");
      }
    }
    assertThat(Files.exists(path)).isFalse();
  }

  @Test
  void unixSocket_belongsToTheGroupThatIsNamed(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("kermes.sock");
    GroupPrincipal group = Files.readAttributes(folder, PosixFileAttributes.class).group();
    try (RedisServer server = onSocketOf(path, group.getName())) {
      assertThat(server.port()).isZero();
      assertThat(Files.getAttribute(path, "posix:group")).isEqualTo(group);
    }
    assertThatThrownBy(() -> onSocketOf(path, "no such group").close())
        .hasRootCauseInstanceOf(UserPrincipalNotFoundException.class);
  }

  private static RedisServer onSocketOf(Path path, String group) {
    return RedisServer.builder()
        .withoutTcp()
        .option("unixsocket", path.toString())
        .option("unixsocketgroup", group)
        .start();
  }

  @Test
  void inVm_carriesCommands() throws Exception {
    EventLoopGroup group =
        Transport.inVm().newGroup(1, new DefaultThreadFactory("in-vm-test", true));
    try (RedisServer server = RedisServer.builder().withoutTcp().inVm().start()) {
      String name = server.inVmUrl().substring("redis-local://".length());
      CompletableFuture<String> reply = new CompletableFuture<>();
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(Transport.inVm().channel())
              .handler(untilEnd(reply))
              .connect(new LocalAddress(name))
              .sync()
              .channel();
      byte[] commands = "SET k v\r\nGET k\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII);
      channel.writeAndFlush(Unpooled.wrappedBuffer(commands)).sync();
      assertThat(reply.get(20, TimeUnit.SECONDS)).isEqualTo("+OK\r\n$1\r\nv\r\n+OK\r\n");
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  private static SimpleChannelInboundHandler<ByteBuf> untilEnd(CompletableFuture<String> reply) {
    StringBuilder text = new StringBuilder();
    return new SimpleChannelInboundHandler<>() {
      @Override
      protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
        text.append(bytes.toString(StandardCharsets.US_ASCII));
      }

      @Override
      public void channelInactive(ChannelHandlerContext context) {
        reply.complete(text.toString());
      }
    };
  }

  @Test
  void valueOf64Megabytes_goesInAndOut() throws IOException {
    String value = "0123456789abcdef".repeat(4 << 20);
    try (RedisServer server = RedisServer.builder().port(0).loops(3).start();
        RespSocket socket = new RespSocket(server.port())) {
      assertThat(socket.call("SET", "k", value)).hasToString("+OK");
      assertThat(socket.call("STRLEN", "k")).hasToString(":67108864");
      String reply = socket.call("GET", "k").text();
      assertThat(reply.length()).isEqualTo(value.length() + "67108864:".length());
      assertThat(reply.endsWith(value)).isTrue();
      assertThat(socket.call("PING")).hasToString("+PONG");
    }
  }

  @Test
  void multibulkOfAMillionElements_isOneCommand() throws IOException {
    int count = 1 << 20;
    StringBuilder command = new StringBuilder("*" + count + "\r\n$5\r\nRPUSH\r\n$1\r\nl\r\n");
    for (int i = 2; i < count; i++) command.append("$1\r\nx\r\n");
    try (RedisServer server = RedisServer.start();
        RespSocket socket = new RespSocket(server.port())) {
      socket.sendRaw(command.toString());
      assertThat(socket.read()).hasToString(":" + (count - 2));
      assertThat(socket.call("LRANGE", "l", "0", "-1").elements()).hasSize(count - 2);
    }
  }

  @Test
  void pipelineOf100000_sentWithoutReading_isAnswered() throws Exception {
    byte[] pings = "*1\r\n$4\r\nPING\r\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    try (RedisServer server = RedisServer.start();
        RespSocket socket = new RespSocket(server.port())) {
      socket.sendBytes(pings);
      for (int i = 0; i < 100_000; i++) {
        if (!socket.read().text().equals("PONG")) throw new AssertionError("not PONG: i=" + i);
      }
      assertThat(socket.call("ECHO", "end")).hasToString("$3:end");
    }
  }

  /** On one loop, where an endless turn would hold up the other client. */
  @Test
  void deepPipeline_doesNotStarveOthers() throws Exception {
    byte[] pipeline = "INCR k\r\n".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
    try (RedisServer server = RedisServer.builder().port(0).loops(1).start();
        RespSocket busy = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(() -> {
            try {
              busy.sendBytes(pipeline);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      CompletableFuture<Integer> read =
          CompletableFuture.supplyAsync(() -> {
            try {
              int replies = 0;
              while (!busy.read().text().equals("1000000")) replies++;
              return replies;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      int between = 0;
      String seen = "";
      while (!sent.isDone() || !read.isDone()) {
        String now = other.call("GET", "k").text();
        if (!now.equals(seen)) between++;
        seen = now;
      }
      assertThat(read.get()).isEqualTo(999_999);
      assertThat(between).isGreaterThan(5);
      assertThat(List.of(other.call("GET", "k").text())).containsExactly("7:1000000");
    }
  }
}
