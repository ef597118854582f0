package dev.kermes.server.engine;

import java.util.Locale;
import java.util.Set;

/**
 * Options of redis.conf that tune what this server does in another way or leaves to the machine. A
 * configuration file may have them, and they change nothing. What would be a promise that is not
 * kept, such as {@code cluster-enabled yes}, is not among them.
 */
final class TuningOptions {

  /** Those that a user may miss; the log names them. */
  private static final Set<String> NAMED =
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
   * Those that are about looks, crashes of the process and its rank among others, or that Redis
   * itself ignores; and those of a cluster that there is not.
   */
  private static final Set<String> HARMLESS =
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

  private TuningOptions() {}

  static boolean contains(String name) {
    return NAMED.contains(name.toLowerCase(Locale.ROOT)) || isHarmless(name);
  }

  static boolean isHarmless(String name) {
    return HARMLESS.contains(name.toLowerCase(Locale.ROOT));
  }
}
