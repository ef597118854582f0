package dev.kermes.server.net;

import dev.kermes.net.Transport;
import dev.kermes.server.config.TlsOptions;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.replication.MasterLinkState;
import dev.kermes.server.replication.MasterStream;
import dev.kermes.server.replication.Replication;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a replica connected to its master. Once a second it connects, gives up a silent connection,
 * or retries. Owned by its event loop.
 */
final class MasterLink {

  private static final Logger LOG = LoggerFactory.getLogger(MasterLink.class);

  private final Engine engine;
  private final EventLoop eventLoop;
  private final Transport transport;
  private final Function<Channel, Connection> connections;
  private final Consumer<Runnable> keyspaceLock;

  private Replication.@Nullable Address wanted;
  private @Nullable Channel channel;
  private volatile @Nullable MasterHandshake handshake;

  /** The runs of the cron until the next attempt to connect, or the next visit of the link. */
  private int rest;

  private volatile @Nullable CountDownLatch loading;

  /**
   * Creates the link.
   *
   * @param connections creates the handler of a channel, as for clients
   * @param keyspaceLock runs work under the keyspace lock
   */
  MasterLink(
      Engine engine,
      EventLoop eventLoop,
      Transport transport,
      Function<Channel, Connection> connections,
      Consumer<Runnable> keyspaceLock) {
    this.engine = engine;
    this.eventLoop = eventLoop;
    this.transport = transport;
    this.connections = connections;
    this.keyspaceLock = keyspaceLock;
    engine.replication().onChange(() -> eventLoop.execute(this::look));
  }

  Engine engine() {
    return engine;
  }

  Connection connection(Channel ofMaster) {
    return connections.apply(ofMaster);
  }

  void withKeyspaceLock(Runnable work) {
    keyspaceLock.accept(work);
  }

  /**
   * Counts a run of the cron, and does the work that is due. Its pace is that of the cron and not
   * of the clock: with a clock that stands, a replica has to connect and to acknowledge, too.
   */
  void cron() {
    if (rest > 0) rest--;
    look();
  }

  /** Does the work that is due after a jump of the clock, which may have been the end of a link. */
  void clockHasJumped() {
    rest = 0;
    look();
  }

  private void look() {
    Replication.Address before = wanted;
    keyspaceLock.accept(() -> wanted = engine.replication().master());
    if (before != null && !before.equals(wanted)) drop();
    boolean hasToWait = channel == null && engine.keyspace().loading().isOn();
    if (wanted == null || hasToWait) return;
    if (rest > 0) return;
    rest = engine.settings().serverOptions().hz.intValue();
    if (channel == null || !channel.isOpen()) connect(wanted);
    else visit(channel);
  }

  private void drop() {
    if (handshake != null) handshake.giveUp();
    if (channel != null) channel.close();
    channel = null;
    rest = 0;
  }

  private void connect(Replication.Address master) {
    if (loading != null) return; // the data are still being replaced
    LOG.info("Connecting to MASTER {}:{}", master.host(), master.port());
    SslContext tls;
    try {
      tls = tls();
    } catch (IOException e) {
      LOG.warn("no connection to the master: {}", e.getMessage());
      return;
    }
    MasterHandshake attempt = new MasterHandshake(this, master);
    handshake = attempt;
    int timeoutMillis = engine.replication().options().timeoutSeconds.intValue() * 1000;
    Bootstrap bootstrap = new Bootstrap();
    String source = engine.replication().options().sourceAddress.value();
    if (!source.isEmpty()) bootstrap.localAddress(source, 0);
    ChannelFuture connected =
        bootstrap
            .group(eventLoop)
            .channel(transport.channel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel fresh) {
                    if (tls != null) fresh.pipeline().addLast(tls.newHandler(fresh.alloc()));
                    fresh.pipeline().addLast(attempt);
                  }
                })
            .connect(master.host(), master.port());
    channel = connected.channel();
    keyspaceLock.accept(
        () -> engine.replication().masterStream().state(MasterLinkState.CONNECTING));
    connected.addListener(done -> {
      if (done.isSuccess()) return;
      LOG.warn("Error condition on socket for SYNC: {}", done.cause().getMessage());
    });
    connected.channel().closeFuture().addListener(closed -> closed(connected.channel()));
  }

  private @Nullable SslContext tls() throws IOException {
    TlsOptions options = engine.settings().tlsOptions();
    return options.usedForReplication.isOn() ? Tls.toMaster(options) : null;
  }

  private void closed(Channel lost) {
    if (lost != channel) return;
    channel = null;
    keyspaceLock.accept(() -> engine.replication().masterStream().state(MasterLinkState.CONNECT));
  }

  /** Checks the open connection once a second. */
  private void visit(Channel open) {
    if (handshake != null && handshake.isLoading() && loading != null) {
      open.writeAndFlush(MasterHandshake.signOfLife());
      if (!handshake.isWaiting()) return;
    }
    boolean[] isSilent = new boolean[1];
    keyspaceLock.accept(() -> {
      MasterStream stream = engine.replication().masterStream();
      stream.acknowledge();
      isSilent[0] = stream.isSilent();
      if (isSilent[0]) LOG.warn(silence(stream.state()));
    });
    if (isSilent[0]) open.close();
  }

  private static String silence(MasterLinkState state) {
    return switch (state) {
      case CONNECTED -> "MASTER timeout: no data nor PING received...";
      case SYNC -> "Timeout receiving bulk data from MASTER...";
      default -> "Timeout connecting to the MASTER...";
    };
  }

  // Loading

  void loadingBegins() {
    loading = new CountDownLatch(1);
  }

  /** Notes that the thread that loads is about to end. */
  void loaded() {
    CountDownLatch latch = loading;
    loading = null;
    if (latch != null) latch.countDown();
  }

  /** Gives up the current work, and waits for its end. Any thread. */
  void close() {
    CountDownLatch latch = loading;
    MasterHandshake attempt = handshake;
    if (attempt != null) attempt.giveUp();
    try {
      if (latch != null) latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
