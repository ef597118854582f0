package dev.kermes.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection on the loopback address whose accepted end is a channel of a transport. */
final class AcceptedConnection {

  /** Uses both ends. */
  interface Body {
    void run(Channel accepted, Socket client) throws Exception;
  }

  private AcceptedConnection() {}

  /** Connects, runs {@code body}, and closes everything. */
  static void with(Transport transport, Body body) throws Exception {
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
    transport.tuneForLoopback(bootstrap, free);
    Channel listening = bootstrap.bind(free).sync().channel();
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      body.run(accepted.get(), client);
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }
  }
}
