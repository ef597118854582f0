package dev.kermes.server.net;

import dev.kermes.commands.CommandTable;
import dev.kermes.net.Transport;
import dev.kermes.server.config.Settings;
import dev.kermes.server.config.TlsOptions;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.node.ServerNode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loops and listening sockets of one server. Its periodic work is {@link ServerCron}. */
public final class Network implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Network.class);

  /**
   * 64 KB: the most that one read may return. Large enough for a deep pipeline's commands in one
   * system call, small enough to return to the other connections soon.
   */
  private static final int READ_SIZE = 64 * 1024;

  private static final long THREAD_END_MILLIS_MAX = 1000;

  /**
   * 1,000 handshake steps, a second or two of work. Each step keeps about 9 KB, even of a client
   * that has left: 32,000 of them filled a heap of 300 MB.
   */
  private static final int HANDSHAKES_WAITING_MAX = 1000;

  private final Engine engine;
  private final CommandTable table;
  private final Map<EventLoop, Loop> loops = new ConcurrentHashMap<>();
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final List<EventLoopGroup> groups = new CopyOnWriteArrayList<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final EventLoopGroup mainGroup;
  private final EventLoopGroup listenGroup;
  private final Transport transport;

  /** Whether there is a port without TLS, and the value of {@code port} at that decision. */
  private boolean hasTcp;

  private int portAsked;
  private final List<Channel> tcpListeners = new ArrayList<>();
  private final List<Channel> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean accepts;
  private volatile int port;

  private final ServerCron cron;
  private final MasterLink masterLink;
  private volatile @Nullable SslContext tls;
  private final TlsReload tlsReload;

  /** Handshakes cost milliseconds of arithmetic, which must not delay other clients. */
  private final ThreadPoolExecutor handshakes =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory("kermes-tls", true));

  private @Nullable Path unixSocket;

  /**
   * Starts the event loops, without any listening sockets.
   *
   * @param name the prefix of the threads' names
   */
  public Network(Engine engine, CommandTable table, String name) {
    this.engine = engine;
    this.table = table;
    Settings settings = engine.settings();
    transport = Transport.named(settings.networkOptions().transport.value());
    mainGroup = newGroup(transport, settings.networkOptions().loops.intValue(), name);
    listenGroup = newGroup(transport, 1, name + "-listen");
    masterLink =
        new MasterLink(engine, clockLoop(), transport, this::connectionOf, this::withKeyspaceLock);
    engine.socketChanges().onChange(this::listenElsewhere, this::renewTls);
    tlsReload = new TlsReload(engine.settings().tlsOptions(), this::renewTls);
    noteThread(clockLoop());
    cron =
        new ServerCron(
            engine,
            clockLoop(),
            () -> loopOf(clockLoop()).executor(),
            this::withKeyspaceLock,
            tlsReload,
            masterLink,
            this::lookForEnds);
    cron.start();
  }

  /** The TCP port, 0 if there is none. */
  public int port() {
    return port;
  }

  public String transportName() {
    return transport.name();
  }

  // Listening

  /** Serves connected and future clients, which wait until then. Any thread. */
  public void accept() {
    if (accepts) return;
    accepts = true;
    for (Channel listener : listeners) listener.config().setAutoRead(true);
  }

  /**
   * Listens on every address of {@code bind}, for TLS as well if it has a port, and closes all
   * other listeners; addresses that begin with {@code -} may be missing.
   *
   * @param withTcp whether there is a port without TLS
   * @throws IOException if an address is not available, or an option of TLS is wrong
   */
  public void listen(boolean withTcp) throws IOException {
    Settings settings = engine.settings();
    closeAll(tcpListeners);
    tcpListeners.clear();
    if (withTcp) tcpListeners.addAll(open(settings.networkOptions().port.intValue(), false));
    int found = withTcp ? portOf(tcpListeners, settings.networkOptions().port.intValue()) : 0;
    int tlsPort = settings.tlsOptions().port.intValue();
    if (tlsPort > 0) {
      if (tls == null) useTls(settings.tlsOptions());
      tcpListeners.addAll(open(tlsPort, true));
    }
    port = found;
    if (withTcp) settings.networkOptions().port.assign(found); // the actual port if 0 was given
    hasTcp = withTcp;
    portAsked = settings.networkOptions().port.intValue();
    ServerNode node = engine.node();
    if (node != null) node.listens(found, tlsPort);
  }

  /** Applies the current TLS options to future connections. */
  private boolean renewTls() {
    if (engine.settings().tlsOptions().port.intValue() == 0) return true;
    try {
      useTls(engine.settings().tlsOptions());
      return true;
    } catch (IOException e) {
      LOG.warn("Failed to configure TLS: {}", e.getMessage());
      return false;
    }
  }

  private void useTls(TlsOptions options) throws IOException {
    tlsReload.reading();
    tls = Tls.of(options);
    engine.statistics().certificates(Certificates.facts(options));
  }

  /**
   * Listens where the settings say now; connections stay. The caller holds the keyspace lock, which
   * event loops may be waiting for; the listeners therefore have their own loop.
   *
   * @return false if an address or a port is not available and the server no longer listens
   */
  private boolean listenElsewhere() {
    int wantedPort = engine.settings().networkOptions().port.intValue();
    boolean withTcp = wantedPort == portAsked ? hasTcp : wantedPort > 0 || !hasOtherWayIn();
    try {
      listen(withTcp);
      return true;
    } catch (IOException e) {
      LOG.warn("Unable to listen: {}", e.getMessage());
      return false;
    }
  }

  /** Whether there is a unix socket or a TLS port; then port 0 means none instead of a free one. */
  private boolean hasOtherWayIn() {
    return unixSocket != null || engine.settings().tlsOptions().port.intValue() > 0;
  }

  private void closeAll(List<Channel> old) {
    for (Channel channel : old) channel.close().awaitUninterruptibly();
    listeners.removeAll(old);
  }

  private List<Channel> open(int wantedPort, boolean usesTls) throws IOException {
    List<Channel> opened = new ArrayList<>();
    int found = wantedPort;
    for (String word : addresses(engine.settings().networkOptions().bind.value())) {
      boolean isOptional = word.startsWith("-");
      String host = isOptional ? word.substring(1) : word;
      InetSocketAddress address =
          host.equals("*") ? new InetSocketAddress(found) : new InetSocketAddress(host, found);
      try {
        ServerBootstrap bootstrap =
            bootstrap(transport, listenGroup, mainGroup, usesTls)
                .channel(transport.serverChannel());
        bootstrap.option(
            ChannelOption.SO_BACKLOG, engine.settings().networkOptions().backlog.intValue());
        bootstrap.option(ChannelOption.SO_REUSEADDR, true);
        transport.tuneForLoopback(bootstrap, address);
        Channel channel = bind(bootstrap, address);
        opened.add(channel);
        found = ((InetSocketAddress) channel.localAddress()).getPort();
      } catch (IOException e) {
        if (isOptional) continue;
        closeAll(opened);
        throw e;
      }
    }
    return opened;
  }

  /** The words of {@code bind}; with {@code *}, {@code ::*} is redundant and left out. */
  private static List<String> addresses(String bind) {
    List<String> words = new ArrayList<>();
    for (String word : bind.trim().split("\\s+")) if (!word.isEmpty()) words.add(word);
    if (words.contains("*")) words.removeIf(word -> word.equals("::*") || word.equals("-::*"));
    words.replaceAll(word -> word.endsWith("::*") ? word.replace("::*", "::") : word);
    return words;
  }

  private static int portOf(List<Channel> opened, int wanted) {
    return opened.isEmpty() ? wanted : ((InetSocketAddress) opened.get(0).localAddress()).getPort();
  }

  /** Listens on a unix socket, replacing a stale one. */
  public void listenUnix(String path) throws IOException {
    unixSocket = Path.of(path);
    Files.deleteIfExists(unixSocket);
    ServerBootstrap bootstrap =
        bootstrap(transport, mainGroup, mainGroup, false).channel(transport.unixServerChannel());
    bind(bootstrap, transport.unixAddress(path));
    setMode(unixSocket, engine.settings().networkOptions().unixSocketMode.value());
    setGroup(unixSocket, engine.settings().networkOptions().unixSocketGroup.value());
  }

  private static void setGroup(Path socket, String name) throws IOException {
    if (name.isEmpty()) return;
    GroupPrincipal group =
        socket.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
    Files.setAttribute(socket, "posix:group", group);
  }

  private static void setMode(Path socket, String octal) throws IOException {
    int mode = Integer.parseInt(octal, 8);
    if (mode == 0) return;
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] fromOwnerRead = PosixFilePermission.values();
    for (int i = 0; i < fromOwnerRead.length; i++) {
      if ((mode & 0400 >> i) != 0) permissions.add(fromOwnerRead[i]);
    }
    Files.setPosixFilePermissions(socket, permissions);
  }

  /** Listens for clients in the same JVM; returns the name they connect to. */
  public String listenInVm(String name) throws IOException {
    Transport inVm = Transport.inVm();
    EventLoopGroup group = newGroup(inVm, 1, name);
    bind(
        bootstrap(inVm, group, group, false).channel(inVm.serverChannel()), new LocalAddress(name));
    return name;
  }

  /** Event loops that live exactly as long as the server. */
  private EventLoopGroup newGroup(Transport loopTransport, int loops, String name) {
    EventLoopGroup group =
        loopTransport.newGroup(
            loops, engine.criticalThreads().lasting(name, new DefaultThreadFactory(name, true)));
    groups.add(group);
    return group;
  }

  private Channel bind(ServerBootstrap bootstrap, SocketAddress address) throws IOException {
    bootstrap.option(ChannelOption.AUTO_READ, accepts);
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen: address=" + address + ", " + bound.cause().getMessage(), bound.cause());
    }
    channels.add(bound.channel());
    listeners.add(bound.channel());
    noteThread(bound.channel().eventLoop());
    return bound.channel();
  }

  private void noteThread(EventLoop loop) {
    loop.execute(() -> threads.add(Thread.currentThread()));
  }

  private ServerBootstrap bootstrap(
      Transport of, EventLoopGroup acceptors, EventLoopGroup workers, boolean usesTls) {
    ServerBootstrap bootstrap = new ServerBootstrap().group(acceptors, workers);
    of.tune(bootstrap);
    bootstrap.handler(new AcceptLimiter(engine, usesTls));
    bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, readOnce());
    bootstrap.childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    return bootstrap.childHandler(
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            channels.add(channel);
            // Reports the end of the input at once; otherwise Netty closes, and reports, a round
            // later.
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            if (channel.localAddress() instanceof InetSocketAddress && !tune(channel)) return;
            SslContext secured = usesTls ? tls : null;
            if (secured != null && (engine.admission().isOver() || isBusyWithHandshakes())) {
              refuse(channel); // a handshake would cost more than any client does
              return;
            }
            if (secured != null) {
              TlsOptions options = engine.settings().tlsOptions();
              channel.pipeline().addLast(Tls.handler(secured, channel, options, handshakes));
            }
            channel.pipeline().addLast(connectionOf(channel));
          }
        });
  }

  private boolean isBusyWithHandshakes() {
    return handshakes.getQueue().size() > HANDSHAKES_WAITING_MAX;
  }

  private void refuse(Channel channel) {
    engine.keyspace().withLock(() -> engine.statistics().connectionsRejected++);
    channel.close();
  }

  private Connection connectionOf(Channel channel) {
    return new Connection(channel, loopOf(channel.eventLoop()));
  }

  /** Sets a socket's options; false if the socket has been closed in the meantime. */
  private boolean tune(Channel channel) {
    try {
      channel.config().setOption(ChannelOption.TCP_NODELAY, true);
      boolean keepAlive = engine.settings().networkOptions().keepAliveSeconds.value() > 0;
      channel.config().setOption(ChannelOption.SO_KEEPALIVE, keepAlive);
      return true;
    } catch (ChannelException e) {
      channel.close();
      return false;
    }
  }

  private static FixedRecvByteBufAllocator readOnce() {
    FixedRecvByteBufAllocator allocator = new FixedRecvByteBufAllocator(READ_SIZE);
    allocator.maxMessagesPerRead(1);
    return allocator;
  }

  private Loop loopOf(EventLoop eventLoop) {
    return loops.computeIfAbsent(eventLoop, unused -> newLoop());
  }

  private Loop newLoop() {
    Loop loop = new Loop(engine, table, cron::deadlineAdded);
    threads.add(Thread.currentThread());
    engine.loops().add(loop);
    return loop;
  }

  private EventLoop clockLoop() {
    return (EventLoop) mainGroup.iterator().next();
  }

  /** Makes all loops look for clients that have left without being read. */
  private void lookForEnds() {
    loops.forEach((eventLoop, loop) -> {
      if (!eventLoop.isShuttingDown()) eventLoop.execute(loop::lookForEnds);
    });
  }

  /** Does work outside a client's turn with the keyspace lock. */
  private void withKeyspaceLock(Runnable work) {
    engine
        .keyspace()
        .withLock(() -> {
          engine.keyspace().readClock();
          engine.clients().current(null);
          work.run();
          if (engine.tracking().isActive()) engine.tracking().endTurn();
        });
  }

  /** Closes every socket and ends the threads; returns when they are gone. */
  @Override
  public void close() {
    engine.criticalThreads().mayEnd();
    cron.stop();
    engine.scripting().stop();
    masterLink.close();
    withKeyspaceLock(engine.replication().replicas()::giveUpFullSync);
    channels.close().awaitUninterruptibly();
    List<Future<?>> ends = new ArrayList<>();
    for (EventLoopGroup group : groups) {
      ends.add(group.shutdownGracefully(0, 5, TimeUnit.SECONDS));
    }
    for (Future<?> end : ends) end.awaitUninterruptibly();
    handshakes.shutdownNow();
    for (Thread thread : threads) joinQuietly(thread);
    if (unixSocket != null) deleteQuietly(unixSocket);
  }

  /** Waits for a thread whose loop has ended and that is about to end itself. */
  private static void joinQuietly(Thread thread) {
    try {
      if (thread != Thread.currentThread()) thread.join(THREAD_END_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // The next start replaces the file.
    }
  }
}
