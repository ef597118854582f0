package dev.kermes.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;

/**
 * A way to reach a peer: the channel classes and the event loops that drive them. Immutable.
 *
 * <p>NIO works everywhere and is part of the JDK. Epoll and io_uring need Netty's native artefacts
 * on the class path. In-VM connects two ends in one JVM without a socket.
 */
public final class Transport {

  /** 512 MiB: the read-buffer rings of two loops are a sixteenth of it. */
  private static final long IO_URING_HEAP_MIN = 512L << 20;

  private static final boolean HAS_EPOLL = NativeTransports.isEpollAvailable();

  private static final boolean HAS_NATIVE = HAS_EPOLL || NativeTransports.isIoUringAvailable();

  private final String name;
  private final IoHandlerFactory handlers;
  private final Class<? extends Channel> channel;
  private final Class<? extends ServerChannel> serverChannel;
  private final Class<? extends Channel> unixChannel;
  private final Class<? extends ServerChannel> unixServerChannel;
  private final Function<String, SocketAddress> unixAddress;
  private final Consumer<ServerBootstrap> tuning;
  private final Probing probing;

  /** Sets the kernel's options for giving up on peers that acknowledge nothing. */
  interface Probing {
    /** Sets the TCP options for a silence of at most {@code millis}, which is at least 1,000. */
    void set(Bootstrap bootstrap, int millis);

    /** The seconds without traffic before the first probe; further probes follow every second. */
    static int idleSeconds(int millis) {
      return Math.max(1, millis / 1000 - PROBES);
    }

    /** The number of unanswered probes that ends the connection. */
    int PROBES = 3;
  }

  Transport(
      String name,
      IoHandlerFactory handlers,
      Class<? extends Channel> channel,
      Class<? extends ServerChannel> serverChannel,
      Class<? extends Channel> unixChannel,
      Class<? extends ServerChannel> unixServerChannel,
      Function<String, SocketAddress> unixAddress,
      Consumer<ServerBootstrap> tuning,
      Probing probing) {
    this.name = name;
    this.handlers = handlers;
    this.channel = channel;
    this.serverChannel = serverChannel;
    this.unixChannel = unixChannel;
    this.unixServerChannel = unixServerChannel;
    this.unixAddress = unixAddress;
    this.tuning = tuning;
    this.probing = probing;
  }

  /**
   * The best transport for many connections: io_uring where the kernel allows it and the native
   * library is present (one system call sends the replies of all connections), then epoll, then
   * NIO. Not io_uring in a small heap, because it reads megabytes ahead of a program that has told
   * it to stop.
   */
  public static Transport best() {
    boolean isRoomy = Runtime.getRuntime().maxMemory() >= IO_URING_HEAP_MIN;
    return isRoomy && NativeTransports.isIoUringAvailable()
        ? NativeTransports.ioUring()
        : bestForFewConnections();
  }

  /** The best transport for a client, whose few connections leave io_uring nothing to batch. */
  public static Transport bestForFewConnections() {
    return NativeTransports.isEpollAvailable() ? NativeTransports.epoll() : nio();
  }

  /**
   * The best transport for sending files, which io_uring must push through a pipe at three times
   * the cost.
   */
  public static Transport bestForFiles() {
    return bestForFewConnections();
  }

  /**
   * The transport with the given name: {@code auto}, {@code nio}, {@code epoll} or {@code
   * io_uring}.
   *
   * @throws IllegalArgumentException if the name is unknown or the transport is not available here
   */
  public static Transport named(String name) {
    return switch (name) {
      case "auto" -> best();
      case "nio" -> nio();
      case "epoll" -> {
        if (!NativeTransports.isEpollAvailable()) throw unavailable(name);
        yield NativeTransports.epoll();
      }
      case "io_uring" -> {
        if (!NativeTransports.isIoUringAvailable()) throw unavailable(name);
        yield NativeTransports.ioUring();
      }
      default ->
          throw new IllegalArgumentException(
              "unknown transport: name=" + name + ", known=auto, nio, epoll, io_uring");
    };
  }

  private static IllegalArgumentException unavailable(String name) {
    return new IllegalArgumentException(
        "transport not available: name=" + name + "; its native library is missing");
  }

  /** The transport of the JDK's own channels. */
  public static Transport nio() {
    return new Transport(
        "nio",
        NioIoHandler.newFactory(),
        NioSocketChannel.class,
        NioServerSocketChannel.class,
        NioDomainSocketChannel.class,
        NioServerDomainSocketChannel.class,
        UnixDomainSocketAddress::of,
        bootstrap -> {},
        Transport::probeByNio);
  }

  private static void probeByNio(Bootstrap bootstrap, int millis) {
    bootstrap
        .option(
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), Probing.idleSeconds(millis))
        .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), 1)
        .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), Probing.PROBES);
  }

  /** Two ends in one JVM; addresses are {@link io.netty.channel.local.LocalAddress}es. */
  public static Transport inVm() {
    return new Transport(
        "in-vm",
        LocalIoHandler.newFactory(),
        LocalChannel.class,
        InVmServerChannel.class,
        LocalChannel.class,
        InVmServerChannel.class,
        path -> {
          throw new UnsupportedOperationException("unix socket inside one JVM: path=" + path);
        },
        bootstrap -> {},
        (bootstrap, millis) -> {});
  }

  /** Its name: {@code io_uring}, {@code epoll}, {@code nio} or {@code in-vm}. */
  public String name() {
    return name;
  }

  /** Creates event loops for this transport, whose threads survive an OutOfMemoryError. */
  public EventLoopGroup newGroup(int loops, ThreadFactory threads) {
    return new Loops(loops, threads, handlers);
  }

  /**
   * Creates event loops for this transport that share the processors with other threads: there are
   * as many loops as processors, and each yields before it polls for events.
   */
  public EventLoopGroup newYieldingGroup(int threads, String threadName) {
    return new YieldingLoops(threads, threadName, handlers);
  }

  /** Creates one event loop for this transport; callers may run it if {@link #isLendable}. */
  public LendableLoop newLendableLoop(String threadName) {
    return new LendableLoop(handlers, threadName);
  }

  /**
   * Whether callers may run its loops. Not with NIO, which closes channels when a thread is
   * interrupted.
   */
  public boolean isLendable() {
    return name.equals("epoll");
  }

  /** Sets the server channel options that make the most of this transport. */
  public void tune(ServerBootstrap bootstrap) {
    tuning.accept(bootstrap);
  }

  /**
   * Tunes a server on a loopback address, where only this machine can connect: turns pacing off,
   * whatever the kernel's congestion control is. Does nothing on NIO, which has no such option.
   */
  public void tuneForLoopback(ServerBootstrap bootstrap, InetSocketAddress address) {
    boolean isLoopback = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    boolean isNative = name.equals("epoll") || name.equals("io_uring");
    if (isLoopback && isNative) NativeTransports.unpace(bootstrap);
  }

  /**
   * Makes the kernel close TCP connections whose peer has acknowledged nothing for about {@code
   * millis}, even while nothing is sent: by keep-alive probes and, where available,
   * TCP_USER_TIMEOUT.
   */
  public void probe(Bootstrap bootstrap, int millis) {
    bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
    probing.set(bootstrap, millis);
  }

  /**
   * Makes the kernel hold back TCP segments that are not full until the cork is removed. Only for
   * epoll channels; does nothing elsewhere.
   */
  public static void cork(Channel channel, boolean isCorked) {
    if (HAS_EPOLL) NativeTransports.cork(channel, isCorked);
  }

  /** The operating system's number of a channel's socket; -1 unless the transport shows it. */
  static int socketNumber(Channel channel) {
    return HAS_NATIVE ? NativeTransports.socketNumber(channel) : -1;
  }

  /** The type of TCP connections. */
  public Class<? extends Channel> channel() {
    return channel;
  }

  /** The type of listening TCP sockets. */
  public Class<? extends ServerChannel> serverChannel() {
    return serverChannel;
  }

  /** The type of connections to unix sockets. */
  public Class<? extends Channel> unixChannel() {
    return unixChannel;
  }

  /** The type of listening unix sockets. */
  public Class<? extends ServerChannel> unixServerChannel() {
    return unixServerChannel;
  }

  /** The address of a unix socket in this transport's own class. */
  public SocketAddress unixAddress(String path) {
    return unixAddress.apply(path);
  }
}
