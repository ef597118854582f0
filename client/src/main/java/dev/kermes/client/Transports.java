package dev.kermes.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/** Event loops and channels for each kind of address. The one place that names transports. */
final class Transports implements AutoCloseable {
  private final MultiThreadIoEventLoopGroup group;
  private final SocketAddress address;

  private Transports(MultiThreadIoEventLoopGroup group, SocketAddress address) {
    this.group = group;
    this.address = address;
  }

  /** One event loop that can reach {@code address}. */
  static Transports to(SocketAddress address) {
    IoHandlerFactory io =
        address instanceof LocalAddress ? LocalIoHandler.newFactory() : NioIoHandler.newFactory();
    DefaultThreadFactory threads = new DefaultThreadFactory("kermes-client", true);
    return new Transports(new MultiThreadIoEventLoopGroup(1, threads, io), address);
  }

  EventLoop loop() {
    return group.next();
  }

  /** A bootstrap on {@code loop}, with everything set except the handler. */
  Bootstrap bootstrap(EventLoop loop, int connectTimeoutMillis) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(channelType())
            .remoteAddress(resolvable(address))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis);
    if (address instanceof InetSocketAddress) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
    }
    return bootstrap;
  }

  private Class<? extends Channel> channelType() {
    if (address instanceof LocalAddress) return LocalChannel.class;
    if (address instanceof UnixDomainSocketAddress) return NioDomainSocketChannel.class;
    return NioSocketChannel.class;
  }

  /** A host name is looked up at every connect, for it may move. */
  private static SocketAddress resolvable(SocketAddress address) {
    return address instanceof InetSocketAddress internet
        ? InetSocketAddress.createUnresolved(internet.getHostString(), internet.getPort())
        : address;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
