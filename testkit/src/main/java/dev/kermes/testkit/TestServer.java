package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server for tests: on a free port, with a clock that stands until the test moves it, and
 * with faults.
 *
 * <pre>{@code
 * try (TestServer server = TestServer.start()) {
 *   server.client().blocking().set("session", "ann", new SetOptions().ex(60));
 *   server.clock().advance(Duration.ofSeconds(61));
 *   server.faults().on("GET").error("LOADING Redis is loading the dataset in memory");
 * }
 * }</pre>
 *
 * With the system property {@value #URL_PROPERTY} the same tests run against a real server, which
 * must be empty: tests delete all its data. Faults work there as well; {@link #clock} and {@link
 * Builder#option} do not, and say so.
 *
 * <p>Any thread; {@link #reset} and {@link #close} while no other thread uses the server.
 */
public final class TestServer implements TestDeployment {

  /** The system property with the URL of a real server: {@code redis://host:port}. */
  public static final String URL_PROPERTY = "kermes.test.url";

  /** The system property that allows tests to delete data that a real server had before. */
  public static final String OVERWRITE_PROPERTY = "kermes.test.overwrite";

  private static final int KEYS_SHOWN = 50;

  private final Target target;
  private final FrontTls tls;
  private final Faults faults;
  private final Proxy proxy;
  private ControlConnection control;
  private ServerState start;
  private @Nullable RedisClient client;

  private TestServer(Target target, long seed, FrontTls tls) throws IOException {
    this.target = target;
    this.tls = tls;
    faults = new Faults(seed);
    control = new ControlConnection(target.address());
    start = ServerState.read(control);
    proxy = new Proxy(target.address(), faults, tls);
  }

  /** Starts a server with Redis's default options. */
  public static TestServer start() {
    return builder().start();
  }

  /** A builder with Redis's default options, the clock of a test, and seed 0. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether {@value #URL_PROPERTY} names a real server. */
  public static boolean isReal() {
    return System.getProperty(URL_PROPERTY) != null;
  }

  // Access

  /** The URL for clients: {@code redis://127.0.0.1:port}, or {@code rediss}. */
  @Override
  public String url() {
    return target.address().through(port()).url(tls.scheme());
  }

  /** The address for clients: {@code 127.0.0.1}. */
  public String host() {
    return "127.0.0.1";
  }

  /** The port for clients; it stays the same until the end. */
  public int port() {
    return proxy.port();
  }

  /** The URL for clients whose commands meet no faults, and are not in {@link #report}. */
  public String directUrl() {
    return target.address().url("redis");
  }

  /** A client of this server, which ends with it. Its commands meet the faults, too. */
  @Override
  public synchronized RedisClient client() {
    if (client == null) client = tls.open(url());
    return client;
  }

  /**
   * The server's clock.
   *
   * @throws IllegalStateException if the server is a real one, or was started in real time
   */
  @Override
  public ManualClock clock() {
    return target.clock();
  }

  /** The faults that clients meet. */
  @Override
  public Faults faults() {
    return faults;
  }

  // State

  /**
   * Returns the server to its state at the start, except for its clock: no data in any database,
   * the first options, users, scripts, functions and statistics, no replication, no faults, no
   * report. Closes connections that subscribe, wait, watch keys or are in a transaction; other
   * connections stay open. A server in this JVM that does not reply within 5 seconds, or refuses,
   * is replaced by a new one.
   *
   * @throws IllegalStateException if a real server cannot be reset
   */
  @Override
  public void reset() {
    faults.clear();
    target.sync();
    try {
      ServerState.awaitEnd(control, proxy.closeAll(start.restore(control)));
    } catch (IOException e) {
      target.replace(e);
      connectAnew();
    }
    proxy.log().clear();
  }

  private void connectAnew() {
    try {
      control.close();
      proxy.target(target.address());
      control = new ControlConnection(target.address());
      start = ServerState.read(control);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The disk

  /**
   * Lets what is written from now on stay off the disk until {@link #crash}, as if the next sync of
   * {@code appendfsync everysec} were still to come.
   *
   * @throws IllegalStateException without {@link Builder#onDisk}
   */
  public void holdSyncs() {
    target.holdSyncs();
  }

  /**
   * Ends the server as a loss of power does, and starts it at the same port with what its append
   * only file has on the disk: acknowledged writes since the last sync are lost. Closes all
   * connections.
   *
   * @throws IllegalStateException without {@link Builder#onDisk}
   */
  public void crash() {
    try {
      target.crash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    faults.disconnectAll();
    connectAnew();
  }

  /** The last commands since the reset with their replies and faults, and the keys; many lines. */
  @Override
  public String report() {
    List<String> lines = new ArrayList<>();
    lines.add("Redis at " + host() + ":" + port());
    lines.addAll(proxy.log().lines());
    try (ControlConnection own = new ControlConnection(target.address())) {
      lines.addAll(ServerState.describeKeys(own, KEYS_SHOWN));
    } catch (IOException e) {
      lines.add("keys: the server cannot list them: " + e.getMessage());
    }
    return String.join("\n", lines);
  }

  /** Ends the server, its client and all connections; returns when their threads are gone. */
  @Override
  public synchronized void close() {
    faults.clear();
    if (client != null) client.close();
    try {
      proxy.close();
      if (target instanceof RealTarget) start.restore(control);
      control.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      target.close();
    }
  }

  /** The configuration of a server that is about to start. */
  public static final class Builder {

    private final Map<String, String> options = new LinkedHashMap<>();
    private long seed;
    private boolean isRealTime;
    private boolean isOnDisk;
    private FrontTls tls = FrontTls.NONE;

    private Builder() {}

    /** Any option of redis.conf by its name; for servers in this JVM only. */
    public Builder option(String name, String value) {
      options.put(name, value);
      return this;
    }

    /** The seed of the server's random choices, and of jitter and probability of faults. */
    public Builder seed(long number) {
      seed = number;
      return this;
    }

    /**
     * Makes clients use TLS; {@link TestServer#directUrl} does without.
     *
     * @param context has the key and the certificate. The kit's own client trusts what the context
     *     trusts
     */
    public Builder tls(SSLContext context) {
      tls = new FrontTls(context);
      return this;
    }

    /** Lets the server's clock run, for tests that wait; they cannot move it. */
    public Builder realTime() {
      isRealTime = true;
      return this;
    }

    /**
     * Keeps an append only file in a temporary folder, for {@link TestServer#crash}; it is synced
     * once a second of the machine's clock, or as {@code appendfsync} says.
     */
    public Builder onDisk() {
      isOnDisk = true;
      return this;
    }

    /**
     * Starts the server, or uses the one that {@value TestServer#URL_PROPERTY} names.
     *
     * @throws IllegalArgumentException for an unknown option, a wrong value, or a malformed URL
     * @throws IllegalStateException if a real server has data, or options are given for one
     * @throws UncheckedIOException if the server cannot be reached
     */
    public TestServer start() {
      Target target = isReal() ? real() : embedded();
      try {
        return new TestServer(target, seed, tls);
      } catch (IOException e) {
        target.close();
        throw new UncheckedIOException(
            "no Redis at " + target.address().hostAndPort() + ": " + e.getMessage(), e);
      }
    }

    private Target embedded() {
      ManualClock clock = isRealTime ? null : Clock.manual(System.currentTimeMillis());
      return new EmbeddedTarget(options, seed, clock, isOnDisk ? new CrashDisk(seed) : null);
    }

    private Target real() {
      String url = System.getProperty(URL_PROPERTY);
      if (!options.isEmpty()) {
        throw new IllegalStateException(
            "options need the embedded server, but "
                + URL_PROPERTY
                + " names a real one: options="
                + options.keySet());
      }
      ServerAddress address = ServerAddress.parse(URL_PROPERTY, url);
      if (!Boolean.getBoolean(OVERWRITE_PROPERTY)) requireEmpty(address);
      return new RealTarget(address);
    }

    private static void requireEmpty(ServerAddress address) {
      try (ControlConnection control = new ControlConnection(address)) {
        String keys = control.call(List.of("INFO", "keyspace")).readString();
        if (keys == null || !keys.contains("keys=")) return;
        throw new IllegalStateException(
            "tests delete all data of the real server, but it has some: "
                + address.hostAndPort()
                + "; to allow it, set "
                + OVERWRITE_PROPERTY
                + "=true");
      } catch (IOException e) {
        throw new UncheckedIOException(
            "no Redis at " + address.hostAndPort() + ": " + e.getMessage(), e);
      }
    }
  }
}
