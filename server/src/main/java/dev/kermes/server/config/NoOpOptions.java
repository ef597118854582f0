package dev.kermes.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of redis.conf that have no effect here, since this server tunes itself in another way or
 * leaves the matter to the machine. Those with a row are checked and stored, so that programs can
 * read and set them; the others may only appear in a configuration file. Options whose promise this
 * server would break, such as {@code syslog-enabled yes}, are not included.
 */
final class NoOpOptions extends OptionFamily {

  // The reasons

  private static final String CLUSTER = "Clusters of the test kit have no bus.";
  private static final String MEMORY = "The JVM frees and moves memory itself.";
  private static final String LOOPS = "`loops` sets the number of event loops.";
  private static final String LISTS = "Lists are not compressed.";
  private static final String REPLIES = "Large values are always sent without a copy.";
  private static final String CHANNELS = "A full sync uses the connection of the replica.";
  private static final String DUMPS = "All payloads are checked.";
  private static final String MODULES = "The server has no modules.";
  private static final String SYSLOG = "The program does not log to syslog.";
  private static final String SUPERVISED = "The program does not talk to a supervisor.";

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

  NoOpOptions() {
    super("Options without effect");
    only("no", "activedefrag", MEMORY);
    option("enable-module-command")
        .atStart()
        .means(MODULES)
        .choice(List.of("no", "local", "yes"), word -> "no", word -> word, "no");
    option("syslog-enabled").atStart().means(SYSLOG).choice(List.of("no"), "no");
    option("supervised")
        .means(SUPERVISED)
        .choice(List.of("upstart", "systemd", "auto", "no"), "no");
    option("sanitize-dump-payload").means(DUMPS).choice(List.of("no", "yes", "clients"), "no");
    flag("activerehashing", true, MEMORY);
    number("active-defrag-cycle-max", 25, MEMORY);
    number("active-defrag-cycle-min", 1, MEMORY);
    number("active-defrag-ignore-bytes", 104_857_600, MEMORY);
    number("active-defrag-threshold-lower", 10, MEMORY);
    number("active-defrag-threshold-upper", 100, MEMORY);
    flag("jemalloc-bg-thread", true, MEMORY);
    flag("lazyfree-lazy-user-del", true, MEMORY);
    flag("lazyfree-lazy-user-flush", true, MEMORY);
    flag("dynamic-hz", true, "The periodic work runs `hz` times per second.");
    number("io-threads", 1, LOOPS);
    number("prefetch-batch-max-size", 16, LOOPS);
    number("list-compress-depth", 0, LISTS);
    number("min-io-threads-avoid-copy-reply", 7, REPLIES);
    number("min-string-size-avoid-copy-reply", 16_384, REPLIES);
    number("min-string-size-avoid-copy-reply-threaded", 65_536, REPLIES);
    flag("repl-diskless-sync", true, "A master always sends a full sync without a file.");
    flag("repl-disable-tcp-nodelay", false, "Small packets are never delayed.");
    flag("dual-channel-replication-enabled", false, CHANNELS);
    option("syslog-facility").atStart().means(SYSLOG).text("local0");
    option("syslog-ident").atStart().means(SYSLOG).text("redis");
    ofCluster();
  }

  private void ofCluster() {
    option("cluster-announce-human-nodename").means(CLUSTER).text("");
    number("cluster-compatibility-sample-ratio", 0, CLUSTER);
    option("cluster-config-file").atStart().means(CLUSTER).text("nodes.conf");
    number("cluster-link-sendbuf-limit", 0, CLUSTER);
    number("cluster-migration-barrier", 1, CLUSTER);
    number("cluster-node-timeout", 15_000, CLUSTER);
    number("cluster-port", 0, CLUSTER);
    option("cluster-replica-validity-factor")
        .alias("cluster-slave-validity-factor")
        .means(CLUSTER)
        .number(0, Integer.MAX_VALUE, 10);
  }

  /** An option with one possible value, which programs may read and set. */
  private void only(String value, String name, String reason) {
    ValueOption<String> unused = option(name).means(reason).choice(List.of(value), value);
  }

  private void flag(String name, boolean initial, String reason) {
    FlagOption unused = option(name).means(reason).yesNo(initial);
  }

  private void number(String name, long initial, String reason) {
    NumberOption unused = option(name).means(reason).number(0, Integer.MAX_VALUE, initial);
  }

  /** Whether a configuration file may contain an option that does not exist here. */
  static boolean isAcceptedInFile(String name) {
    return FILE_ONLY.contains(name.toLowerCase(Locale.ROOT)) || isHarmless(name);
  }

  /** Whether users can do without such an option, so that the log need not name it. */
  static boolean isHarmless(String name) {
    return FILE_ONLY_HARMLESS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** The options that may only appear in a configuration file. */
  static Set<String> fileOnly() {
    Set<String> names = new TreeSet<>(FILE_ONLY);
    names.addAll(FILE_ONLY_HARMLESS);
    return names;
  }
}
