package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.text;
import static dev.kermes.server.config.OptionKinds.yesNo;

import java.util.List;

/** The options for replication, as replica and as master. */
public final class ReplicationOptions {

  /** The master at the start, {@code host port}; empty if the server is a master. */
  public String master = "";

  // As a replica

  public String masterUser = "";
  public String masterAuth = "";
  public boolean isReadOnly = true;
  public boolean servesStaleData = true;
  public boolean ignoresMaxmemory = true;
  public int priority = 100;
  public String announcedIp = "";
  public int announcedPort;
  public boolean isAnnounced = true;

  /**
   * Whether a full sync is loaded while it arrives, and whether the old data stay until its end.
   */
  public String disklessLoad = "disabled";

  /** The local address of the connection to the master; empty for any. */
  public String sourceAddress = "";

  /** The reaction to a failed command of the stream: {@code ignore}, or to end the server. */
  public String errorBehavior = "ignore";

  // As a master

  public long backlogBytes = 1 << 20;
  public int backlogTtlSeconds = 3600;
  public int pingPeriodSeconds = 10;
  public boolean isDiskless = true;
  public int syncDelaySeconds = 5;
  public int syncReplicasMax;
  public int replicasMin;
  public int lagSecondsMax = 10;

  // As both

  public int timeoutSeconds = 60;
  public boolean delaysSmallPackets;

  ReplicationOptions() {}

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    declareOfReplica(table);
    declareOfMaster(table);
  }

  private void declareOfReplica(OptionTable table) {
    table.fixed("replicaof", text(() -> master, v -> master = v.trim()));
    table.mutable("masteruser", text(() -> masterUser, v -> masterUser = v));
    table.mutable("masterauth", text(() -> masterAuth, v -> masterAuth = v));
    table.alias("primaryuser", "masteruser"); // Valkey's names
    table.alias("primaryauth", "masterauth");
    table.mutable("replica-read-only", yesNo(() -> isReadOnly, v -> isReadOnly = v));
    table.mutable(
        "replica-serve-stale-data", yesNo(() -> servesStaleData, v -> servesStaleData = v));
    table.mutable(
        "replica-ignore-maxmemory", yesNo(() -> ignoresMaxmemory, v -> ignoresMaxmemory = v));
    table.mutable(
        "replica-priority", number(0, Integer.MAX_VALUE, () -> priority, v -> priority = (int) v));
    table.mutable("replica-announce-ip", text(() -> announcedIp, v -> announcedIp = v));
    table.mutable(
        "replica-announce-port",
        number(0, 65_535, () -> announcedPort, v -> announcedPort = (int) v));
    table.mutable("bind-source-addr", text(() -> sourceAddress, v -> sourceAddress = v));
    table.mutable(
        "propagation-error-behavior",
        choice(
            List.of("ignore", "panic", "panic-on-replicas"),
            () -> errorBehavior,
            v -> errorBehavior = v));
    table.mutable("replica-announced", yesNo(() -> isAnnounced, v -> isAnnounced = v));
    table.mutable(
        "repl-diskless-load",
        choice(
            List.of("disabled", "on-empty-db", "swapdb", "flush-before-load", "flushdb"),
            () -> disklessLoad,
            v -> disklessLoad = v.equals("flushdb") ? "flush-before-load" : v)); // Redis's name
    for (String rest :
        List.of("-read-only", "-serve-stale-data", "-ignore-maxmemory", "-priority")) {
      table.alias("slave" + rest, "replica" + rest);
    }
    table.alias("slaveof", "replicaof");
    table.alias("slave-announce-ip", "replica-announce-ip");
    table.alias("slave-announce-port", "replica-announce-port");
  }

  private void declareOfMaster(OptionTable table) {
    int max = Integer.MAX_VALUE;
    table.mutable(
        "repl-backlog-size", memory(1, Long.MAX_VALUE, () -> backlogBytes, v -> backlogBytes = v));
    table.mutable(
        "repl-backlog-ttl",
        number(0, max, () -> backlogTtlSeconds, v -> backlogTtlSeconds = (int) v));
    table.mutable(
        "repl-timeout", number(1, max, () -> timeoutSeconds, v -> timeoutSeconds = (int) v));
    table.mutable(
        "repl-ping-replica-period",
        number(1, max, () -> pingPeriodSeconds, v -> pingPeriodSeconds = (int) v));
    table.alias("repl-ping-slave-period", "repl-ping-replica-period");
    table.mutable("repl-diskless-sync", yesNo(() -> isDiskless, v -> isDiskless = v));
    table.mutable(
        "repl-diskless-sync-delay",
        number(0, max, () -> syncDelaySeconds, v -> syncDelaySeconds = (int) v));
    table.mutable(
        "repl-diskless-sync-max-replicas",
        number(0, max, () -> syncReplicasMax, v -> syncReplicasMax = (int) v));
    table.mutable(
        "repl-disable-tcp-nodelay", yesNo(() -> delaysSmallPackets, v -> delaysSmallPackets = v));
    table.mutable(
        "min-replicas-to-write", number(0, max, () -> replicasMin, v -> replicasMin = (int) v));
    table.mutable(
        "min-replicas-max-lag", number(0, max, () -> lagSecondsMax, v -> lagSecondsMax = (int) v));
    table.alias("min-slaves-to-write", "min-replicas-to-write");
    table.alias("min-slaves-max-lag", "min-replicas-max-lag");
  }
}
