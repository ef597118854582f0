package dev.kermes.http.internal.server;

import dev.kermes.http.internal.connection.Channels;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.TimedConnection;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.net.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The event loops, the listening socket and the open connections of one server. */
public final class Listener implements AutoCloseable {

  /** 32 KiB per read: enough for a deep pipeline, or for a good part of an upload. */
  private static final int READ_SIZE = 32 * 1024;

  private static final int BACKLOG = 1024;

  private static final AttributeKey<ConnectionTimeouts> TIMEOUTS =
      AttributeKey.valueOf(Listener.class, "timeouts");

  private final ServerContext server;
  private final Transport transport;
  private final @Nullable SslContext tls;
  private final EventLoopGroup group;
  private final Map<EventLoop, ConnectionTimeouts.Ticker> ticker = new ConcurrentHashMap<>();
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final AtomicInteger open = new AtomicInteger();
  private @Nullable Channel socket;

  public Listener(ServerContext server, Transport transport, int loops, @Nullable SslContext tls) {
    this.server = server;
    this.tls = tls;
    this.transport = transport;
    group = transport.newYieldingGroup(loops, "kermes-http");
  }

  /** Binds the socket; throws IOException if the address is not available. */
  public void listen(InetSocketAddress address) throws IOException {
    ServerBootstrap bootstrap = new ServerBootstrap().group(group);
    bootstrap.channel(transport.serverChannel());
    transport.tune(bootstrap);
    transport.tuneForLoopback(bootstrap, address);
    FixedRecvByteBufAllocator reads = new FixedRecvByteBufAllocator(READ_SIZE);
    reads.maxMessagesPerRead(1);
    bootstrap.option(ChannelOption.SO_BACKLOG, BACKLOG);
    bootstrap.option(ChannelOption.SO_REUSEADDR, true);
    bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, reads);
    bootstrap.childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    bootstrap.childHandler(
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            accept(channel);
          }
        });
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen: address=" + address + ", " + bound.cause().getMessage(), bound.cause());
    }
    socket = bound.channel();
  }

  private void accept(Channel channel) {
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    if (open.incrementAndGet() > server.limits().connectionsMax()) {
      channel.close();
      return;
    }
    connections.add(channel);
    if (server.isStopping()) { // drain() may have visited the connections before this one
      channel.close();
      return;
    }
    ConnectionTimeouts timeouts = new ConnectionTimeouts(tickerOf(channel.eventLoop()));
    channel.attr(TIMEOUTS).set(timeouts);
    new ProtocolNegotiator(server, channel, timeouts).begin(tls);
  }

  private ConnectionTimeouts.Ticker tickerOf(EventLoop loop) {
    return ticker.computeIfAbsent(
        loop,
        key -> {
          ConnectionTimeouts.Ticker made = new ConnectionTimeouts.Ticker();
          long millis = ConnectionTimeouts.Ticker.MILLIS;
          loop.scheduleWithFixedDelay(made, millis, millis, TimeUnit.MILLISECONDS);
          return made;
        });
  }

  public int port() {
    return socket == null ? 0 : ((InetSocketAddress) socket.localAddress()).getPort();
  }

  public String transportName() {
    return transport.name();
  }

  /** Lets requests finish; returns how many connections are left after {@code grace}. */
  public int drain(Duration grace) {
    server.stop();
    if (socket != null) socket.close().awaitUninterruptibly();
    for (Channel channel : connections) channel.eventLoop().execute(() -> stop(channel));
    connections.newCloseFuture().awaitUninterruptibly(grace.toMillis());
    return connections.size();
  }

  private static void stop(Channel channel) {
    ConnectionTimeouts timeouts = channel.attr(TIMEOUTS).get();
    TimedConnection connection = timeouts == null ? null : timeouts.connection();
    if (connection != null) connection.stop();
  }

  /** Closes every socket and stops the threads; returns when they have ended. */
  @Override
  public void close() {
    if (socket != null) socket.close().awaitUninterruptibly();
    for (Channel channel : connections) Channels.closeNow(channel);
    connections.newCloseFuture().awaitUninterruptibly();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    server.files().close();
  }
}
