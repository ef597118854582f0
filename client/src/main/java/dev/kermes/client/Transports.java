package dev.kermes.client;

import dev.kermes.net.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.local.LocalAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/** The event loop and the channels for one address. */
final class Transports implements AutoCloseable {
  private final Transport transport;
  private final EventLoopGroup group;
  private final SocketAddress address;

  private Transports(Transport transport, SocketAddress address) {
    this.transport = transport;
    this.address = address;
    group = transport.newGroup(1, "kermes-client");
  }

  /** One event loop that can reach {@code address}. */
  static Transports to(SocketAddress address) {
    boolean isInVm = address instanceof LocalAddress;
    return new Transports(isInVm ? Transport.inVm() : Transport.bestForFewConnections(), address);
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
            .remoteAddress(remoteAddress())
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis);
    if (address instanceof InetSocketAddress) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
    }
    return bootstrap;
  }

  private Class<? extends Channel> channelType() {
    return address instanceof UnixDomainSocketAddress
        ? transport.unixChannel()
        : transport.channel();
  }

  /** A host name is looked up at every connect, for it may move. */
  private SocketAddress remoteAddress() {
    if (address instanceof UnixDomainSocketAddress unix) {
      return transport.unixAddress(unix.getPath().toString());
    }
    return address instanceof InetSocketAddress internet
        ? InetSocketAddress.createUnresolved(internet.getHostString(), internet.getPort())
        : address;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
