package dev.kermes.net;

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
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** Transports whose classes may be missing at run time; nobody else may mention these. */
final class NativeTransports {

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
