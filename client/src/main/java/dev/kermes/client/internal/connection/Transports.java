package dev.kermes.client.internal.connection;

import dev.kermes.client.RedisOptions;
import dev.kermes.net.LendableLoop;
import dev.kermes.net.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.local.LocalAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The event loop of one client and the channels for one kind of address. */
final class Transports implements AutoCloseable {
  /** The kernel sends at most one probe per second. */
  private static final int PROBING_MILLIS_MIN = 2000;

  private static final String THREAD_NAME = "kermes-client";

  private final Transport transport;
  private final LendableLoop loop;

  private Transports(Transport transport) {
    this.transport = transport;
    loop = transport.newLendableLoop(THREAD_NAME);
  }

  /** Creates an event loop that can connect to {@code address} and others of its kind. */
  static Transports reaching(SocketAddress address) {
    boolean isInVm = address instanceof LocalAddress;
    return new Transports(isInVm ? Transport.inVm() : Transport.bestForFewConnections());
  }

  EventLoop loop() {
    return loop;
  }

  /** The loop, if callers may run it. */
  @Nullable LendableLoop lendable() {
    return transport.isLendable() ? loop : null;
  }

  /** A bootstrap with everything set except the handler. */
  Bootstrap bootstrap(RedisOptions options) {
    SocketAddress address = options.address();
    int connectTimeoutMillis = millis(options.connectTimeout());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(channelType(address))
            .remoteAddress(remoteAddress(address))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis);
    if (address instanceof InetSocketAddress) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true);
      int silence = millis(options.deadPeerTimeout());
      if (silence > 0) transport.probe(bootstrap, Math.max(PROBING_MILLIS_MIN, silence));
    }
    return bootstrap;
  }

  private static int millis(Duration duration) {
    return (int) Math.min(Integer.MAX_VALUE, duration.toMillis());
  }

  private Class<? extends Channel> channelType(SocketAddress address) {
    return address instanceof UnixDomainSocketAddress
        ? transport.unixChannel()
        : transport.channel();
  }

  /** Resolves a host name at every connect, because its address may change. */
  private SocketAddress remoteAddress(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress unix) {
      return transport.unixAddress(unix.getPath().toString());
    }
    return address instanceof InetSocketAddress internet
        ? InetSocketAddress.createUnresolved(internet.getHostString(), internet.getPort())
        : address;
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
