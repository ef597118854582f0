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
          "appenddirname",
          "appendfilename",
          "bgsave-cpulist",
          "bgsave_cpulist",
          "bio-cpulist",
          "bio_cpulist",
          "crash-log-enabled",
          "crash-memcheck-enabled",
          "disable-thp",
          "enable-protected-configs",
          "ignore-warnings",
          "io-threads-do-reads",
          "locale-collate",
          "min-replicas-max-lag",
          "min-slaves-max-lag",
          "oom-score-adj",
          "oom-score-adj-values",
          "proc-title-template",
          "propagation-error-behavior",
          "rdb-del-sync-files",
          "repl-backlog-size",
          "repl-backlog-ttl",
          "repl-disable-tcp-nodelay",
          "repl-diskless-load",
          "repl-diskless-sync",
          "repl-diskless-sync-delay",
          "repl-diskless-sync-max-replicas",
          "repl-ping-replica-period",
          "repl-ping-slave-period",
          "repl-timeout",
          "replica-ignore-maxmemory",
          "replica-lazy-flush",
          "replica-priority",
          "replica-serve-stale-data",
          "server-cpulist",
          "server_cpulist",
          "set-proc-title",
          "shutdown-on-sigint",
          "shutdown-on-sigterm",
          "shutdown-timeout",
          "slave-ignore-maxmemory",
          "slave-lazy-flush",
          "slave-priority",
          "slave-read-only",
          "slave-serve-stale-data",
          "socket-mark-id",
          "syslog-facility",
          "syslog-ident");

  private TuningOptions() {}

  static boolean contains(String lowerCaseName) {
    return NAMES.contains(lowerCaseName);
  }
}
