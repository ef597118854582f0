package dev.kermes.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.nio.ByteBuffer;

/**
 * Transports whose classes may be missing at run time. No other class may refer to those classes.
 */
final class NativeTransports {

  /** Linux's numbers for a socket level and a socket option that Netty has no names for. */
  private static final int IPPROTO_TCP = 6;

  private static final int TCP_CONGESTION = 13;

  /** Reno is in every kernel, and an unprivileged process may choose it. */
  private static final byte[] RENO = {'r', 'e', 'n', 'o'};

  private NativeTransports() {}

  static boolean isEpollAvailable() {
    try {
      return Epoll.isAvailable();
    } catch (NoClassDefFoundError e) {
      return false;
    }
  }

  static boolean isIoUringAvailable() {
    try {
      return IoUring.isAvailable();
    } catch (NoClassDefFoundError e) {
      return false;
    }
  }

  static Transport epoll() {
    return new Transport(
        "epoll",
        EpollIoHandler.newFactory(),
        EpollSocketChannel.class,
        EpollServerSocketChannel.class,
        EpollDomainSocketChannel.class,
        EpollServerDomainSocketChannel.class,
        DomainSocketAddress::new,
        bootstrap -> {},
        (bootstrap, millis) ->
            bootstrap
                .option(EpollChannelOption.TCP_KEEPIDLE, Transport.Probing.idleSeconds(millis))
                .option(EpollChannelOption.TCP_KEEPINTVL, 1)
                .option(EpollChannelOption.TCP_KEEPCNT, Transport.Probing.PROBES)
                .option(EpollChannelOption.TCP_USER_TIMEOUT, millis));
  }

  static void cork(Channel channel, boolean isCorked) {
    if (channel.config() instanceof EpollSocketChannelConfig config && channel.isOpen()) {
      config.setTcpCork(isCorked);
    }
  }

  static int socketNumber(Channel channel) {
    return channel instanceof UnixChannel own ? own.fd().intValue() : -1;
  }

  /**
   * Chooses Reno congestion control. BBR measures a rate and sends no faster; between two programs
   * on one machine there is nothing to measure, and BBR cost the client twice the processor time
   * per response: docs/decisions/0012-sendfile.md. Accepted sockets inherit the choice.
   */
  static void unpace(ServerBootstrap bootstrap) {
    bootstrap.option(
        new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, RENO.length),
        ByteBuffer.wrap(RENO));
  }

  static Transport ioUring() {
    return new Transport(
        "io_uring",
        IoUringIoHandler.newFactory(ReadBuffers.config()),
        IoUringSocketChannel.class,
        IoUringServerSocketChannel.class,
        IoUringDomainSocketChannel.class,
        IoUringServerDomainSocketChannel.class,
        DomainSocketAddress::new,
        ReadBuffers::use,
        (bootstrap, millis) ->
            bootstrap
                .option(IoUringChannelOption.TCP_KEEPIDLE, Transport.Probing.idleSeconds(millis))
                .option(IoUringChannelOption.TCP_KEEPINTVL, 1)
                .option(IoUringChannelOption.TCP_KEEPCNT, Transport.Probing.PROBES)
                .option(IoUringChannelOption.TCP_USER_TIMEOUT, millis));
  }
}
