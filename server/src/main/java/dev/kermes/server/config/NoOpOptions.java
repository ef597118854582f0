package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.text;
import static dev.kermes.server.config.OptionKinds.yesNo;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Options of redis.conf that have no effect here, since this server tunes itself in another way or
 * leaves the matter to the machine. Some exist as options that programs read and set; the others
 * may only appear in a configuration file. Options whose promise this server would break, such as
 * {@code cluster-enabled yes}, are not included.
 */
final class NoOpOptions {

  /**
   * Options whose values are checked and stored but have no effect: the JVM frees and moves memory
   * by itself and in the background, lists are not compressed, large values are always replied
   * without a copy, a replica's first copy uses the connection of its stream, the option {@code
   * loops} sets the number of event loops, all payloads are checked, and there is no cluster.
   */
  private static final Map<String, String> DEFAULTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("activerehashing", "yes"),
              Map.entry("active-defrag-cycle-max", "25"),
              Map.entry("active-defrag-cycle-min", "1"),
              Map.entry("active-defrag-ignore-bytes", "104857600"),
              Map.entry("active-defrag-threshold-lower", "10"),
              Map.entry("active-defrag-threshold-upper", "100"),
              Map.entry("cluster-allow-pubsubshard-when-down", "yes"),
              Map.entry("cluster-allow-reads-when-down", "no"),
              Map.entry("cluster-allow-replica-migration", "yes"),
              Map.entry("cluster-announce-bus-port", "0"),
              Map.entry("cluster-announce-port", "0"),
              Map.entry("cluster-announce-tls-port", "0"),
              Map.entry("cluster-compatibility-sample-ratio", "0"),
              Map.entry("cluster-link-sendbuf-limit", "0"),
              Map.entry("cluster-migration-barrier", "1"),
              Map.entry("cluster-node-timeout", "15000"),
              Map.entry("cluster-port", "0"),
              Map.entry("cluster-replica-no-failover", "no"),
              Map.entry("cluster-replica-validity-factor", "10"),
              Map.entry("cluster-require-full-coverage", "yes"),
              Map.entry("dual-channel-replication-enabled", "no"),
              Map.entry("dynamic-hz", "yes"),
              Map.entry("io-threads", "1"),
              Map.entry("jemalloc-bg-thread", "yes"),
              Map.entry("lazyfree-lazy-user-del", "yes"),
              Map.entry("lazyfree-lazy-user-flush", "yes"),
              Map.entry("list-compress-depth", "0"),
              Map.entry("min-io-threads-avoid-copy-reply", "7"),
              Map.entry("min-string-size-avoid-copy-reply", "16384"),
              Map.entry("min-string-size-avoid-copy-reply-threaded", "65536"),
              Map.entry("prefetch-batch-max-size", "16")));

  private static final List<String> TEXTS =
      List.of(
          "cluster-announce-hostname", "cluster-announce-human-nodename", "cluster-announce-ip");

  private static final Map<String, String> FIXED_TEXTS =
      new TreeMap<>(
          Map.of(
              "cluster-config-file", "nodes.conf",
              "syslog-facility", "local0",
              "syslog-ident", "redis"));

  private static final List<String> ENDPOINT_TYPES = List.of("ip", "hostname", "unknown-endpoint");

  /** Options of a configuration file whose absence a user may notice; the log names them. */
  private static final Set<String> FILE_ONLY =
      Set.of(
          "aof-rewrite-cpulist",
          "aof_rewrite_cpulist",
          "bgsave-cpulist",
          "bgsave_cpulist",
          "bio-cpulist",
          "bio_cpulist",
          "enable-protected-configs",
          "extended-redis-compatibility",
          "replica-lazy-flush",
          "server-cpulist",
          "server_cpulist",
          "slave-lazy-flush",
          "socket-mark-id",
          "tls-cluster",
          "tls-dh-params-file");

  /**
   * Options of a configuration file about appearance, crashes of the process and its priority;
   * options that Redis itself ignores; and options of a cluster.
   */
  private static final Set<String> FILE_ONLY_HARMLESS =
      Set.of(
          "always-show-logo",
          "cluster-announce-client-ipv4",
          "cluster-announce-client-ipv6",
          "cluster-announce-client-port",
          "cluster-announce-client-tls-port",
          "cluster-blacklist-ttl",
          "cluster-config-save-behavior",
          "cluster-databases",
          "cluster-manual-failover-timeout",
          "cluster-ping-interval",
          "cluster-slot-migration-log-max-len",
          "cluster-slot-stats-enabled",
          "crash-log-enabled",
          "crash-memcheck-enabled",
          "disable-thp",
          "enable-debug-assert",
          "ignore-warnings",
          "io-threads-do-reads",
          "list-max-ziplist-entries",
          "list-max-ziplist-value",
          "locale-collate",
          "lua-replicate-commands",
          "oom-score-adj",
          "oom-score-adj-values",
          "proc-title-template",
          "set-proc-title",
          "use-exit-on-panic");

  private NoOpOptions() {}

  /** Whether a configuration file may contain an option that does not exist here. */
  static boolean isAcceptedInFile(String name) {
    return FILE_ONLY.contains(name.toLowerCase(Locale.ROOT)) || isHarmless(name);
  }

  /** Whether users can do without such an option, so that the log need not name it. */
  static boolean isHarmless(String name) {
    return FILE_ONLY_HARMLESS.contains(name.toLowerCase(Locale.ROOT));
  }

  static void declare(OptionTable table) {
    unchangeable(table, "activedefrag", "no");
    table.fixed(
        "enable-module-command", choice(List.of("no", "local", "yes"), () -> "no", value -> {}));
    table.fixed("cluster-enabled", choice(List.of("no"), () -> "no", value -> {}));
    table.fixed("syslog-enabled", choice(List.of("no"), () -> "no", value -> {}));
    words(table, "supervised", "no", List.of("upstart", "systemd", "auto", "no"));
    words(table, "cluster-preferred-endpoint-type", "ip", ENDPOINT_TYPES);
    DEFAULTS.forEach((name, value) -> declare(table, name, value));
    for (String name : TEXTS) table.mutable(name, kept(""));
    FIXED_TEXTS.forEach((name, value) -> table.fixed(name, kept(value)));
    table.alias("cluster-slave-no-failover", "cluster-replica-no-failover");
    table.alias("cluster-slave-validity-factor", "cluster-replica-validity-factor");
    words(table, "sanitize-dump-payload", "no", List.of("no", "yes", "clients"));
  }

  /** Declares an option with one possible value, which programs may read and set. */
  private static void unchangeable(OptionTable table, String name, String truth) {
    table.mutable(name, choice(List.of(truth), () -> truth, value -> {}));
  }

  private static void words(OptionTable table, String name, String first, List<String> words) {
    String[] current = {first};
    table.mutable(name, choice(words, () -> current[0], value -> current[0] = value));
  }

  private static Option.Kind kept(String value) {
    String[] current = {value};
    return text(() -> current[0], text -> current[0] = text);
  }

  private static void declare(OptionTable table, String name, String value) {
    String[] current = {value};
    table.mutable(
        name,
        value.equals("yes") || value.equals("no")
            ? yesNo(() -> current[0].equals("yes"), isOn -> current[0] = isOn ? "yes" : "no")
            : number(
                0,
                Integer.MAX_VALUE,
                () -> Long.parseLong(current[0]),
                number -> current[0] = Long.toString(number)));
  }
}
