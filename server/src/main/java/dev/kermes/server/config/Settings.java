package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.shutdown;
import static dev.kermes.server.config.OptionKinds.text;
import static dev.kermes.server.config.OptionKinds.yesNo;

import dev.kermes.server.data.EncodingLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration, under Redis's names; each option can parse and print itself. Guarded by the
 * keyspace lock once the server runs.
 */
public final class Settings {

  private final OptionTable options = new OptionTable();
  private final List<String> ignored = new ArrayList<>();

  private final EncodingLimits encodingLimits = new EncodingLimits();
  private final OutputLimits outputLimits = new OutputLimits();
  private final MemoryLimits memoryLimits = new MemoryLimits();
  private final LazyFreeing lazyFreeing = new LazyFreeing();
  private final FileOptions fileOptions = new FileOptions();
  private final MonitoringOptions monitoringOptions = new MonitoringOptions();
  private final AclOptions accessOptions = new AclOptions();
  private final ReplicationOptions replicationOptions = new ReplicationOptions();
  private final TlsOptions tlsOptions = new TlsOptions();

  private Runnable changed = () -> {};
  private @Nullable Path file;

  private int port = 6379;
  private String bind = "127.0.0.1 -::1";
  private String unixSocket = "";
  private String unixSocketMode = "0";
  private String unixSocketGroup = "";
  private String pidFile = "";

  /** Whether the program is to run in the background; this class only stores the option. */
  private boolean daemonize;

  private boolean protectedMode = true;
  private int databases = 16;

  /** Half the cores: the kernel and the clients on this machine need the others. Decision 1. */
  private int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private String transport = "auto";
  private int timeoutSeconds;
  private int tcpKeepAliveSeconds = 300;
  private int tcpBacklog = 511;
  private int maxClients = 10_000;
  private String availabilityZone = "";
  private boolean importMode;
  private int clientDefaultResp = 2;
  private long protoMaxBulkLength = 512L << 20;
  private int hz = 10;
  private Release announcedRelease = Release.OURS;
  private long busyReplyMillis = 5000;

  /** A quarter of the heap: scripts and functions, each with this limit, leave half to the data. */
  private long scriptMemoryBytes = Runtime.getRuntime().maxMemory() / 4;

  private int shutdownTimeoutSeconds = 10;
  private ShutdownMode shutdownOnInterrupt = ShutdownMode.DEFAULT;
  private ShutdownMode shutdownOnTerm = ShutdownMode.DEFAULT;
  private int notifyKeyspaceEvents;
  private String logLevel = "notice";
  private String logFile = "";
  private String logFormat = "legacy";
  private BiConsumer<String, String> onLogging = (level, format) -> {};
  private String enableDebugCommand = "local";

  public Settings() {
    options.mutable("port", number(0, 65_535, () -> port, value -> port = (int) value));
    options.mutable("bind", text(() -> bind, value -> bind = value));
    options.fixed("unixsocket", text(() -> unixSocket, value -> unixSocket = value));
    options.fixed("unixsocketperm", text(() -> unixSocketMode, value -> unixSocketMode = value));
    options.mutable(
        "unixsocketgroup", text(() -> unixSocketGroup, value -> unixSocketGroup = value));
    options.fixed("pidfile", text(() -> pidFile, value -> pidFile = value));
    options.fixed("daemonize", yesNo(() -> daemonize, value -> daemonize = value));
    options.fixed(
        "databases", number(1, 10_000, () -> databases, value -> databases = (int) value));
    options.settled("loops", number(1, 1024, () -> loops, value -> loops = (int) value));
    options.settled("transport", text(() -> transport, value -> transport = value));
    options.fixed(
        "tcp-backlog", number(0, 65_535, () -> tcpBacklog, value -> tcpBacklog = (int) value));
    options.fixed("logfile", text(() -> logFile, value -> logFile = value));
    options.fixed(
        "enable-debug-command",
        text(() -> enableDebugCommand, value -> enableDebugCommand = value));
    options.mutable(
        "loglevel",
        choice(
            List.of("debug", "verbose", "notice", "warning", "nothing"),
            () -> logLevel,
            value -> logs(value, logFormat)));
    options.mutable(
        "log-format",
        choice(
            List.of("legacy", "logfmt", "json"), () -> logFormat, value -> logs(logLevel, value)));
    options.mutable("protected-mode", yesNo(() -> protectedMode, value -> protectedMode = value));
    options.mutable(
        "timeout",
        number(0, Integer.MAX_VALUE, () -> timeoutSeconds, value -> timeoutSeconds = (int) value));
    options.mutable(
        "tcp-keepalive",
        number(
            0,
            Integer.MAX_VALUE,
            () -> tcpKeepAliveSeconds,
            value -> tcpKeepAliveSeconds = (int) value));
    options.mutable(
        "maxclients",
        number(1, Integer.MAX_VALUE, () -> maxClients, value -> maxClients = (int) value));
    options.fixed(
        "client-default-resp",
        number(2, 3, () -> clientDefaultResp, value -> clientDefaultResp = (int) value));
    options.mutable("import-mode", yesNo(() -> importMode, value -> importMode = value));
    options.mutable(
        "availability-zone", text(() -> availabilityZone, value -> availabilityZone = value));
    options.mutable(
        "proto-max-bulk-len",
        memory(
            1 << 20,
            Integer.MAX_VALUE,
            () -> protoMaxBulkLength,
            value -> protoMaxBulkLength = value));
    options.settled("announce-redis-version", new AnnouncedRelease());
    options.mutable("hz", number(1, 500, () -> hz, value -> hz = (int) value));
    options.mutable(
        "busy-reply-threshold",
        number(0, Long.MAX_VALUE, () -> busyReplyMillis, value -> busyReplyMillis = value));
    options.alias("lua-time-limit", "busy-reply-threshold");
    shutdownOptions();
    options.settled(
        "script-memory-limit",
        memory(1 << 20, Long.MAX_VALUE, () -> scriptMemoryBytes, v -> scriptMemoryBytes = v));
    options.mutable("client-output-buffer-limit", outputLimits);
    options.mutable("notify-keyspace-events", new Notifications());
    EncodingOptions.declare(encodingLimits, options);
    memoryLimits.declare(options);
    lazyFreeing.declare(options);
    monitoringOptions.declare(options);
    fileOptions.declare(options);
    accessOptions.declare(options);
    replicationOptions.declare(options);
    tlsOptions.declare(options);
    NoOpOptions.declare(options);
  }

  private void shutdownOptions() {
    options.mutable(
        "shutdown-timeout",
        number(
            0,
            Integer.MAX_VALUE,
            () -> shutdownTimeoutSeconds,
            value -> shutdownTimeoutSeconds = (int) value));
    options.mutable(
        "shutdown-on-sigint",
        shutdown(() -> shutdownOnInterrupt, value -> shutdownOnInterrupt = value));
    options.mutable(
        "shutdown-on-sigterm", shutdown(() -> shutdownOnTerm, value -> shutdownOnTerm = value));
  }

  // Acl by name

  /** All options with their values, without aliases. */
  public Collection<Option> options() {
    return options.all();
  }

  public @Nullable Option find(String name) {
    return options.find(name);
  }

  /** The option itself if the given one is an alias. */
  public Option realOption(Option option) {
    return options.realOption(option);
  }

  /** The file that the configuration was read from, null if there was none. */
  public @Nullable Path file() {
    return file;
  }

  public void file(Path configFile) {
    file = configFile;
  }

  /** The names that are aliases. */
  public Set<String> aliasNames() {
    return options.aliasNames();
  }

  /** Sets an option's default and its value. */
  public void preset(String name, String value) {
    configure(name, value);
    options.preset(name);
  }

  /** Gives a server with a folder the save points of redis-server, unless the option is given. */
  public void presetSavePoints() {
    if (fileOptions.dir.isEmpty() || fileOptions.savePoints.isGiven()) return;
    preset("save", SavePoints.REDIS_DEFAULT);
  }

  /**
   * Reads an option at start-up.
   *
   * @throws IllegalArgumentException naming the option and the mistake
   */
  public void configure(String name, String value) {
    if (name.equalsIgnoreCase("user")) {
      accessOptions.addUser(value);
      return;
    }
    if (name.equalsIgnoreCase("rename-command")) {
      accessOptions.renameCommand(value);
      return;
    }
    Option option = find(name);
    if (option == null && NoOpOptions.isAcceptedInFile(name)) {
      if (!NoOpOptions.isHarmless(name)) ignored.add(name);
      return;
    }
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    boolean addsSavePoints = option.kind() == fileOptions.savePoints && !value.isBlank();
    String error = option.set(addsSavePoints ? option.get() + " " + value : value);
    if (error != null) {
      throw new IllegalArgumentException(
          "bad option: name=" + name + ", value=" + value + ", " + error);
    }
  }

  /** Sets the action to run after an option has been set while the server runs. */
  public void onChange(Runnable action) {
    changed = action;
  }

  /** Notes that options have been set while the server runs. */
  public void changed() {
    changed.run();
  }

  /** Tuning options that were given and have no effect here. */
  public List<String> ignored() {
    return ignored;
  }

  // Values

  public EncodingLimits encodingLimits() {
    return encodingLimits;
  }

  public OutputLimits outputLimits() {
    return outputLimits;
  }

  public FileOptions fileOptions() {
    return fileOptions;
  }

  public LazyFreeing lazyFreeing() {
    return lazyFreeing;
  }

  public MemoryLimits memoryLimits() {
    return memoryLimits;
  }

  public MonitoringOptions monitoringOptions() {
    return monitoringOptions;
  }

  public AclOptions accessOptions() {
    return accessOptions;
  }

  public ReplicationOptions replicationOptions() {
    return replicationOptions;
  }

  public TlsOptions tlsOptions() {
    return tlsOptions;
  }

  public int port() {
    return port;
  }

  /** Records the actual port when a free one was asked for. */
  public void listensOn(int boundPort) {
    port = boundPort;
  }

  public String bind() {
    return bind;
  }

  /** All options that say where the server listens, for comparison. */
  public List<Object> listening() {
    return List.of(bind, port, tlsOptions.port);
  }

  public String unixSocket() {
    return unixSocket;
  }

  /** The access rights of the unix socket in octal digits; 0 for the process's defaults. */
  public String unixSocketMode() {
    return unixSocketMode;
  }

  /** The group of a new unix socket; empty for that of the process. */
  public String unixSocketGroup() {
    return unixSocketGroup;
  }

  /** Whether clients of other machines are refused while no password is set. */
  public boolean protectedMode() {
    return protectedMode;
  }

  public int databases() {
    return databases;
  }

  public int loops() {
    return loops;
  }

  public String transport() {
    return transport;
  }

  /** The time that the end of the server waits for its replicas. */
  public int shutdownTimeoutSeconds() {
    return shutdownTimeoutSeconds;
  }

  public ShutdownMode shutdownOnInterrupt() {
    return shutdownOnInterrupt;
  }

  public ShutdownMode shutdownOnTerm() {
    return shutdownOnTerm;
  }

  public int timeoutSeconds() {
    return timeoutSeconds;
  }

  public int tcpKeepAliveSeconds() {
    return tcpKeepAliveSeconds;
  }

  public int tcpBacklog() {
    return tcpBacklog;
  }

  public int maxClients() {
    return maxClients;
  }

  /** The location of the server, for clients that prefer a near one; empty if not configured. */
  public String availabilityZone() {
    return availabilityZone;
  }

  /** The protocol that connections begin with, 2 or 3. */
  public int clientDefaultResp() {
    return clientDefaultResp;
  }

  /** Whether another server's data are being imported: nothing expires or is evicted. */
  public boolean importMode() {
    return importMode;
  }

  public long protoMaxBulkLength() {
    return protoMaxBulkLength;
  }

  public int hz() {
    return hz;
  }

  /** The release of Redis that is announced to clients, scripts and readers of RDB files. */
  public Release announcedRelease() {
    return announcedRelease;
  }

  /** The time after which other clients get an error while a script runs; 0 for no limit. */
  public long busyReplyMillis() {
    return busyReplyMillis;
  }

  /** The limit in bytes for the values of scripts, and again for those of functions. */
  public long scriptMemoryBytes() {
    return scriptMemoryBytes;
  }

  public int notifyKeyspaceEvents() {
    return notifyKeyspaceEvents;
  }

  /** Sets the receiver of {@code loglevel} and {@code log-format}, now and when they change. */
  public void onLogging(BiConsumer<String, String> action) {
    onLogging = action;
    logs(logLevel, logFormat);
  }

  private void logs(String level, String format) {
    logLevel = level;
    logFormat = format;
    onLogging.accept(level, format);
  }

  public String logFile() {
    return logFile;
  }

  /** {@code yes}, {@code no} or {@code local}: which clients may use DEBUG. */
  public String enableDebugCommand() {
    return enableDebugCommand;
  }

  private final class AnnouncedRelease implements Option.Kind {
    @Override
    public String get() {
      return announcedRelease.text();
    }

    @Override
    public @Nullable String set(String value) {
      Release release = Release.parse(value);
      if (release == null) return "argument must be a release such as 8.0.6";
      announcedRelease = release;
      return null;
    }
  }

  private final class Notifications implements Option.Kind {
    @Override
    public String get() {
      return KeyspaceEvent.format(notifyKeyspaceEvents);
    }

    @Override
    public @Nullable String set(String value) {
      Integer bits = KeyspaceEvent.parse(value);
      if (bits == null) return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
      notifyKeyspaceEvents = bits;
      return null;
    }
  }
}
