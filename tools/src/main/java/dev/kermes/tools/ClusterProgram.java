package dev.kermes.tools;

import dev.kermes.testkit.KermesCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program {@code kermes cluster}: serves a cluster from this process. */
final class ClusterProgram {

  static final String USAGE =
      """
      usage: kermes cluster [--masters N] [--replicas N] [--port N] [--orders stdin] [--option value ...]
      serves a cluster for development and tests on loopback ports, from 7000 on: 3 masters, each with
      1 replica, in one process; a port of 0 takes free ones; options of redis.conf are for all nodes;
      with orders it reads lines: freeze PORT, thaw PORT, kill PORT, restart PORT, failover PORT
      """;

  private static final int PORT = 7000;

  private ClusterProgram() {}

  /** Returns the exit status when the cluster has ended. */
  static int run(String[] args) {
    return NodesProgram.run(List.of(args), ClusterProgram::serve);
  }

  private static int serve(List<String> args) {
    KermesCluster.Builder builder = KermesCluster.builder().replicas(1).port(PORT);
    NodesProgram.parse(args, USAGE, (option, value) -> set(builder, option, value));
    NodesProgram.quieten();
    KermesCluster cluster = builder.start();
    List<String> lines = new ArrayList<>();
    for (KermesCluster.Node each : cluster.nodes()) lines.add(each.toString());
    lines.add("Ready: redis-cli -c -p " + cluster.node(0).port());
    if (NodesProgram.takesOrders(args)) orders(cluster).follow(System.in);
    return NodesProgram.serve(cluster::close, lines);
  }

  private static NodeOrders<KermesCluster.Node> orders(KermesCluster cluster) {
    return new NodeOrders<>(
        cluster.nodes(),
        KermesCluster.Node::port,
        Map.of(
            "freeze",
            cluster::freeze,
            "thaw",
            cluster::thaw,
            "kill",
            cluster::kill,
            "restart",
            cluster::restart,
            "failover",
            cluster::failover));
  }

  private static void set(KermesCluster.Builder builder, String option, String value) {
    switch (option) {
      case "--masters" -> builder.masters(NodesProgram.number(option, value));
      case "--replicas" -> builder.replicas(NodesProgram.number(option, value));
      case "--port" -> builder.port(NodesProgram.number(option, value));
      case NodesProgram.ORDERS -> NodesProgram.requireStdin(value);
      default -> builder.option(option.substring(2), value);
    }
  }
}
