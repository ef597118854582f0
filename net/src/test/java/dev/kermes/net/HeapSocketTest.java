package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** With epoll, in a JVM that allows the module native access. */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(min = JRE.JAVA_22)
@Timeout(60)
class HeapSocketTest {

  /** More than the buffers of a connection hold. */
  private static final int LENGTH = 64 << 20;

  private interface Body {
    void run(Channel accepted, Socket client) throws Exception;
  }

  private static void withConnection(String transportName, Body body) throws Exception {
    Transport transport = Transport.named(transportName);
    EventLoopGroup group = transport.newGroup(1, new DefaultThreadFactory("test", true));
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(transport.serverChannel())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.complete(channel);
                  }
                });
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Channel listening = bootstrap.bind(free).sync().channel();
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      body.run(accepted.get(), client);
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }
  }

  /** The socket, when the system call has been linked. */
  private static HeapSocket socketOf(Channel channel) throws Exception {
    HeapSocket socket = HeapSocket.of(channel);
    while (socket == null) {
      Thread.sleep(1);
      socket = HeapSocket.of(channel);
    }
    return socket;
  }

  @Test
  void send_takesWhatTheSocketHasRoomFor() throws Exception {
    withConnection(
        "epoll",
        (channel, client) -> {
          byte[] array = new byte[LENGTH];
          new Random(1).nextBytes(array);
          HeapSocket socket = socketOf(channel);
          int first = 100;
          int sent = first;
          int taken = send(channel, socket, array, sent);
          for (; taken > 0; taken = send(channel, socket, array, sent)) sent += taken;
          assertThat(taken).isEqualTo(-1);
          assertThat(sent).isBetween(first + 1, LENGTH - 1);
          int read = first;
          while (read < LENGTH) {
            int to = Math.min(sent, read + (1 << 20));
            byte[] expected = Arrays.copyOfRange(array, read, to);
            byte[] received = client.getInputStream().readNBytes(to - read);
            assertThat(Arrays.equals(received, expected)).isTrue();
            read = to;
            int more = sent == LENGTH ? 0 : send(channel, socket, array, sent);
            if (more > 0) sent += more;
          }
        });
  }

  private static int send(Channel channel, HeapSocket socket, byte[] array, int from)
      throws Exception {
    return channel.eventLoop().submit(() -> socket.send(array, from, LENGTH - from, false)).get();
  }

  @Test
  void of_aChannelThatEncrypts_isNull() throws Exception {
    withConnection(
        "epoll",
        (channel, client) -> {
          assertThat(socketOf(channel)).isNotNull();
          SslContext context = SslContextBuilder.forClient().build();
          channel.pipeline().addLast(context.newHandler(channel.alloc()));
          assertThat(HeapSocket.of(channel)).isNull();
        });
  }

  @Test
  void of_aChannelThatDoesNotShowItsSocket_isNull() throws Exception {
    withConnection("epoll", (channel, client) -> assertThat(socketOf(channel)).isNotNull());
    withConnection("nio", (channel, client) -> assertThat(HeapSocket.of(channel)).isNull());
  }
}
