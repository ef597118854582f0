package dev.kermes.server.engine;

import dev.kermes.server.data.EncodingLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration, under Redis's names; each option knows how to read and print itself. Belongs
 * to whoever has the floor once the server runs.
 */
public final class Settings {

  /** Options of redis.conf that need something this server does not have yet. */
  private static final Set<String> UNSUPPORTED =
      Set.of(
          "save",
          "appendonly",
          "appendfsync",
          "dbfilename",
          "dir",
          "rdbcompression",
          "rdbchecksum",
          "stop-writes-on-bgsave-error",
          "daemonize",
          "pidfile",
          "supervised",
          "maxmemory",
          "maxmemory-policy",
          "slowlog-log-slower-than",
          "slowlog-max-len",
          "latency-monitor-threshold",
          "replica-read-only",
          "lazyfree-lazy-eviction",
          "lazyfree-lazy-expire",
          "lazyfree-lazy-server-del",
          "always-show-logo");

  private final Map<String, Option> options = new LinkedHashMap<>();
  private final Map<String, Option> aliases = new LinkedHashMap<>();
  private final List<String> ignored = new ArrayList<>();

  private final EncodingLimits encodingLimits = new EncodingLimits();
  private final OutputLimits outputLimits = new OutputLimits();

  private int port = 6379;
  private String bind = "127.0.0.1 -::1";
  private String unixSocket = "";
  private boolean protectedMode = true;
  private int databases = 16;

  /** Half the cores: the kernel and those who send the commands need the others. Decision 1. */
  private int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private String transport = "auto";
  private int timeoutSeconds;
  private int tcpKeepAliveSeconds = 300;
  private int tcpBacklog = 511;
  private int maxClients = 10_000;
  private String requirePass = "";
  private long protoMaxBulkLength = 512L << 20;
  private int hz = 10;
  private int notifyKeyspaceEvents;
  private String logLevel = "notice";
  private String logFile = "";
  private String enableDebugCommand = "local";

  public Settings() {
    fixed("port", number(0, 65_535, () -> port, value -> port = (int) value));
    fixed("bind", text(() -> bind, value -> bind = value));
    fixed("unixsocket", text(() -> unixSocket, value -> unixSocket = value));
    fixed("databases", number(1, 10_000, () -> databases, value -> databases = (int) value));
    fixed("loops", number(1, 1024, () -> loops, value -> loops = (int) value));
    fixed("transport", text(() -> transport, value -> transport = value));
    fixed("tcp-backlog", number(0, 65_535, () -> tcpBacklog, value -> tcpBacklog = (int) value));
    fixed("logfile", text(() -> logFile, value -> logFile = value));
    fixed(
        "enable-debug-command",
        text(() -> enableDebugCommand, value -> enableDebugCommand = value));
    option("loglevel", new LogLevel());
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
    option("requirepass", text(() -> requirePass, value -> requirePass = value));
    option(
        "proto-max-bulk-len",
        memory(1 << 20, () -> protoMaxBulkLength, value -> protoMaxBulkLength = value));
    option("hz", number(1, 500, () -> hz, value -> hz = (int) value));
    option("client-output-buffer-limit", outputLimits);
    option("notify-keyspace-events", new Notifications());
    encodingOptions();
    withoutEffect("save", "");
    withoutEffect("appendonly", "no");
    withoutEffect("maxmemory", "0");
  }

  /** What holds as long as nothing is persisted or evicted; programs ask before they measure. */
  private void withoutEffect(String name, String truth) {
    fixed(name, text(() -> truth, value -> {}));
  }

  private void encodingOptions() {
    EncodingLimits limits = encodingLimits;
    int max = Integer.MAX_VALUE;
    option(
        "list-max-listpack-size",
        number(
            -5, max, () -> limits.listMaxListpackSize, v -> limits.listMaxListpackSize = (int) v));
    option(
        "hash-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.hashMaxListpackEntries,
            v -> limits.hashMaxListpackEntries = (int) v));
    option(
        "hash-max-listpack-value",
        memory(0, () -> limits.hashMaxListpackValue, v -> limits.hashMaxListpackValue = (int) v));
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
        memory(0, () -> limits.setMaxListpackValue, v -> limits.setMaxListpackValue = (int) v));
    option(
        "zset-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.zsetMaxListpackEntries,
            v -> limits.zsetMaxListpackEntries = (int) v));
    option(
        "zset-max-listpack-value",
        memory(0, () -> limits.zsetMaxListpackValue, v -> limits.zsetMaxListpackValue = (int) v));
    option(
        "stream-node-max-bytes",
        memory(0, () -> limits.streamNodeMaxBytes, v -> limits.streamNodeMaxBytes = (int) v));
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

  /** Names that stand for an option of another name. */
  public Set<String> aliasNames() {
    return aliases.keySet();
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
    Option option = find(name);
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    String error = option.set(value);
    if (error != null) {
      throw new IllegalArgumentException(
          "bad option: name=" + name + ", value=" + value + ", " + error);
    }
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

  public String unixSocket() {
    return unixSocket;
  }

  /** Whether protected-mode refuses clients of other machines, since no password would. */
  public boolean isForThisMachineOnly() {
    return protectedMode && requirePass.isEmpty();
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

  public String requirePass() {
    return requirePass;
  }

  public long protoMaxBulkLength() {
    return protoMaxBulkLength;
  }

  public int hz() {
    return hz;
  }

  public int notifyKeyspaceEvents() {
    return notifyKeyspaceEvents;
  }

  public String logLevel() {
    return logLevel;
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

  /** An option by its name; those that are not mutable can be set at start-up only. */
  public record Option(String name, boolean isMutable, Kind kind) {
    public String get() {
      return kind.get();
    }

    public @Nullable String set(String text) {
      return kind.set(text);
    }
  }

  private interface LongGetter {
    long get();
  }

  private interface LongSetter {
    void set(long value);
  }

  private void option(String name, Kind kind) {
    options.put(name, new Option(name, true, kind));
  }

  private void fixed(String name, Kind kind) {
    options.put(name, new Option(name, false, kind));
  }

  private void alias(String alias, String name) {
    Option option = options.get(name);
    if (option == null) throw new AssertionError("alias of nothing: name=" + name);
    aliases.put(alias, new Option(alias, option.isMutable(), option.kind()));
  }

  private static Kind text(
      java.util.function.Supplier<String> getter, java.util.function.Consumer<String> setter) {
    return new Kind() {
      @Override
      public String get() {
        return getter.get();
      }

      @Override
      public @Nullable String set(String value) {
        setter.accept(value);
        return null;
      }
    };
  }

  private static Kind yesNo(
      java.util.function.BooleanSupplier getter, java.util.function.Consumer<Boolean> setter) {
    return new Kind() {
      @Override
      public String get() {
        return getter.getAsBoolean() ? "yes" : "no";
      }

      @Override
      public @Nullable String set(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        if (!lower.equals("yes") && !lower.equals("no")) return "argument must be 'yes' or 'no'";
        setter.accept(lower.equals("yes"));
        return null;
      }
    };
  }

  private static Kind number(long min, long max, LongGetter getter, LongSetter setter) {
    return new Kind() {
      @Override
      public String get() {
        return Long.toString(getter.get());
      }

      @Override
      public @Nullable String set(String value) {
        try {
          long number = Long.parseLong(value.trim());
          if (number < min || number > max) {
            return "argument must be between " + min + " and " + max + " inclusive";
          }
          setter.set(number);
          return null;
        } catch (NumberFormatException e) {
          return "argument couldn't be parsed into an integer";
        }
      }
    };
  }

  private static Kind memory(long min, LongGetter getter, LongSetter setter) {
    return new Kind() {
      @Override
      public String get() {
        return Long.toString(getter.get());
      }

      @Override
      public @Nullable String set(String value) {
        long bytes = OutputLimits.parseMemory(value);
        if (bytes < 0) return "argument must be a memory value";
        if (bytes < min || bytes > Integer.MAX_VALUE) {
          return "argument must be between " + min + " and " + Integer.MAX_VALUE + " inclusive";
        }
        setter.set(bytes);
        return null;
      }
    };
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

  private final class LogLevel implements Kind {
    private static final List<String> LEVELS =
        List.of("debug", "verbose", "notice", "warning", "nothing");

    @Override
    public String get() {
      return logLevel;
    }

    @Override
    public @Nullable String set(String value) {
      if (!LEVELS.contains(value))
        return "argument(s) must be one of the following: " + String.join(", ", LEVELS);
      logLevel = value;
      return null;
    }
  }
}
