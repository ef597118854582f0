package dev.kermes.client;

import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.address.RedisUrl;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address of a client's servers, and the client's settings. Immutable; made by a {@link
 * Builder}.
 */
public final class RedisOptions {
  /** The behaviour of sending when the queue is full. */
  public enum Overflow {
    /**
     * The caller waits for free permits; on the event loop, which must not block, the command
     * fails.
     */
    WAIT,
    /** The command fails with {@link QueueFullException}. */
    FAIL
  }

  private static final LongSupplier MACHINE_CLOCK = System::nanoTime;

  private final SocketAddress address;
  private final boolean usesTls;
  private final Tls tls;
  private final @Nullable String user;
  private final @Nullable String password;
  private final int database;
  private final @Nullable String clientName;
  private final int respVersion;
  private final boolean setsInfo;
  private final Duration connectTimeout;
  private final Duration commandTimeout;
  private final Duration deadPeerTimeout;
  private final int queueMax;
  private final Overflow overflow;
  private final boolean queuesWhileDisconnected;
  private final Duration backoffFirst;
  private final Duration backoffMax;
  private final int blockingMax;
  private final int dedicatedMax;
  private final Deployment deployment;
  private final ReadFrom readFrom;
  private final int retriesMax;
  private final Duration topologyPeriod;
  private final @Nullable CredentialsProvider credentials;
  private final @Nullable CommandObserver observer;
  private final @Nullable ConnectionObserver connectionObserver;
  private final @Nullable Executor executor;
  private final LongSupplier clock;

  private RedisOptions(Builder builder) {
    address = builder.address;
    usesTls = builder.usesTls;
    tls = builder.tls;
    user = builder.user;
    password = builder.password;
    database = builder.database;
    clientName = builder.clientName;
    respVersion = builder.respVersion;
    setsInfo = builder.setsInfo;
    connectTimeout = builder.connectTimeout;
    commandTimeout = builder.commandTimeout;
    deadPeerTimeout = builder.deadPeerTimeout;
    queueMax = builder.queueMax;
    overflow = builder.overflow;
    queuesWhileDisconnected = builder.queuesWhileDisconnected;
    backoffFirst = builder.backoffFirst;
    backoffMax = builder.backoffMax;
    blockingMax = builder.blockingMax;
    dedicatedMax = builder.dedicatedMax;
    deployment = builder.deployment;
    readFrom = builder.readFrom;
    retriesMax = builder.retriesMax;
    topologyPeriod = builder.topologyPeriod;
    credentials = builder.credentials;
    observer = builder.observer;
    connectionObserver = builder.connectionObserver;
    executor = builder.executor;
    clock = builder.clock;
    check();
  }

  /** Rejects combinations that cannot work. */
  private void check() {
    if (respVersion != 2 && respVersion != 3) {
      throw new IllegalArgumentException("respVersion must be 2 or 3: " + respVersion);
    }
    if (deployment instanceof Deployment.Cluster && database != 0) {
      throw new IllegalArgumentException("a cluster has no databases: database=" + database);
    }
    if (retriesMax < 0 || queueMax < 1 || blockingMax < 1 || dedicatedMax < 1 || database < 0) {
      throw new IllegalArgumentException(
          "out of range: queueMax="
              + queueMax
              + ", blockingMax="
              + blockingMax
              + ", dedicatedMax="
              + dedicatedMax
              + ", database="
              + database);
    }
  }

  /** The address to connect to: host and port, unix socket or in-VM name. */
  public SocketAddress address() {
    return address;
  }

  /** Whether connections are encrypted. */
  public boolean usesTls() {
    return usesTls;
  }

  /** The TLS settings, used if {@link #usesTls}. */
  public Tls tls() {
    return tls;
  }

  /** The ACL user, or null for the default one. */
  public @Nullable String user() {
    return user;
  }

  /** The password, or null for none. */
  public @Nullable String password() {
    return password;
  }

  /** The database number. */
  public int database() {
    return database;
  }

  /** The name for CLIENT SETNAME, or null. */
  public @Nullable String clientName() {
    return clientName;
  }

  /** The RESP version: 3 (with fall-back to 2) or 2. */
  public int respVersion() {
    return respVersion;
  }

  /** Whether the client sends its library name and version to the server. */
  public boolean setsInfo() {
    return setsInfo;
  }

  /** The timeout for connecting and, again, for the handshake. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** The deadline of a command without a deadline of its own; zero for none. */
  public Duration commandTimeout() {
    return commandTimeout;
  }

  /**
   * How long the client trusts a silent peer; zero means without limit. A connection is closed when
   * replies are due and no byte has arrived for this long, and a connection on which the server may
   * be silent when its host has not acknowledged anything for this long.
   */
  public Duration deadPeerTimeout() {
    return deadPeerTimeout;
  }

  /**
   * The maximum number of commands queued and in flight on one connection. Each KiB of a request
   * counts as one more command, so the limit bounds memory as well.
   */
  public int queueMax() {
    return queueMax;
  }

  /** The treatment of a command when the queue is full. */
  public Overflow overflow() {
    return overflow;
  }

  /** Whether commands wait for the next connection; if not, they fail at once. */
  public boolean queuesWhileDisconnected() {
    return queuesWhileDisconnected;
  }

  /** The wait after the first failed attempt to connect, before jitter. */
  public Duration backoffFirst() {
    return backoffFirst;
  }

  /** The longest wait between two attempts to connect. */
  public Duration backoffMax() {
    return backoffMax;
  }

  /**
   * The maximum number of connections for commands that wait in the server, such as BLPOP, and for
   * streams read page by page. Each of them uses a connection alone; further ones wait for a
   * connection as long as they would have waited in the server.
   */
  public int blockingMax() {
    return blockingMax;
  }

  /**
   * The maximum number of borrowed connections, for WATCH and for {@link RedisClient#dedicated}.
   */
  public int dedicatedMax() {
    return dedicatedMax;
  }

  /** The arrangement of the servers: one server, a cluster, or a master monitored by sentinels. */
  public Deployment deployment() {
    return deployment;
  }

  /** The servers that answer commands that only read, where there are replicas. */
  public ReadFrom readFrom() {
    return readFrom;
  }

  /**
   * How often a command that only reads, or is {@link Command#repeatable}, is sent again when its
   * connection was lost before the reply; 0 for never.
   */
  public int retriesMax() {
    return retriesMax;
  }

  /** How often the topology is refreshed without a reason to; zero for never. */
  public Duration topologyPeriod() {
    return topologyPeriod;
  }

  /** The source of user and password, or null for {@link #user} and {@link #password}. */
  public @Nullable CredentialsProvider credentials() {
    return credentials;
  }

  /** The observer of commands, or null. */
  public @Nullable CommandObserver observer() {
    return observer;
  }

  /** The observer of connections, or null. */
  public @Nullable ConnectionObserver connectionObserver() {
    return connectionObserver;
  }

  /**
   * The executor of stages and callbacks. Null means the thread that has read the replies, after it
   * has left the event loop, and virtual threads while that thread is busy.
   */
  public @Nullable Executor executor() {
    return executor;
  }

  /** The clock of deadlines: nanoseconds that never run backwards, from any origin. */
  public LongSupplier clock() {
    return clock;
  }

  /** Whether deadlines follow a clock other than the machine's. */
  public boolean hasOwnClock() {
    return clock != MACHINE_CLOCK;
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    return "RedisOptions[" + AddressText.of(address) + ", database=" + database + "]";
  }

  /**
   * Options from a URL.
   *
   * <pre>
   *   redis://[[user]:password@]host[:6379][/database]
   *   rediss://…                                        the same over TLS
   *   redis-socket:///path/to/socket[?db=1&amp;user=u&amp;password=p]
   *   redis-local://name                                a server in this JVM
   *   redis-cluster://[[user]:password@]host[:6379][,host[:port]…]
   *   redis-sentinel://[[user]:password@]host[:26379][,…][/database]?master=name
   * </pre>
   *
   * {@code rediss-cluster} and {@code rediss-sentinel} are the same over TLS. The query may contain
   * {@code db}, {@code user}, {@code password}, {@code name} for CLIENT SETNAME, and {@code
   * read-from}: {@code master}, {@code prefer-replica}, {@code any}. User and password are
   * percent-decoded; they are for the servers, not for the sentinels.
   *
   * @throws IllegalArgumentException for anything else; the message does not contain the password
   */
  public static Builder url(String url) {
    return RedisUrl.parse(url);
  }

  /** A builder that starts from the defaults for the cluster that {@code seeds} belong to. */
  public static Builder cluster(List<InetSocketAddress> seeds) {
    return new Builder(seeds.getFirst()).deployment(new Deployment.Cluster(seeds));
  }

  /**
   * A builder that starts from the defaults for the master that {@code sentinels} know by this
   * name.
   */
  public static Builder sentinel(String master, List<InetSocketAddress> sentinels) {
    Deployment watched = new Deployment.Sentinel(master, sentinels, null, null);
    return new Builder(sentinels.getFirst()).deployment(watched);
  }

  /** A builder that starts from these options. */
  public Builder toBuilder() {
    return toBuilder(address);
  }

  /** A builder that starts from these options, for another address. */
  public Builder toBuilder(SocketAddress address) {
    return new Builder(address, this);
  }

  /** A builder that starts from the defaults for {@code address}. */
  public static Builder address(SocketAddress address) {
    return new Builder(address);
  }

  /** Collects options; all except the address have defaults. */
  public static final class Builder {
    private final SocketAddress address;
    private boolean usesTls;
    private Tls tls = Tls.DEFAULT;
    private @Nullable String user;
    private @Nullable String password;
    private int database;
    private @Nullable String clientName;
    private int respVersion = 3;
    private boolean setsInfo = true;
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Duration commandTimeout = Duration.ofSeconds(10);
    private Duration deadPeerTimeout = Duration.ofSeconds(5);
    private int queueMax = 65_536;
    private Overflow overflow = Overflow.WAIT;
    private boolean queuesWhileDisconnected = true;
    private Duration backoffFirst = Duration.ofMillis(20);
    private Duration backoffMax = Duration.ofSeconds(2);
    private int blockingMax = 1024;
    private int dedicatedMax = 128;
    private Deployment deployment = new Deployment.Single();
    private ReadFrom readFrom = ReadFrom.MASTER;
    private int retriesMax = 3;
    private Duration topologyPeriod = Duration.ofSeconds(60);
    private @Nullable CredentialsProvider credentials;
    private @Nullable CommandObserver observer;
    private @Nullable ConnectionObserver connectionObserver;
    private @Nullable Executor executor;
    private LongSupplier clock = MACHINE_CLOCK;

    private Builder(SocketAddress address) {
      this.address = address;
    }

    private Builder(SocketAddress address, RedisOptions like) {
      this.address = address;
      usesTls = like.usesTls;
      tls = like.tls;
      user = like.user;
      password = like.password;
      database = like.database;
      clientName = like.clientName;
      respVersion = like.respVersion;
      setsInfo = like.setsInfo;
      connectTimeout = like.connectTimeout;
      commandTimeout = like.commandTimeout;
      deadPeerTimeout = like.deadPeerTimeout;
      queueMax = like.queueMax;
      overflow = like.overflow;
      queuesWhileDisconnected = like.queuesWhileDisconnected;
      backoffFirst = like.backoffFirst;
      backoffMax = like.backoffMax;
      blockingMax = like.blockingMax;
      dedicatedMax = like.dedicatedMax;
      deployment = like.deployment;
      readFrom = like.readFrom;
      retriesMax = like.retriesMax;
      topologyPeriod = like.topologyPeriod;
      credentials = like.credentials;
      observer = like.observer;
      connectionObserver = like.connectionObserver;
      executor = like.executor;
      clock = like.clock;
    }

    /** Whether to encrypt; with the JVM's trusted certificates by default. */
    public Builder tls(boolean usesTls) {
      this.usesTls = usesTls;
      return this;
    }

    /**
     * Encrypts with this context, which holds the trusted authorities and the client's certificate.
     */
    public Builder tls(SSLContext context) {
      return tls(new Tls(context, null, null, null, tls.verifiesHost()));
    }

    /** Encrypts, and trusts the authorities whose certificates are in this PEM file. */
    public Builder trust(Path pem) {
      return tls(new Tls(null, pem, tls.certificate(), tls.key(), tls.verifiesHost()));
    }

    /**
     * Encrypts, and presents this certificate to the server; both are PEM files, the key in PKCS#8.
     */
    public Builder certificate(Path chain, Path key) {
      return tls(new Tls(null, tls.trust(), chain, key, tls.verifiesHost()));
    }

    /**
     * Whether the server's certificate must match the host of the address; true by default. Switch
     * it off only for tests, or where the trusted authority certifies only these servers.
     */
    public Builder verifiesHost(boolean verifiesHost) {
      tls = new Tls(tls.context(), tls.trust(), tls.certificate(), tls.key(), verifiesHost);
      return this;
    }

    private Builder tls(Tls tls) {
      this.tls = tls;
      usesTls = true;
      return this;
    }

    /** The ACL user; null for the default one. */
    public Builder user(@Nullable String user) {
      this.user = user;
      return this;
    }

    /** The password; null for no login. */
    public Builder password(@Nullable String password) {
      this.password = password;
      return this;
    }

    /** The database number; 0 by default. */
    public Builder database(int database) {
      this.database = database;
      return this;
    }

    /** The name in CLIENT LIST. */
    public Builder clientName(String clientName) {
      this.clientName = clientName;
      return this;
    }

    /** 3 (default; falls back to 2) or 2. */
    public Builder respVersion(int respVersion) {
      this.respVersion = respVersion;
      return this;
    }

    /** Whether to send CLIENT SETINFO; true by default. */
    public Builder setsInfo(boolean setsInfo) {
      this.setsInfo = setsInfo;
      return this;
    }

    /** The timeout for connecting and, again, for the handshake; 3 seconds by default. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = connectTimeout;
      return this;
    }

    /** Deadline per command; 10 seconds by default, zero for none. */
    public Builder commandTimeout(Duration commandTimeout) {
      this.commandTimeout = commandTimeout;
      return this;
    }

    /** The silence after which a connection with due replies is closed; 5 seconds by default. */
    public Builder deadPeerTimeout(Duration deadPeerTimeout) {
      this.deadPeerTimeout = deadPeerTimeout;
      return this;
    }

    /** Commands, or KiB of them, queued and in flight per connection; 65,536 by default. */
    public Builder queueMax(int queueMax) {
      this.queueMax = queueMax;
      return this;
    }

    /** The treatment of a command when the queue is full; WAIT by default. */
    public Builder overflow(Overflow overflow) {
      this.overflow = overflow;
      return this;
    }

    /** Whether commands wait for a connection; true by default. */
    public Builder queuesWhileDisconnected(boolean queuesWhileDisconnected) {
      this.queuesWhileDisconnected = queuesWhileDisconnected;
      return this;
    }

    /** Wait after the first failure to connect; 20 ms by default. */
    public Builder backoffFirst(Duration backoffFirst) {
      this.backoffFirst = backoffFirst;
      return this;
    }

    /** Longest wait between attempts; 2 seconds by default. */
    public Builder backoffMax(Duration backoffMax) {
      this.backoffMax = backoffMax;
      return this;
    }

    /** Connections for commands that wait in the server, such as BLPOP; 1,024 by default. */
    public Builder blockingMax(int blockingMax) {
      this.blockingMax = blockingMax;
      return this;
    }

    /** Connections for WATCH and other borrowers; 128 by default. */
    public Builder dedicatedMax(int dedicatedMax) {
      this.dedicatedMax = dedicatedMax;
      return this;
    }

    /** How the servers are found: one, a cluster, or a master that sentinels watch. */
    public Builder deployment(Deployment deployment) {
      this.deployment = deployment;
      return this;
    }

    /** The user and password of the sentinels, which are not the servers'. */
    public Builder sentinelCredentials(@Nullable String user, String password) {
      if (!(deployment instanceof Deployment.Sentinel watched)) {
        throw new IllegalStateException("no sentinels: deployment=" + deployment);
      }
      return deployment(
          new Deployment.Sentinel(watched.master(), watched.sentinels(), user, password));
    }

    /** The servers that answer commands that only read; the master by default. */
    public Builder readFrom(ReadFrom readFrom) {
      this.readFrom = readFrom;
      return this;
    }

    /** How often a lost command that is safe to repeat is sent again; 3 by default. */
    public Builder retriesMax(int retriesMax) {
      this.retriesMax = retriesMax;
      return this;
    }

    /** How often to refresh the topology without a reason to; 60 seconds by default. */
    public Builder topologyPeriod(Duration topologyPeriod) {
      this.topologyPeriod = topologyPeriod;
      return this;
    }

    /** The source of user and password, if they change; null for none. */
    public Builder credentials(@Nullable CredentialsProvider credentials) {
      this.credentials = credentials;
      return this;
    }

    /** The observer of commands; none by default. */
    public Builder observer(CommandObserver observer) {
      this.observer = observer;
      return this;
    }

    /** The observer of connections; none by default. Their events are logged in any case. */
    public Builder connectionObserver(ConnectionObserver connectionObserver) {
      this.connectionObserver = connectionObserver;
      return this;
    }

    /**
     * The executor of stages and callbacks; by default the thread that has read the replies, after
     * it has left the event loop, and virtual threads while that thread is busy.
     */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * The clock of the deadlines of commands and transactions, for tests; the machine's by default.
     * Connecting, waiting for a dedicated connection, retries and the check for a silent peer stay
     * on the machine's.
     *
     * @param nanos nanoseconds that never run backwards, from any origin
     */
    public Builder clock(LongSupplier nanos) {
      this.clock = nanos;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws IllegalArgumentException if they cannot work
     */
    public RedisOptions build() {
      return new RedisOptions(this);
    }
  }
}
