package dev.kermes.server.config;

import java.util.List;

/**
 * The options for a node of a cluster, which only the test kit starts; without effect in any other
 * server.
 */
public final class ClusterOptions extends OptionFamily {

  /** Whether the server is a node of a cluster: {@code yes} is set when it becomes one. */
  public final ValueOption<String> enabled =
      option("cluster-enabled")
          .atStart()
          .means("Whether the server is a node of a cluster.")
          .unlikeRedis("Only the test kit and `kermes cluster` start nodes.")
          .choice(List.of("no"), "no");

  public final ValueOption<String> endpointType =
      option("cluster-preferred-endpoint-type")
          .means("The address of a node in MOVED, CLUSTER SLOTS and CLUSTER SHARDS.")
          .choice(List.of("ip", "hostname", "unknown-endpoint"), "ip");

  public final ValueOption<String> ip =
      option("cluster-announce-ip")
          .means("The IP address of this node for clients; empty for the loopback address.")
          .text("");

  public final ValueOption<String> hostname =
      option("cluster-announce-hostname")
          .means("The host name of this node for clients; empty for none.")
          .value(new Hostname(), "");

  public final NumberOption port =
      option("cluster-announce-port")
          .means("The port of this node for clients; 0 for the one on which it listens.")
          .number(0, 65_535, 0);

  public final NumberOption tlsPort =
      option("cluster-announce-tls-port")
          .means("The port of this node for clients with TLS; 0 for the one on which it listens.")
          .number(0, 65_535, 0);

  public final NumberOption busPort =
      option("cluster-announce-bus-port")
          .means("The port of the bus in CLUSTER NODES; 0 for 10,000 more than that for clients.")
          .number(0, 65_535, 0);

  public final FlagOption staysReplica =
      option("cluster-replica-no-failover")
          .alias("cluster-slave-no-failover")
          .means("This node does not take over when its master fails; CLUSTER FAILOVER works.")
          .yesNo(false);

  public final FlagOption mayMigrate =
      option("cluster-allow-replica-migration")
          .means("A master that loses its last slot becomes a replica of the slot's new owner.")
          .unlikeRedis("Replicas do not move to masters that have none.")
          .yesNo(true);

  public final FlagOption needsAllSlots =
      option("cluster-require-full-coverage")
          .means("A node serves keys only while every slot of the cluster has a master.")
          .yesNo(true);

  public final FlagOption readsWhenDown =
      option("cluster-allow-reads-when-down")
          .means("A node serves reads even while the cluster is down.")
          .yesNo(false);

  public final FlagOption messagesWhenDown =
      option("cluster-allow-pubsubshard-when-down")
          .means("A node serves shard channels even while the cluster is down.")
          .yesNo(true);

  public final FlagOption countsSlotUsage =
      option("cluster-slot-stats-enabled")
          .means("CLUSTER SLOT-STATS counts time and bytes of commands, and not keys alone.")
          .yesNo(false);

  ClusterOptions() {
    super("Cluster");
  }
}
