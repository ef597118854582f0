package dev.kermes.client;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects to and how it behaves. Immutable.
 *
 * @param address host and port, unix socket or in-VM name
 * @param usesTls whether the connection is encrypted
 * @param tls how, if it is
 * @param user the ACL user, or null for the default one
 * @param password the password, or null for none
 * @param database the database number
 * @param clientName CLIENT SETNAME, or null
 * @param respVersion 3 (with fall-back to 2) or 2
 * @param setsInfo whether the library tells the server its name and version
 * @param connectTimeout for connecting and for the handshake, each
 * @param commandTimeout deadline of a command that has none of its own; zero for none
 * @param deadPeerTimeout how long replies may be due without a byte before the connection is given
 *     up, and how long a connection on which the server may be silent is trusted without a sign of
 *     life from its host; zero for ever
 * @param queueMax commands queued and in flight on one connection, where each KiB of a request
 *     counts as one more; so it bounds memory as well
 * @param overflow what happens to the command after that
 * @param queuesWhileDisconnected whether commands wait for the next connection or fail at once
 * @param backoffFirst wait after the first failed attempt to connect, before jitter
 * @param backoffMax longest wait between attempts
 * @param blockingMax connections for commands that wait in the server, such as BLPOP, each of which
 *     has one to itself, and for streams read page by page; those beyond wait for one as long as
 *     they would have waited in the server
 * @param dedicatedMax connections that are borrowed, for WATCH and by {@link RedisClient#dedicated}
 * @param deployment one server, a cluster, or a master watched by sentinels
 * @param readFrom which servers answer commands that only read, where there are replicas
 * @param retriesMax how often a command that only reads, or is {@link Command#repeatable}, is sent
 *     again when its connection was lost before the reply; 0 for never
 * @param topologyPeriod how often it is asked who serves what without a reason to; zero for never
 * @param credentials where user and password come from, or null for those above
 * @param observer is told of every command, or null
 * @param connectionObserver is told of connections made and lost, or null
 * @param executor runs stages and callbacks; null for the thread that has read the replies, after
 *     it has left the event loop, and virtual threads while that one is kept busy
 */
public record RedisOptions(
    SocketAddress address,
    boolean usesTls,
    Tls tls,
    @Nullable String user,
    @Nullable String password,
    int database,
    @Nullable String clientName,
    int respVersion,
    boolean setsInfo,
    Duration connectTimeout,
    Duration commandTimeout,
    Duration deadPeerTimeout,
    int queueMax,
    Overflow overflow,
    boolean queuesWhileDisconnected,
    Duration backoffFirst,
    Duration backoffMax,
    int blockingMax,
    int dedicatedMax,
    Deployment deployment,
    ReadFrom readFrom,
    int retriesMax,
    Duration topologyPeriod,
    @Nullable CredentialsProvider credentials,
    @Nullable CommandObserver observer,
    @Nullable ConnectionObserver connectionObserver,
    @Nullable Executor executor) {

  /** What sending does when the queue is full. */
  public enum Overflow {
    /** The caller waits for room; on the event loop, where nobody may wait, the command fails. */
    WAIT,
    /** The command fails with {@link QueueFullException}. */
    FAIL
  }

  /** Rejects what cannot work. */
  public RedisOptions {
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

  /** Never the password. */
  @Override
  public String toString() {
    return "RedisOptions[" + addressText() + ", database=" + database + "]";
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
   * {@code rediss-cluster} and {@code rediss-sentinel} are those over TLS. The query may hold
   * {@code db}, {@code user}, {@code password}, {@code name} for CLIENT SETNAME, and {@code
   * read-from}: {@code master}, {@code prefer-replica}, {@code any}. User and password are
   * percent-decoded and are the servers', not the sentinels'.
   *
   * @throws IllegalArgumentException for anything else; the message does not hold the password
   */
  public static Builder url(String url) {
    return RedisUrl.parse(url);
  }

  /** Starts from the defaults for the cluster that {@code seeds} belong to. */
  public static Builder cluster(List<InetSocketAddress> seeds) {
    return new Builder(seeds.getFirst()).deployment(new Deployment.Cluster(seeds));
  }

  /** Starts from the defaults for the master that {@code sentinels} know by that name. */
  public static Builder sentinel(String master, List<InetSocketAddress> sentinels) {
    Deployment watched = new Deployment.Sentinel(master, sentinels, null, null);
    return new Builder(sentinels.getFirst()).deployment(watched);
  }

  /** The address as people write it, for messages. */
  String addressText() {
    return AddressText.of(address);
  }

  /** Who logs in, unless a provider says so; null for nobody. */
  CredentialsProvider.@Nullable Credentials fixedCredentials() {
    return password == null ? null : new CredentialsProvider.Credentials(user, password);
  }

  /** The same for one server of several: what it cannot take goes elsewhere. */
  RedisOptions at(SocketAddress node) {
    return new Builder(node, this).queuesWhileDisconnected(false).build();
  }

  /** The same for a sentinel, which has other users and no databases. */
  RedisOptions forSentinel(Deployment.Sentinel watched) {
    Builder builder = new Builder(address, this).deployment(new Deployment.Single()).database(0);
    builder.user = watched.user();
    builder.password = watched.password();
    builder.credentials = null;
    return builder.build();
  }

  /** Starts from the defaults for {@code address}. */
  public static Builder address(SocketAddress address) {
    return new Builder(address);
  }

  /** Collects options; every one has a default except the address. */
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

    Builder(SocketAddress address) {
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
    }

    /** Whether to encrypt; with the JVM's trusted certificates, unless more is said. */
    public Builder tls(boolean usesTls) {
      this.usesTls = usesTls;
      return this;
    }

    /** Encrypts with this context, which decides whom to trust and has the client's certificate. */
    public Builder tls(SSLContext context) {
      return tls(new Tls(context, null, null, null, tls.verifiesHost()));
    }

    /** Encrypts, and trusts the authorities whose certificates this PEM file holds. */
    public Builder trust(Path pem) {
      return tls(new Tls(null, pem, tls.certificate(), tls.key(), tls.verifiesHost()));
    }

    /** Encrypts, and shows the server this certificate; both are PEM files, the key in PKCS#8. */
    public Builder certificate(Path chain, Path key) {
      return tls(new Tls(null, tls.trust(), chain, key, tls.verifiesHost()));
    }

    /**
     * Whether the server's certificate must be for the host that was dialled; true by default. To
     * be switched off for tests, or where a trusted authority has only these servers.
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

    /** The ACL user. */
    public Builder user(String user) {
      this.user = user;
      return this;
    }

    /** The password. */
    public Builder password(String password) {
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

    /** For connecting and for the handshake, each; 3 seconds by default. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = connectTimeout;
      return this;
    }

    /** Deadline per command; 10 seconds by default, zero for none. */
    public Builder commandTimeout(Duration commandTimeout) {
      this.commandTimeout = commandTimeout;
      return this;
    }

    /** Silence after which a connection that owes replies is given up; 5 seconds by default. */
    public Builder deadPeerTimeout(Duration deadPeerTimeout) {
      this.deadPeerTimeout = deadPeerTimeout;
      return this;
    }

    /** Commands, or KiB of them, queued and in flight per connection; 65,536 by default. */
    public Builder queueMax(int queueMax) {
      this.queueMax = queueMax;
      return this;
    }

    /** What happens to the next one; WAIT by default. */
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

    Builder deployment(Deployment deployment) {
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

    /** Which servers answer commands that only read; the master by default. */
    public Builder readFrom(ReadFrom readFrom) {
      this.readFrom = readFrom;
      return this;
    }

    /** How often a lost command that is safe to repeat is sent again; 3 by default. */
    public Builder retriesMax(int retriesMax) {
      this.retriesMax = retriesMax;
      return this;
    }

    /** How often to ask who serves what without a reason to; 60 seconds by default. */
    public Builder topologyPeriod(Duration topologyPeriod) {
      this.topologyPeriod = topologyPeriod;
      return this;
    }

    /** Where user and password come from, for those that change. */
    public Builder credentials(CredentialsProvider credentials) {
      this.credentials = credentials;
      return this;
    }

    /** Who is told of every command; nobody by default. */
    public Builder observer(CommandObserver observer) {
      this.observer = observer;
      return this;
    }

    /** Who is told of connections made and lost; nobody by default. The log is told as well. */
    public Builder connectionObserver(ConnectionObserver connectionObserver) {
      this.connectionObserver = connectionObserver;
      return this;
    }

    /**
     * Runs stages and callbacks; by default the thread that has read the replies, after it has left
     * the event loop, and virtual threads while that one is kept busy.
     */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /** The options. */
    public RedisOptions build() {
      return new RedisOptions(
          address,
          usesTls,
          tls,
          user,
          password,
          database,
          clientName,
          respVersion,
          setsInfo,
          connectTimeout,
          commandTimeout,
          deadPeerTimeout,
          queueMax,
          overflow,
          queuesWhileDisconnected,
          backoffFirst,
          backoffMax,
          blockingMax,
          dedicatedMax,
          deployment,
          readFrom,
          retriesMax,
          topologyPeriod,
          credentials,
          observer,
          connectionObserver,
          executor);
    }
  }
}
