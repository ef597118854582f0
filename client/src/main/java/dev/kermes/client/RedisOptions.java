package dev.kermes.client;

import io.netty.channel.local.LocalAddress;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects to and how it behaves. Immutable.
 *
 * @param address host and port, unix socket or in-VM name
 * @param usesTls whether the connection is encrypted
 * @param tls the TLS settings, or null for the JVM's trusted certificates
 * @param user the ACL user, or null for the default one
 * @param password the password, or null for none
 * @param database the database number
 * @param clientName CLIENT SETNAME, or null
 * @param respVersion 3 (with fall-back to 2) or 2
 * @param setsInfo whether the library tells the server its name and version
 * @param connectTimeout for connecting and for the handshake, each
 * @param commandTimeout deadline of a command that has none of its own; zero for none
 * @param deadPeerTimeout how long replies may be due without a byte before the connection is given
 *     up; zero for ever
 * @param queueMax commands queued and in flight on one connection
 * @param overflow what happens to the command after that
 * @param queuesWhileDisconnected whether commands wait for the next connection or fail at once
 * @param backoffFirst wait after the first failed attempt to connect, before jitter
 * @param backoffMax longest wait between attempts
 * @param dedicatedMax connections for blocking commands and transactions
 * @param executor runs stages and callbacks; null for a virtual thread per batch of them
 */
public record RedisOptions(
    SocketAddress address,
    boolean usesTls,
    @Nullable SslContext tls,
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
    int dedicatedMax,
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
    if (queueMax < 1 || dedicatedMax < 1 || database < 0) {
      throw new IllegalArgumentException(
          "out of range: queueMax="
              + queueMax
              + ", dedicatedMax="
              + dedicatedMax
              + ", database="
              + database);
    }
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "RedisOptions[" + address + ", database=" + database + "]";
  }

  /**
   * Options from a URL.
   *
   * <pre>
   *   redis://[[user]:password@]host[:6379][/database]
   *   rediss://…                                        the same over TLS
   *   redis-socket:///path/to/socket[?db=1&amp;user=u&amp;password=p]
   *   redis-local://name                                a server in this JVM
   * </pre>
   *
   * User and password are percent-decoded.
   *
   * @throws IllegalArgumentException for anything else; the message does not hold the password
   */
  public static Builder url(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (java.net.URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getReason());
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    Builder builder =
        switch (scheme) {
          case "redis" -> new Builder(internet(uri));
          case "rediss" -> new Builder(internet(uri)).tls(true);
          case "redis-socket", "unix" -> new Builder(UnixDomainSocketAddress.of(path(uri)));
          case "redis-local" -> new Builder(new LocalAddress(host(uri)));
          default ->
              throw new IllegalArgumentException(
                  "unknown scheme: "
                      + scheme
                      + "; known are redis, rediss, redis-socket, redis-local");
        };
    credentials(uri, builder);
    if (scheme.startsWith("redis") && !scheme.equals("redis-socket")) database(uri, builder);
    query(uri, builder);
    return builder;
  }

  private static SocketAddress internet(URI uri) {
    return InetSocketAddress.createUnresolved(host(uri), uri.getPort() < 0 ? 6379 : uri.getPort());
  }

  private static String host(URI uri) {
    String host = uri.getHost();
    if (host == null) host = authorityWithoutUser(uri);
    if (host.isEmpty()) throw new IllegalArgumentException("no host in URL");
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Names that are no host names, such as those with an underscore. */
  private static String authorityWithoutUser(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null) return "";
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    return host.contains(":") ? "" : host;
  }

  private static String path(URI uri) {
    String path = uri.getPath();
    if (path == null || path.isEmpty()) throw new IllegalArgumentException("no path in URL");
    return path;
  }

  private static void credentials(URI uri, Builder builder) {
    String info = uri.getRawUserInfo();
    if (info == null) return;
    int colon = info.indexOf(':');
    if (colon < 0) {
      builder.password(decoded(info));
      return;
    }
    String user = decoded(info.substring(0, colon));
    if (!user.isEmpty()) builder.user(user);
    builder.password(decoded(info.substring(colon + 1)));
  }

  private static void database(URI uri, Builder builder) {
    String path = uri.getPath();
    if (path != null && path.length() > 1) builder.database(number(path.substring(1)));
  }

  private static void query(URI uri, Builder builder) {
    String query = uri.getRawQuery();
    if (query == null) return;
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
      switch (name) {
        case "db" -> builder.database(number(value));
        case "user" -> builder.user(value);
        case "password" -> builder.password(value);
        case "name" -> builder.clientName(value);
        default -> throw new IllegalArgumentException("unknown parameter in URL: " + name);
      }
    }
  }

  private static int number(String text) {
    if (!text.matches("\\d{1,9}")) {
      throw new IllegalArgumentException("not a database number: " + text);
    }
    return Integer.parseInt(text);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Starts from the defaults for {@code address}. */
  public static Builder address(SocketAddress address) {
    return new Builder(address);
  }

  /** Collects options; every one has a default except the address. */
  public static final class Builder {
    private final SocketAddress address;
    private boolean usesTls;
    private @Nullable SslContext tls;
    private @Nullable String user;
    private @Nullable String password;
    private int database;
    private @Nullable String clientName;
    private int respVersion = 3;
    private boolean setsInfo = true;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration commandTimeout = Duration.ofSeconds(10);
    private Duration deadPeerTimeout = Duration.ofSeconds(15);
    private int queueMax = 65_536;
    private Overflow overflow = Overflow.WAIT;
    private boolean queuesWhileDisconnected = true;
    private Duration backoffFirst = Duration.ofMillis(20);
    private Duration backoffMax = Duration.ofSeconds(5);
    private int dedicatedMax = 8;
    private @Nullable Executor executor;

    private Builder(SocketAddress address) {
      this.address = address;
    }

    /** Whether to encrypt, with the JVM's trusted certificates. */
    public Builder tls(boolean usesTls) {
      this.usesTls = usesTls;
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

    /** For connecting and for the handshake, each; 5 seconds by default. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = connectTimeout;
      return this;
    }

    /** Deadline per command; 10 seconds by default, zero for none. */
    public Builder commandTimeout(Duration commandTimeout) {
      this.commandTimeout = commandTimeout;
      return this;
    }

    /** Silence after which a connection that owes replies is given up; 15 seconds by default. */
    public Builder deadPeerTimeout(Duration deadPeerTimeout) {
      this.deadPeerTimeout = deadPeerTimeout;
      return this;
    }

    /** Commands queued and in flight per connection; 65,536 by default. */
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

    /** Longest wait between attempts; 5 seconds by default. */
    public Builder backoffMax(Duration backoffMax) {
      this.backoffMax = backoffMax;
      return this;
    }

    /** Connections for blocking commands and transactions; 8 by default. */
    public Builder dedicatedMax(int dedicatedMax) {
      this.dedicatedMax = dedicatedMax;
      return this;
    }

    /** Runs stages and callbacks; a virtual thread per batch by default. */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /** Encrypts with these settings. */
    public Builder tls(SslContext context) {
      tls = context;
      usesTls = true;
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
          dedicatedMax,
          executor);
    }
  }
}
