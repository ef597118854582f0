package dev.kermes.server.engine;

import java.util.Set;

/**
 * Options of redis.conf that tune what this server does in another way or leaves to the machine. A
 * configuration file may have them; they are named in the log and change nothing. What would be a
 * promise that is not kept, such as {@code cluster-enabled yes}, is not among them.
 */
final class TuningOptions {

  private static final Set<String> NAMES =
      Set.of(
          "aof-rewrite-cpulist",
          "aof_rewrite_cpulist",
          "bgsave-cpulist",
          "bgsave_cpulist",
          "bio-cpulist",
          "bio_cpulist",
          "crash-log-enabled",
          "crash-memcheck-enabled",
          "disable-thp",
          "enable-debug-assert",
          "enable-protected-configs",
          "extended-redis-compatibility",
          "ignore-warnings",
          "io-threads-do-reads",
          "locale-collate",
          "oom-score-adj",
          "oom-score-adj-values",
          "proc-title-template",
          "replica-lazy-flush",
          "server-cpulist",
          "server_cpulist",
          "set-proc-title",
          "slave-lazy-flush",
          "socket-mark-id",
          "syslog-facility",
          "syslog-ident",
          "tls-cluster",
          "tls-dh-params-file",
          "use-exit-on-panic");

  private TuningOptions() {}

  static boolean contains(String lowerCaseName) {
    return NAMES.contains(lowerCaseName);
  }
}
