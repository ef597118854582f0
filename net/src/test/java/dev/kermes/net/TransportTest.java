package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TransportTest {

  private static final RawUnixChannelOption CONGESTION =
      new RawUnixChannelOption("TCP_CONGESTION", 6, 13, 4);

  /** Has no power on a machine whose default is Reno. */
  @Test
  void tuneForLoopback_acceptedConnectionsAreNotPaced() throws Exception {
    assumeTrue(NativeTransports.isEpollAvailable());
    assertThat(congestionControlOfAccepted(Transport.named("epoll"))).isEqualTo("reno");
  }

  private static String congestionControlOfAccepted(Transport transport) throws Exception {
    EventLoopGroup group = transport.newGroup(1, new DefaultThreadFactory("test", true));
    CompletableFuture<ByteBuffer> found = new CompletableFuture<>();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(transport.serverChannel())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    found.complete(accepted.config().getOption(CONGESTION));
                  }
                });
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    transport.tuneForLoopback(bootstrap, free);
    Channel listening = bootstrap.bind(free).sync().channel();
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertThat(client.isConnected()).isTrue();
      return StandardCharsets.US_ASCII.decode(found.get()).toString();
    } finally {
      group.shutdownGracefully().await();
    }
  }
}
