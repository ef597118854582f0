package dev.kermes.server.engine;

import static dev.kermes.server.engine.SettingKinds.choice;
import static dev.kermes.server.engine.SettingKinds.memory;
import static dev.kermes.server.engine.SettingKinds.memoryOrPercent;
import static dev.kermes.server.engine.SettingKinds.number;
import static dev.kermes.server.engine.SettingKinds.shutdown;
import static dev.kermes.server.engine.SettingKinds.text;
import static dev.kermes.server.engine.SettingKinds.yesNo;

import dev.kermes.server.aof.SyncPolicy;
import dev.kermes.server.data.EncodingLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration, under Redis's names; each option knows how to read and print itself. Belongs
 * to whoever has the floor once the server runs.
 */
public final class Settings {

  /** Options of redis.conf that need something this server does not have yet. */
  private static final Set<String> UNSUPPORTED = Set.of("supervised", "always-show-logo");

  /**
   * Options whose values are checked and kept for those who ask, and change nothing: the JVM frees
   * and moves memory by itself and in the background, lists are not compressed, large values are
   * always replied without a copy, and a replica's first copy comes on the connection of its
   * stream.
   */
  private static final Map<String, String> WITHOUT_EFFECT =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("activerehashing", "yes"),
              Map.entry("active-defrag-cycle-max", "25"),
              Map.entry("active-defrag-cycle-min", "1"),
              Map.entry("active-defrag-ignore-bytes", "104857600"),
              Map.entry("active-defrag-threshold-lower", "10"),
              Map.entry("active-defrag-threshold-upper", "100"),
              Map.entry("dual-channel-replication-enabled", "no"),
              Map.entry("dynamic-hz", "yes"),
              Map.entry("jemalloc-bg-thread", "yes"),
              Map.entry("lazyfree-lazy-user-del", "yes"),
              Map.entry("lazyfree-lazy-user-flush", "yes"),
              Map.entry("list-compress-depth", "0"),
              Map.entry("min-io-threads-avoid-copy-reply", "7"),
              Map.entry("min-string-size-avoid-copy-reply", "16384"),
              Map.entry("min-string-size-avoid-copy-reply-threaded", "65536"),
              Map.entry("prefetch-batch-max-size", "16")));

  /** Options for tests, which are told to those alone who ask for them by name. */
  private static final Set<String> HIDDEN =
      Set.of(
          "aof-disable-auto-gc",
          "client-default-resp",
          "key-load-delay",
          "loading-process-events-interval-bytes",
          "rdb-key-save-delay");

  private final Map<String, Option> options = new LinkedHashMap<>();
  private final Map<String, Option> aliases = new LinkedHashMap<>();
  private final List<String> ignored = new ArrayList<>();

  private final EncodingLimits encodingLimits = new EncodingLimits();
  private final OutputLimits outputLimits = new OutputLimits();
  private final MemoryLimits memoryLimits = new MemoryLimits();
  private final LazyFreeing lazyFreeing = new LazyFreeing();
  private final FileOptions fileOptions = new FileOptions();
  private final LogLimits logLimits = new LogLimits();
  private final AccessOptions accessOptions = new AccessOptions();
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
  private boolean protectedMode = true;
  private int databases = 16;

  /** Half the cores: the kernel and those who send the commands need the others. Decision 1. */
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
  private long busyReplyMillis = 5000;

  /**
   * A quarter of the heap: scripts and functions, which have a limit each, leave half to the data.
   */
  private long scriptMemoryBytes = Runtime.getRuntime().maxMemory() / 4;

  private int shutdownTimeoutSeconds = 10;
  private ShutdownManner shutdownOnInterrupt = ShutdownManner.DEFAULT;
  private ShutdownManner shutdownOnTerm = ShutdownManner.DEFAULT;
  private int notifyKeyspaceEvents;
  private String logLevel = "notice";
  private String logFile = "";
  private String logFormat = "legacy";
  private BiConsumer<String, String> onLogging = (level, format) -> {};
  private String enableDebugCommand = "local";

  public Settings() {
    option("port", number(0, 65_535, () -> port, value -> port = (int) value));
    option("bind", text(() -> bind, value -> bind = value));
    fixed("unixsocket", text(() -> unixSocket, value -> unixSocket = value));
    fixed("unixsocketperm", text(() -> unixSocketMode, value -> unixSocketMode = value));
    option("unixsocketgroup", text(() -> unixSocketGroup, value -> unixSocketGroup = value));
    fixed("pidfile", text(() -> pidFile, value -> pidFile = value));
    fixed("daemonize", choice(List.of("no"), () -> "no", value -> {}));
    fixed("databases", number(1, 10_000, () -> databases, value -> databases = (int) value));
    settled("loops", number(1, 1024, () -> loops, value -> loops = (int) value));
    settled("transport", text(() -> transport, value -> transport = value));
    fixed("tcp-backlog", number(0, 65_535, () -> tcpBacklog, value -> tcpBacklog = (int) value));
    fixed("logfile", text(() -> logFile, value -> logFile = value));
    fixed(
        "enable-debug-command",
        text(() -> enableDebugCommand, value -> enableDebugCommand = value));
    option(
        "loglevel",
        choice(
            List.of("debug", "verbose", "notice", "warning", "nothing"),
            () -> logLevel,
            value -> logs(value, logFormat)));
    option(
        "log-format",
        choice(
            List.of("legacy", "logfmt", "json"), () -> logFormat, value -> logs(logLevel, value)));
    option("protected-mode", yesNo(() -> protectedMode, value -> protectedMode = value));
    option(
        "timeout",
        number(0, Integer.MAX_VALUE, () -> timeoutSeconds, value -> timeoutSeconds = (int) value));
    option(
        "tcp-keepalive",
        number(
            0,
            Integer.MAX_VALUE,
            () -> tcpKeepAliveSeconds,
            value -> tcpKeepAliveSeconds = (int) value));
    option(
        "maxclients",
        number(1, Integer.MAX_VALUE, () -> maxClients, value -> maxClients = (int) value));
    fixed(
        "client-default-resp",
        number(2, 3, () -> clientDefaultResp, value -> clientDefaultResp = (int) value));
    option("import-mode", yesNo(() -> importMode, value -> importMode = value));
    option("availability-zone", text(() -> availabilityZone, value -> availabilityZone = value));
    option(
        "proto-max-bulk-len",
        memory(
            1 << 20,
            Integer.MAX_VALUE,
            () -> protoMaxBulkLength,
            value -> protoMaxBulkLength = value));
    option("hz", number(1, 500, () -> hz, value -> hz = (int) value));
    option(
        "busy-reply-threshold",
        number(0, Long.MAX_VALUE, () -> busyReplyMillis, value -> busyReplyMillis = value));
    alias("lua-time-limit", "busy-reply-threshold");
    shutdownOptions();
    settled(
        "script-memory-limit",
        memory(1 << 20, Long.MAX_VALUE, () -> scriptMemoryBytes, v -> scriptMemoryBytes = v));
    option("client-output-buffer-limit", outputLimits);
    option("notify-keyspace-events", new Notifications());
    encodingOptions();
    memoryOptions();
    lazyFreeingOptions();
    logOptions();
    saveOptions();
    declareAccessOptions();
    replicaOptions();
    masterOptions();
    declareTlsOptions();
    unchangeable("activedefrag", "no");
    fixed("enable-module-command", choice(List.of("no", "local", "yes"), () -> "no", value -> {}));
    unchangeable("io-threads", "1");
    WITHOUT_EFFECT.forEach(this::withoutEffect);
    alwaysSanitizes();
  }

  /** What cannot be otherwise yet; programs ask, and may set it to what it is. */
  private void unchangeable(String name, String truth) {
    option(name, choice(List.of(truth), () -> truth, value -> {}));
  }

  /** All payloads are checked, whatever it says. */
  private void alwaysSanitizes() {
    String[] current = {"no"};
    option(
        "sanitize-dump-payload",
        choice(List.of("no", "yes", "clients"), () -> current[0], value -> current[0] = value));
  }

  private void withoutEffect(String name, String value) {
    String[] current = {value};
    option(
        name,
        value.equals("yes") || value.equals("no")
            ? yesNo(() -> current[0].equals("yes"), isOn -> current[0] = isOn ? "yes" : "no")
            : number(
                0,
                Integer.MAX_VALUE,
                () -> Long.parseLong(current[0]),
                number -> current[0] = Long.toString(number)));
  }

  private void shutdownOptions() {
    option(
        "shutdown-timeout",
        number(
            0,
            Integer.MAX_VALUE,
            () -> shutdownTimeoutSeconds,
            value -> shutdownTimeoutSeconds = (int) value));
    option(
        "shutdown-on-sigint",
        shutdown(() -> shutdownOnInterrupt, value -> shutdownOnInterrupt = value));
    option("shutdown-on-sigterm", shutdown(() -> shutdownOnTerm, value -> shutdownOnTerm = value));
  }

  private void saveOptions() {
    FileOptions files = fileOptions;
    fixed("dir", text(() -> files.dir, value -> files.dir = value));
    fixed("dbfilename", text(() -> files.rdbName, value -> files.rdbName = value));
    option("save", files.savePoints);
    option("rdbcompression", yesNo(() -> files.rdbCompresses, v -> files.rdbCompresses = v));
    option(
        "stop-writes-on-bgsave-error",
        yesNo(() -> files.stopsWritesOnError, v -> files.stopsWritesOnError = v));
    option(
        "rdb-save-incremental-fsync",
        yesNo(() -> files.syncsWhileWriting, v -> files.syncsWhileWriting = v));
    appendOptions();
    int max = Integer.MAX_VALUE;
    option(
        "rdb-key-save-delay",
        number(0, max, () -> files.saveDelayMicros, v -> files.saveDelayMicros = v));
    option(
        "key-load-delay",
        number(0, max, () -> files.loadDelayMicros, v -> files.loadDelayMicros = v));
    option(
        "loading-process-events-interval-bytes",
        memory(1024, Long.MAX_VALUE, () -> files.loadSilentBytes, v -> files.loadSilentBytes = v));
    fixed("rdbchecksum", yesNo(() -> files.rdbHasChecksum, v -> files.rdbHasChecksum = v));
    option(
        "rdb-version-check",
        choice(
            List.of("strict", "relaxed"),
            () -> files.takesAnyVersion ? "relaxed" : "strict",
            v -> files.takesAnyVersion = v.equals("relaxed")));
  }

  private void declareAccessOptions() {
    AccessOptions access = accessOptions;
    option("requirepass", text(() -> access.requirePass, value -> access.requirePass = value));
    fixed("aclfile", text(() -> access.aclFile, value -> access.aclFile = value));
    option(
        "acllog-max-len",
        number(0, Integer.MAX_VALUE, () -> access.logMax, value -> access.logMax = (int) value));
    option(
        "acl-pubsub-default",
        choice(
            List.of("resetchannels", "allchannels"),
            () -> access.allChannelsByDefault ? "allchannels" : "resetchannels",
            value -> access.allChannelsByDefault = value.equals("allchannels")));
  }

  private void replicaOptions() {
    ReplicationOptions options = replicationOptions;
    fixed("replicaof", text(() -> options.master, v -> options.master = v.trim()));
    option("masteruser", text(() -> options.masterUser, v -> options.masterUser = v));
    option("masterauth", text(() -> options.masterAuth, v -> options.masterAuth = v));
    alias("primaryuser", "masteruser"); // as Valkey has them
    alias("primaryauth", "masterauth");
    option("replica-read-only", yesNo(() -> options.isReadOnly, v -> options.isReadOnly = v));
    option(
        "replica-serve-stale-data",
        yesNo(() -> options.servesStaleData, v -> options.servesStaleData = v));
    option(
        "replica-ignore-maxmemory",
        yesNo(() -> options.ignoresMaxmemory, v -> options.ignoresMaxmemory = v));
    option(
        "replica-priority",
        number(0, Integer.MAX_VALUE, () -> options.priority, v -> options.priority = (int) v));
    option("replica-announce-ip", text(() -> options.announcedIp, v -> options.announcedIp = v));
    option(
        "replica-announce-port",
        number(0, 65_535, () -> options.announcedPort, v -> options.announcedPort = (int) v));
    option("bind-source-addr", text(() -> options.sourceAddress, v -> options.sourceAddress = v));
    option(
        "propagation-error-behavior",
        choice(
            List.of("ignore", "panic", "panic-on-replicas"),
            () -> options.errorBehavior,
            v -> options.errorBehavior = v));
    option("replica-announced", yesNo(() -> options.isAnnounced, v -> options.isAnnounced = v));
    option(
        "repl-diskless-load",
        choice(
            List.of("disabled", "on-empty-db", "swapdb", "flush-before-load"),
            () -> options.disklessLoad,
            v -> options.disklessLoad = v));
    for (String rest :
        List.of("-read-only", "-serve-stale-data", "-ignore-maxmemory", "-priority")) {
      alias("slave" + rest, "replica" + rest);
    }
    alias("slaveof", "replicaof");
    alias("slave-announce-ip", "replica-announce-ip");
    alias("slave-announce-port", "replica-announce-port");
  }

  private void masterOptions() {
    ReplicationOptions options = replicationOptions;
    int max = Integer.MAX_VALUE;
    option(
        "repl-backlog-size",
        memory(1, Long.MAX_VALUE, () -> options.backlogBytes, v -> options.backlogBytes = v));
    option(
        "repl-backlog-ttl",
        number(0, max, () -> options.backlogTtlSeconds, v -> options.backlogTtlSeconds = (int) v));
    option(
        "repl-timeout",
        number(1, max, () -> options.timeoutSeconds, v -> options.timeoutSeconds = (int) v));
    option(
        "repl-ping-replica-period",
        number(1, max, () -> options.pingPeriodSeconds, v -> options.pingPeriodSeconds = (int) v));
    alias("repl-ping-slave-period", "repl-ping-replica-period");
    option("repl-diskless-sync", yesNo(() -> options.isDiskless, v -> options.isDiskless = v));
    option(
        "repl-diskless-sync-delay",
        number(0, max, () -> options.syncDelaySeconds, v -> options.syncDelaySeconds = (int) v));
    option(
        "repl-diskless-sync-max-replicas",
        number(0, max, () -> options.syncReplicasMax, v -> options.syncReplicasMax = (int) v));
    option(
        "repl-disable-tcp-nodelay",
        yesNo(() -> options.delaysSmallPackets, v -> options.delaysSmallPackets = v));
    option(
        "min-replicas-to-write",
        number(0, max, () -> options.replicasMin, v -> options.replicasMin = (int) v));
    option(
        "min-replicas-max-lag",
        number(0, max, () -> options.lagSecondsMax, v -> options.lagSecondsMax = (int) v));
    alias("min-slaves-to-write", "min-replicas-to-write");
    alias("min-slaves-max-lag", "min-replicas-max-lag");
  }

  private void appendOptions() {
    FileOptions files = fileOptions;
    option("appendonly", yesNo(() -> files.appendOnly, v -> files.appendOnly = v));
    fixed("appendfilename", text(() -> files.appendName, v -> files.appendName = v));
    fixed("appenddirname", text(() -> files.appendFolder, v -> files.appendFolder = v));
    option(
        "appendfsync",
        choice(
            SyncPolicy.NAMES,
            () -> files.appendSync.text(),
            name -> files.appendSync = SyncPolicy.named(name)));
    option(
        "no-appendfsync-on-rewrite",
        yesNo(() -> files.appendSyncRestsOnRewrite, v -> files.appendSyncRestsOnRewrite = v));
    option(
        "auto-aof-rewrite-percentage",
        number(
            0,
            Integer.MAX_VALUE,
            () -> files.appendGrowthPercent,
            v -> files.appendGrowthPercent = (int) v));
    option(
        "auto-aof-rewrite-min-size",
        memory(0, Long.MAX_VALUE, () -> files.appendRewriteMin, v -> files.appendRewriteMin = v));
    option(
        "aof-load-truncated",
        yesNo(() -> files.appendLoadsTruncated, v -> files.appendLoadsTruncated = v));
    option(
        "aof-use-rdb-preamble", yesNo(() -> files.appendBaseIsRdb, v -> files.appendBaseIsRdb = v));
    option(
        "aof-disable-auto-gc",
        yesNo(() -> files.appendKeepsHistory, v -> files.appendKeepsHistory = v));
    option(
        "aof-timestamp-enabled",
        yesNo(() -> files.appendWritesTimes, v -> files.appendWritesTimes = v));
    option(
        "aof-rewrite-incremental-fsync",
        yesNo(() -> files.syncsWhileWriting, v -> files.syncsWhileWriting = v));
  }

  private void declareTlsOptions() {
    TlsOptions tls = tlsOptions;
    option("tls-port", number(0, 65_535, () -> tls.port, value -> tls.port = (int) value));
    option("tls-cert-file", text(() -> tls.certFile, value -> tls.certFile = value));
    option("tls-key-file", text(() -> tls.keyFile, value -> tls.keyFile = value));
    option("tls-key-file-pass", text(() -> tls.keyPassword, value -> tls.keyPassword = value));
    option(
        "tls-client-cert-file",
        text(() -> tls.clientCertFile, value -> tls.clientCertFile = value));
    option(
        "tls-client-key-file", text(() -> tls.clientKeyFile, value -> tls.clientKeyFile = value));
    option(
        "tls-client-key-file-pass",
        text(() -> tls.clientKeyPassword, value -> tls.clientKeyPassword = value));
    option(
        "tls-replication",
        yesNo(() -> tls.usedForReplication, value -> tls.usedForReplication = value));
    option("tls-ca-cert-file", text(() -> tls.caFile, value -> tls.caFile = value));
    option(
        "tls-auth-clients-user",
        choice(List.of("off", "cn", "uri"), () -> tls.clientsUser, v -> tls.clientsUser = v));
    option(
        "tls-auto-reload-interval",
        number(0, Integer.MAX_VALUE, () -> tls.reloadSeconds, v -> tls.reloadSeconds = (int) v));
    option("tls-ca-cert-dir", text(() -> tls.caFolder, value -> tls.caFolder = value));
    option("tls-protocols", text(() -> tls.protocols, value -> tls.protocols = value));
    option("tls-ciphersuites", text(() -> tls.cipherSuites, value -> tls.cipherSuites = value));
    option("tls-ciphers", text(() -> tls.ciphers, value -> tls.ciphers = value));
    option(
        "tls-prefer-server-ciphers",
        yesNo(() -> tls.prefersOwnOrder, value -> tls.prefersOwnOrder = value));
    option(
        "tls-auth-clients",
        choice(
            List.of("no", "yes", "optional"),
            () -> tls.authClients,
            value -> tls.authClients = value));
  }

  private void lazyFreeingOptions() {
    LazyFreeing lazy = lazyFreeing;
    option("lazyfree-lazy-eviction", yesNo(() -> lazy.ofEvicted, v -> lazy.ofEvicted = v));
    option("lazyfree-lazy-expire", yesNo(() -> lazy.ofExpired, v -> lazy.ofExpired = v));
    option("lazyfree-lazy-server-del", yesNo(() -> lazy.ofReplaced, v -> lazy.ofReplaced = v));
  }

  private void memoryOptions() {
    MemoryLimits limits = memoryLimits;
    int max = Integer.MAX_VALUE;
    option("maxmemory", memory(0, Long.MAX_VALUE, () -> limits.max, v -> limits.max = v));
    option(
        "maxmemory-policy",
        choice(
            EvictionPolicy.NAMES,
            () -> limits.policy.text(),
            name -> limits.policy = EvictionPolicy.named(name)));
    option("maxmemory-samples", number(1, 64, () -> limits.samples, v -> limits.samples = (int) v));
    option(
        "maxmemory-eviction-tenacity",
        number(0, 100, () -> limits.tenacity, v -> limits.tenacity = (int) v));
    option(
        "maxmemory-clients", memoryOrPercent(() -> limits.clientsMax, v -> limits.clientsMax = v));
    option(
        "client-query-buffer-limit",
        memory(1 << 20, Long.MAX_VALUE, () -> limits.queryMax, v -> limits.queryMax = v));
    option(
        "lfu-log-factor",
        number(0, max, () -> limits.lfuLogFactor, v -> limits.lfuLogFactor = (int) v));
    option(
        "lfu-decay-time",
        number(0, max, () -> limits.lfuDecayMinutes, v -> limits.lfuDecayMinutes = (int) v));
    option(
        "tracking-table-max-keys",
        number(0, max, () -> limits.trackedKeysMax, v -> limits.trackedKeysMax = (int) v));
    option(
        "active-expire-effort",
        number(1, 10, () -> limits.expireEffort, v -> limits.expireEffort = (int) v));
  }

  private void logOptions() {
    LogLimits limits = logLimits;
    long max = Integer.MAX_VALUE;
    option(
        "slowlog-log-slower-than",
        number(
            -1, Long.MAX_VALUE, () -> limits.slowerThanMicros, v -> limits.slowerThanMicros = v));
    option("slowlog-max-len", number(0, max, () -> limits.slowMax, v -> limits.slowMax = (int) v));
    alias("commandlog-execution-slower-than", "slowlog-log-slower-than");
    alias("commandlog-slow-execution-max-len", "slowlog-max-len");
    option(
        "commandlog-request-larger-than",
        number(
            -1, Long.MAX_VALUE, () -> limits.requestLargerThan, v -> limits.requestLargerThan = v));
    option(
        "commandlog-large-request-max-len",
        number(0, max, () -> limits.largeRequestMax, v -> limits.largeRequestMax = (int) v));
    option(
        "commandlog-reply-larger-than",
        number(-1, Long.MAX_VALUE, () -> limits.replyLargerThan, v -> limits.replyLargerThan = v));
    option(
        "commandlog-large-reply-max-len",
        number(0, max, () -> limits.largeReplyMax, v -> limits.largeReplyMax = (int) v));
    option(
        "latency-monitor-threshold",
        number(0, Long.MAX_VALUE, () -> limits.latencyMillis, v -> limits.latencyMillis = v));
    option(
        "hide-user-data-from-log",
        yesNo(() -> limits.hidesUserData, v -> limits.hidesUserData = v));
    option("latency-tracking", yesNo(() -> limits.tracksLatency, v -> limits.tracksLatency = v));
    option("latency-tracking-info-percentiles", limits.percentiles);
  }

  private void encodingOptions() {
    EncodingLimits limits = encodingLimits;
    int max = Integer.MAX_VALUE;
    option(
        "list-max-listpack-size",
        number(
            Integer.MIN_VALUE,
            max,
            () -> limits.listMaxListpackSize,
            v -> limits.listMaxListpackSize = (int) v));
    option(
        "hll-sparse-max-bytes",
        memory(
            0, Long.MAX_VALUE, () -> limits.hllSparseMaxBytes, v -> limits.hllSparseMaxBytes = v));
    option(
        "hash-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.hashMaxListpackEntries,
            v -> limits.hashMaxListpackEntries = (int) v));
    option(
        "hash-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.hashMaxListpackValue,
            v -> limits.hashMaxListpackValue = (int) v));
    option(
        "set-max-intset-entries",
        number(
            0, max, () -> limits.setMaxIntsetEntries, v -> limits.setMaxIntsetEntries = (int) v));
    option(
        "set-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.setMaxListpackEntries,
            v -> limits.setMaxListpackEntries = (int) v));
    option(
        "set-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.setMaxListpackValue,
            v -> limits.setMaxListpackValue = (int) v));
    option(
        "zset-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.zsetMaxListpackEntries,
            v -> limits.zsetMaxListpackEntries = (int) v));
    option(
        "zset-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.zsetMaxListpackValue,
            v -> limits.zsetMaxListpackValue = (int) v));
    option(
        "stream-node-max-bytes",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.streamNodeMaxBytes,
            v -> limits.streamNodeMaxBytes = (int) v));
    option(
        "stream-node-max-entries",
        number(
            0, max, () -> limits.streamNodeMaxEntries, v -> limits.streamNodeMaxEntries = (int) v));
    alias("list-max-ziplist-size", "list-max-listpack-size");
    for (String family : List.of("hash", "zset")) {
      alias(family + "-max-ziplist-entries", family + "-max-listpack-entries");
      alias(family + "-max-ziplist-value", family + "-max-listpack-value");
    }
  }

  // Access by name

  /** All options with their texts, aliases left out. */
  public Collection<Option> options() {
    return options.values();
  }

  public @Nullable Option find(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    Option option = options.get(key);
    return option != null ? option : aliases.get(key);
  }

  /** The option itself, of an alias. */
  public Option realOption(Option option) {
    for (Option each : options.values()) if (each.kind() == option.kind()) return each;
    throw new AssertionError("an alias of nothing: name=" + option.name());
  }

  /** The file that the configuration was read from, null if there was none. */
  public @Nullable Path file() {
    return file;
  }

  public void file(Path configFile) {
    file = configFile;
  }

  /** Names that stand for an option of another name. */
  public Set<String> aliasNames() {
    return aliases.keySet();
  }

  /** Gives an option another default, and for now this value. */
  public void preset(String name, String value) {
    configure(name, value);
    Option option = options.get(name);
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    options.put(
        name, new Option(name, option.isMutable(), option.isSettled(), value, option.kind()));
  }

  /**
   * Reads an option at start-up.
   *
   * @throws IllegalArgumentException naming the option and what is wrong
   */
  public void configure(String name, String value) {
    if (UNSUPPORTED.contains(name.toLowerCase(Locale.ROOT))) {
      ignored.add(name);
      return;
    }
    if (name.equalsIgnoreCase("user")) {
      accessOptions.addUser(value);
      return;
    }
    if (name.equalsIgnoreCase("rename-command")) {
      accessOptions.renameCommand(value);
      return;
    }
    Option option = find(name);
    if (option == null && TuningOptions.contains(name.toLowerCase(Locale.ROOT))) {
      ignored.add(name);
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

  /** Whether an option is known, but only as one of redis.conf that has no effect yet. */
  public boolean isForStartOnly(String name) {
    return UNSUPPORTED.contains(name.toLowerCase(Locale.ROOT));
  }

  /** What is to be done when an option has been set while the server runs. */
  void onChange(Runnable action) {
    changed = action;
  }

  /** Options have been set while the server runs. */
  public void changed() {
    changed.run();
  }

  /** Options that were given but have no effect yet. */
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

  public LogLimits logLimits() {
    return logLimits;
  }

  public AccessOptions accessOptions() {
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

  /** The port that was found when a free one was asked for. */
  public void listensOn(int boundPort) {
    port = boundPort;
  }

  public String bind() {
    return bind;
  }

  /** All that says where the server listens, for comparison. */
  public List<Object> listening() {
    return List.of(bind, port, tlsOptions.port);
  }

  public String unixSocket() {
    return unixSocket;
  }

  /** The access rights of the unix socket in octal digits; 0 for those that the process gives. */
  public String unixSocketMode() {
    return unixSocketMode;
  }

  /** The group that a new unix socket gets; empty for that of the process. */
  public String unixSocketGroup() {
    return unixSocketGroup;
  }

  /** Whether clients of other machines are refused as long as no password would. */
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

  /** How long a server that is to end waits for its replicas. */
  int shutdownTimeoutSeconds() {
    return shutdownTimeoutSeconds;
  }

  public ShutdownManner shutdownOnInterrupt() {
    return shutdownOnInterrupt;
  }

  public ShutdownManner shutdownOnTerm() {
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

  /** Where the server stands, for clients that prefer a near one; empty if nobody said. */
  public String availabilityZone() {
    return availabilityZone;
  }

  /** The protocol that connections begin with, 2 or 3. */
  public int clientDefaultResp() {
    return clientDefaultResp;
  }

  /** Whether the server is being filled with another one's data: nothing expires or is evicted. */
  public boolean importMode() {
    return importMode;
  }

  public long protoMaxBulkLength() {
    return protoMaxBulkLength;
  }

  public int hz() {
    return hz;
  }

  /** For how long a script may keep everybody waiting; 0 for as long as it likes. */
  public long busyReplyMillis() {
    return busyReplyMillis;
  }

  /** What the values of scripts may take, and those of functions, before they fail. */
  public long scriptMemoryBytes() {
    return scriptMemoryBytes;
  }

  public int notifyKeyspaceEvents() {
    return notifyKeyspaceEvents;
  }

  /** Has somebody told of {@code loglevel} and {@code log-format}, now and when they change. */
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

  /** {@code yes}, {@code no} or {@code local}: who may use DEBUG. */
  public String enableDebugCommand() {
    return enableDebugCommand;
  }

  // Options

  /** How an option reads and prints itself. */
  interface Kind {
    String get();

    /** Sets the value; returns what is wrong with it, or null. */
    @Nullable String set(String text);
  }

  /**
   * An option by its name.
   *
   * @param isMutable whether it may be set while the server runs
   * @param isSettled whether it may then at least be set to what it is
   * @param initial its default
   */
  public record Option(
      String name, boolean isMutable, boolean isSettled, String initial, Kind kind) {

    /** Whether its value is the default. */
    public boolean isDefault() {
      return get().equals(initial);
    }

    /** Whether patterns do not find it. */
    public boolean isHidden() {
      return HIDDEN.contains(name);
    }

    public String get() {
      return kind.get();
    }

    public @Nullable String set(String text) {
      return kind.set(text);
    }
  }

  private void option(String name, Kind kind) {
    options.put(name, new Option(name, true, false, kind.get(), kind));
  }

  private void settled(String name, Kind kind) {
    options.put(name, new Option(name, false, true, kind.get(), kind));
  }

  private void fixed(String name, Kind kind) {
    options.put(name, new Option(name, false, false, kind.get(), kind));
  }

  private void alias(String alias, String name) {
    Option option = options.get(name);
    if (option == null) throw new AssertionError("alias of nothing: name=" + name);
    aliases.put(
        alias, new Option(alias, option.isMutable(), false, option.initial(), option.kind()));
  }

  private final class Notifications implements Kind {
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
