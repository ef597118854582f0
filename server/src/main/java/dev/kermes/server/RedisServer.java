package dev.kermes.server;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.command.LogReplay;
import dev.kermes.server.connection.Network;
import dev.kermes.server.disk.Disk;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
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
 * Any number of them can run side by side; each has its own threads, which {@link #close()} ends.
 * Any thread.
 */
public final class RedisServer implements AutoCloseable {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Engine engine;
  private final Network network;
  private final Settings settings;
  private final String inVmName;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  private RedisServer(Builder builder) throws IOException {
    settings = builder.settings;
    CommandTable table =
        CommandTable.standard().renamed(settings.accessOptions().renamedCommands());
    engine = new Engine(builder.clock, builder.random(), settings, table);
    engine.accessControl().load();
    engine.appendOnly().start(() -> new LogReplay(engine, table));
    inVmName = "kermes-" + NUMBER.incrementAndGet();
    network = new Network(engine, table, inVmName);
    engine.onShutdown(() -> new Thread(this::close, inVmName + "-shutdown").start());
    try {
      if (builder.listensOnTcp) network.listen(settings.bind(), settings.port());
      if (settings.tlsOptions().port > 0) network.listenTls(settings.bind());
      if (!settings.unixSocket().isEmpty()) network.listenUnix(settings.unixSocket());
      if (builder.listensInVm) network.listenInVm(inVmName);
    } catch (IOException | RuntimeException e) {
      network.close();
      throw e;
    }
  }

  /** Starts a server on a free port of the loopback address, with Redis's defaults otherwise. */
  public static RedisServer start() {
    return builder().port(0).start();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The TCP port that it listens on. */
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

  /** For tests: what it consists of. */
  Engine engine() {
    return engine;
  }

  /** Waits until the server has been closed, by {@link #close()} or by SHUTDOWN. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /** Saves the data if there are save points, and closes. */
  public void shutDown() {
    if (!isClosed.get() && !settings.fileOptions().savePoints.isEmpty()) save();
    close();
  }

  private void save() {
    try {
      engine.withFloor(engine.persistence()::save);
    } catch (IOException e) {
      // It is in the log; the server ends all the same.
    }
  }

  /** Closes all connections and ends all threads without saving; returns when they are gone. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      giveUpSave();
      engine.targets().close();
      network.close();
      engine.appendOnly().close();
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

  /** How a server shall be. */
  public static final class Builder {

    private final Settings settings = new Settings();
    private Clock clock = Clock.system();
    private @Nullable Long seed;
    private boolean listensOnTcp = true;
    private boolean listensInVm;

    private Builder() {}

    /** The TCP port; 0 takes a free one. */
    public Builder port(int port) {
      return option("port", Integer.toString(port));
    }

    /** How many event loops; by default one per processor. */
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

    /** The file that CONFIG REWRITE brings up to date; it is not read. */
    public Builder configFile(Path file) {
      settings.file(file);
      return this;
    }

    /** What it writes its files with, so that tests can have it fail; by default the machine's. */
    public Builder disk(Disk files) {
      settings.fileOptions().disk = files;
      return this;
    }

    /** The time that the server lives in; by default the machine's. */
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

    /** Opens no TCP port. */
    public Builder withoutTcp() {
      listensOnTcp = false;
      return this;
    }

    /**
     * Starts it; it accepts connections when this returns.
     *
     * @throws UncheckedIOException if it cannot listen
     */
    public RedisServer start() {
      try {
        return new RedisServer(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }

    private RandomGenerator random() {
      RandomGeneratorFactory<RandomGenerator> factory =
          RandomGeneratorFactory.of("L64X128MixRandom");
      return seed == null ? factory.create() : factory.create(seed);
    }
  }
}
