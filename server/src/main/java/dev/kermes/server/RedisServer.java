package dev.kermes.server;

import dev.kermes.commands.CommandTable;
import dev.kermes.net.NettyRelease;
import dev.kermes.server.command.info.Info;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.config.Release;
import dev.kermes.server.config.ServerOptions;
import dev.kermes.server.config.Settings;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.config.ValueOption;
import dev.kermes.server.disk.Disk;
import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.LogReplay;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.net.Network;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis-compatible server in this JVM.
 *
 * <pre>{@code
 * try (var server = RedisServer.start()) {
 *   connect("127.0.0.1", server.port());
 * }
 * }</pre>
 *
 * Any number of servers can run in one JVM; each has its own threads, which {@link #close()} ends.
 * Data are kept in memory only, unless the option {@code dir} names a folder for the files; then
 * {@code close()} saves, as redis-server does when it ends. Any thread.
 */
public final class RedisServer implements AutoCloseable {

  /** The release of Redis whose behaviour clients and scripts may rely on. */
  public static final String REDIS_VERSION = Release.OURS.text();

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Engine engine;
  private final Network network;
  private final Settings settings;
  private final String inVmName;
  private final CommandTable table;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** Held while the files are loaded, and by the thread that closes the server. */
  private final ReentrantLock loading = new ReentrantLock();

  private final CountDownLatch closed = new CountDownLatch(1);

  private RedisServer(Builder builder) throws IOException {
    settings = builder.settings;
    settings.presetSavePoints();
    table = commands(builder.node).renamed(settings.aclOptions().renamedCommands());
    engine = new Engine(builder.clock, builder.random(), settings, table, builder.node);
    engine.criticalThreads().onLost(builder.onLost);
    engine.acl().load();
    engine.keyspace().withLock(engine.keyspace().loading()::begins);
    inVmName = "kermes-" + NUMBER.incrementAndGet();
    network = new Network(engine, table, inVmName);
    engine.keyspace().loading().onTookLong(network::accept);
    engine.shutdown().onEnd(() -> new Thread(this::end, inVmName + "-shutdown").start());
    try {
      network.listen(builder.listensOnTcp);
      if (!settings.networkOptions().unixSocket.value().isEmpty())
        network.listenUnix(settings.networkOptions().unixSocket.value());
      if (builder.listensInVm) network.listenInVm(inVmName);
    } catch (IOException | RuntimeException e) {
      network.close();
      throw e;
    }
  }

  private static CommandTable commands(@Nullable ServerNode node) {
    return node instanceof SentinelNode ? CommandTable.sentinel() : CommandTable.standard();
  }

  /** Loads the files; does nothing if the server has been closed in the meantime. */
  private void load() throws IOException {
    loading.lock();
    try {
      if (isClosed.get()) return;
      engine.appendOnly().start(() -> new LogReplay(engine, table));
      engine.keyspace().withLock(engine.keyspace().loading()::ends);
      network.accept();
    } catch (IOException e) {
      if (!isClosed.get()) throw e;
    } finally {
      loading.unlock();
    }
  }

  /** Starts a server on a free port of the loopback address, with Redis's defaults otherwise. */
  public static RedisServer start() {
    return builder().port(0).start();
  }

  /** A builder with Redis's default options, which include port 6379. */
  public static Builder builder() {
    return new Builder();
  }

  /** The TCP port that the server listens on. */
  public int port() {
    return network.port();
  }

  /** The URL for clients: {@code redis://127.0.0.1:port}. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** The URL for clients in this JVM, which need no socket; see {@link Builder#inVm}. */
  public String inVmUrl() {
    return "redis-local://" + inVmName;
  }

  /** The transport in use: {@code nio}, {@code epoll} or {@code io_uring}. */
  public String transport() {
    return network.transportName();
  }

  /** Options that were given but that this version ignores. */
  public List<String> ignoredOptions() {
    return settings.ignored();
  }

  /**
   * The text that INFO replies, for metrics; works in every state of the server, also while it
   * loads its files or a script holds it up.
   *
   * @param sections names of sections, as after INFO; none stands for the default ones
   */
  public String info(String... sections) {
    List<String> wanted = Stream.of(sections).map(each -> each.toLowerCase(Locale.ROOT)).toList();
    AtomicReference<String> text = new AtomicReference<>("");
    Keyspace keyspace = engine.keyspace();
    keyspace.withLock(() -> {
      keyspace.readClock();
      text.set(Info.text(engine, table, wanted));
    });
    return text.get();
  }

  /** The server's engine, for tests. */
  Engine engine() {
    return engine;
  }

  /** Whether the server has been closed, or is about to be. */
  public boolean isClosed() {
    return isClosed.get();
  }

  /** Waits until the server has been closed, by {@link #close()} or by SHUTDOWN. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /**
   * Soon does what redis-server does on SIGINT or SIGTERM: waits for the replicas, at most {@code
   * shutdown-timeout}, saves the data if there are save points, and closes; {@code
   * shutdown-on-sigint} and {@code shutdown-on-sigterm} may say otherwise. If saving fails, or a
   * client sends SHUTDOWN ABORT, the server continues to run.
   *
   * @param isInterrupt whether the signal is SIGINT
   */
  public void signalled(boolean isInterrupt) {
    ServerOptions options = settings.serverOptions();
    ValueOption<ShutdownMode> mode =
        isInterrupt ? options.shutdownOnInterrupt : options.shutdownOnTerm;
    engine.shutdown().ask(mode::value);
  }

  private void end() {
    if (engine.shutdown().finish()) closeWithoutSaving();
  }

  /**
   * Saves the data if the server has a folder and save points, closes all connections and ends all
   * threads; returns when they are gone. Does not wait for replicas. Closes even if saving fails,
   * which is logged. Data whose loading has not ended are not saved: their file still has them.
   */
  @Override
  public void close() {
    if (isClosed.get() || !keepsFiles()) {
      closeWithoutSaving();
    } else {
      engine.keyspace().withLock(() -> engine.shutdown().request(ShutdownMode.AT_ONCE));
      awaitUninterruptibly();
    }
  }

  private boolean keepsFiles() {
    FileOptions files = settings.fileOptions();
    return files.rdb() != null && !files.savePoints.value().isEmpty();
  }

  /**
   * Closes all connections and ends all threads, and leaves the RDB file as it is: changes since
   * the last save are lost, unless an append only file has them. Returns when all threads are gone.
   */
  public void closeWithoutSaving() {
    if (isClosed.compareAndSet(false, true)) {
      engine.keyspace().loading().giveUp();
      loading.lock(); // until the loader has noticed
      try {
        giveUpSave();
        engine.targets().close();
        network.close();
        engine.appendOnly().close();
        ServerNode node = engine.node();
        if (node != null) node.ended();
      } finally {
        loading.unlock();
      }
      closed.countDown();
    } else {
      awaitUninterruptibly();
    }
  }

  private void giveUpSave() {
    try {
      engine.persistence().giveUpSave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitUninterruptibly() {
    boolean interrupted = false;
    while (true) {
      try {
        closed.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** The configuration of a server that is about to start. */
  public static final class Builder {

    private final Settings settings = new Settings();
    private Clock clock = Clock.system();
    private @Nullable Long seed;
    private boolean listensOnTcp = true;
    private boolean listensInVm;
    private Consumer<RedisServer> onListening = server -> {};
    private Runnable onLost = () -> {};
    private @Nullable ServerNode node;

    private Builder() {}

    /** The TCP port; 0 takes a free one. */
    public Builder port(int port) {
      return option("port", Integer.toString(port));
    }

    /** The number of event loops; by default one for every two processors. */
    public Builder loops(int loops) {
      return option("loops", Integer.toString(loops));
    }

    /**
     * Any option of redis.conf by its name.
     *
     * @throws IllegalArgumentException naming the option and what is wrong with it
     */
    public Builder option(String name, String value) {
      settings.configure(name, value);
      return this;
    }

    /** Changes the default of an option. CONFIG REWRITE does not write it into the file. */
    public Builder preset(String name, String value) {
      settings.preset(name, value);
      return this;
    }

    /** The file that CONFIG REWRITE updates; the server does not read it. */
    public Builder configFile(Path file) {
      settings.file(file);
      return this;
    }

    /**
     * The disk for the server's files, so that tests can make it fail; by default the machine's.
     */
    public Builder disk(Disk files) {
      settings.fileOptions().disk(files);
      return this;
    }

    /** The server's clock; by default the machine's. */
    public Builder clock(Clock time) {
      clock = time;
      return this;
    }

    /** Makes random choices repeatable; by default they differ from run to run. */
    public Builder seed(long randomSeed) {
      seed = randomSeed;
      return this;
    }

    /** Accepts clients of this JVM without a socket, at {@link RedisServer#inVmUrl()}. */
    public Builder inVm() {
      listensInVm = true;
      return this;
    }

    /**
     * Configures the application's logging: the action receives {@code loglevel} and {@code
     * log-format} at the start and whenever they change.
     */
    public Builder onLogging(BiConsumer<String, String> action) {
      settings.onLogging(action);
      return this;
    }

    /** Opens no TCP port. */
    public Builder withoutTcp() {
      listensOnTcp = false;
      return this;
    }

    /**
     * The action to run after an error such as OutOfMemoryError has ended a thread that the server
     * needs; the error is in the log. Without an action the server stays as it is, for the
     * application to close; {@code kermes server} ends the process. Any thread may run the action,
     * more than once, and without memory to spare.
     */
    public Builder onLost(Runnable action) {
      onLost = action;
      return this;
    }

    /** Gives the server a place among others in this JVM; for the test kit. */
    @SuppressWarnings("exports")
    public Builder node(ServerNode self) {
      node = self;
      return this;
    }

    /**
     * The action to run as soon as the server listens, before it loads its files. Clients that
     * connect in the meantime wait; if loading takes longer, their commands get the error {@code
     * LOADING}.
     */
    public Builder onListening(Consumer<RedisServer> action) {
      onListening = action;
      return this;
    }

    /**
     * Starts the server. When this method returns, the server has loaded its files and accepts
     * connections, unless it has been shut down in the meantime.
     *
     * @throws UncheckedIOException if the server cannot listen, or its files cannot be loaded
     */
    public RedisServer start() {
      NettyRelease.require();
      try {
        RedisServer server = new RedisServer(this);
        boolean isUp = false;
        try {
          onListening.accept(server);
          server.load();
          isUp = true;
        } finally {
          if (!isUp) server.closeWithoutSaving();
        }
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(DiskFailure.reason(e), e);
      }
    }

    private RandomGenerator random() {
      RandomGeneratorFactory<RandomGenerator> factory =
          RandomGeneratorFactory.of("L64X128MixRandom");
      return seed == null ? factory.create() : factory.create(seed);
    }
  }
}
