package dev.kermes.server.config;

import java.util.List;

/** The options for replication, as replica and as master. */
public final class ReplicationOptions extends OptionFamily {

  private static final int MAX = Integer.MAX_VALUE;

  /** The master, {@code host port}; empty if the server is a master. */
  public final ValueOption<String> master =
      option("replicaof")
          .alias("slaveof")
          .atStart()
          .means("The host and the port of the master; empty for a server that is a master.")
          .value(new Trimmed(), "");

  // As a replica

  public final ValueOption<String> masterUser =
      option("masteruser")
          .alias("primaryuser")
          .means("The user with which a replica logs in to its master; empty for the default user.")
          .text("");

  public final ValueOption<String> masterAuth =
      option("masterauth")
          .alias("primaryauth")
          .means("The password with which a replica logs in to its master; empty for no login.")
          .text("");

  public final FlagOption isReadOnly =
      option("replica-read-only")
          .alias("slave-read-only")
          .means("A replica refuses the writes of ordinary clients.")
          .yesNo(true);

  public final FlagOption servesStaleData =
      option("replica-serve-stale-data")
          .alias("slave-serve-stale-data")
          .means(
              "A replica without a connection to its master answers; otherwise clients get MASTERDOWN.")
          .yesNo(true);

  public final FlagOption ignoresMaxmemory =
      option("replica-ignore-maxmemory")
          .alias("slave-ignore-maxmemory")
          .means("A replica does not evict: its master does.")
          .yesNo(true);

  public final NumberOption priority =
      option("replica-priority")
          .alias("slave-priority")
          .means(
              "Sentinel prefers the replica with the lowest number as the next master; 0 for never.")
          .number(0, MAX, 100);

  public final ValueOption<String> announcedIp =
      option("replica-announce-ip")
          .alias("slave-announce-ip")
          .means("The address that a replica tells its master; empty for that of its connection.")
          .text("");

  public final NumberOption announcedPort =
      option("replica-announce-port")
          .alias("slave-announce-port")
          .means("The port that a replica tells its master; 0 for the one on which it listens.")
          .number(0, 65_535, 0);

  public final FlagOption isAnnounced =
      option("replica-announced").means("Sentinel reports the replica to clients.").yesNo(true);

  public final ValueOption<String> disklessLoad =
      option("repl-diskless-load")
          .means(
              "The way in which a replica loads a full sync: from a file (`disabled`), or while it"
                  + " arrives: only without old data (`on-empty-db`), with the old data kept until its"
                  + " end (`swapdb`), or with the old data deleted first (`flush-before-load`).")
          .choice(
              List.of("disabled", "on-empty-db", "swapdb", "flush-before-load", "flushdb"),
              word -> word.equals("flushdb") ? "flush-before-load" : word, // Redis's name
              word -> word,
              "disabled");

  public final ValueOption<String> sourceAddress =
      option("bind-source-addr")
          .means("The local address of the connection to the master; empty for any.")
          .text("");

  /** The reaction to a failed command of the replication stream. */
  public final ValueOption<String> errorBehavior =
      option("propagation-error-behavior")
          .means(
              "The reaction of a replica to a command of its master that fails: to continue"
                  + " (`ignore`), or to end the server.")
          .choice(List.of("ignore", "panic", "panic-on-replicas"), "ignore");

  // As a master

  public final NumberOption backlogBytes =
      option("repl-backlog-size")
          .means("The newest part of the replication stream, kept for replicas that reconnect.")
          .memory(1, Long.MAX_VALUE, 1 << 20);

  public final NumberOption backlogTtlSeconds =
      option("repl-backlog-ttl")
          .in("seconds")
          .means("A master without replicas frees the backlog after this time; 0 for never.")
          .number(0, MAX, 3600);

  public final NumberOption pingPeriodSeconds =
      option("repl-ping-replica-period")
          .alias("repl-ping-slave-period")
          .in("seconds")
          .means("The time between two PINGs in the replication stream.")
          .number(1, MAX, 10);

  public final NumberOption syncDelaySeconds =
      option("repl-diskless-sync-delay")
          .in("seconds")
          .means("The time for which a full sync without a file waits for more replicas.")
          .number(0, MAX, 5);

  public final NumberOption syncReplicasMax =
      option("repl-diskless-sync-max-replicas")
          .means(
              "A full sync begins at once when this number of replicas waits for it; 0 for no number.")
          .number(0, MAX, 0);

  public final NumberOption replicasMin =
      option("min-replicas-to-write")
          .alias("min-slaves-to-write")
          .means("Writes are refused with fewer replicas in good state; 0 for no condition.")
          .number(0, MAX, 0);

  public final NumberOption lagSecondsMax =
      option("min-replicas-max-lag")
          .alias("min-slaves-max-lag")
          .in("seconds")
          .means("A replica is in good state if it has reported within this time.")
          .number(0, MAX, 10);

  // As both

  public final NumberOption timeoutSeconds =
      option("repl-timeout")
          .in("seconds")
          .means("A silent connection between master and replica is closed after this time.")
          .number(1, MAX, 60);

  ReplicationOptions() {
    super("Replication");
  }

  /** Any text, without blanks around it. */
  private record Trimmed() implements Syntax<String> {
    @Override
    public String parse(String text, String present) {
      return text.trim();
    }

    @Override
    public String print(String value) {
      return value;
    }

    @Override
    public String values() {
      return "host and port";
    }
  }
}
