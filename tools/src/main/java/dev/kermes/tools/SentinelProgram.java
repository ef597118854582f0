package dev.kermes.tools;

import dev.kermes.testkit.KermesSentinel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program {@code kermes sentinel}: serves a master, replicas and sentinels from this process.
 */
final class SentinelProgram {

  static final String USAGE =
      """
      usage: kermes sentinel [--replicas N] [--sentinels N] [--port N] [--sentinel-port N]
                             [--down-after-milliseconds N] [--orders stdin] [--option value ...]
      serves a master with 1 replica, from port 6379 on, and 3 sentinels that watch it as mymaster, from
      port 26379 on, for development and tests in one process on loopback ports; a port of 0 takes free
      ones; options of redis.conf are for all servers; with orders it reads lines: freeze PORT, thaw PORT,
      kill PORT, restart PORT
      """;

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26_379;

  /** 5 s: an operator sees the events one after another. */
  private static final Duration DOWN_AFTER = Duration.ofSeconds(5);

  private SentinelProgram() {}

  /** Returns the exit status when the servers have ended. */
  static int run(String[] args) {
    return NodesProgram.run(List.of(args), SentinelProgram::serve);
  }

  private static int serve(List<String> args) {
    KermesSentinel.Builder builder =
        KermesSentinel.builder().port(PORT).sentinelPort(SENTINEL_PORT).downAfter(DOWN_AFTER);
    NodesProgram.parse(args, USAGE, (option, value) -> set(builder, option, value));
    NodesProgram.quieten();
    KermesSentinel sentinel = builder.start();
    List<String> lines = new ArrayList<>();
    for (KermesSentinel.Node each : sentinel.nodes()) lines.add(each.toString());
    for (KermesSentinel.Node each : sentinel.sentinels()) lines.add(each.toString());
    lines.add("Ready: redis-cli -p " + sentinel.sentinel(0).port() + " sentinel masters");
    if (NodesProgram.takesOrders(args)) orders(sentinel).follow(System.in);
    return NodesProgram.serve(sentinel::close, lines);
  }

  private static NodeOrders<KermesSentinel.Node> orders(KermesSentinel sentinel) {
    List<KermesSentinel.Node> nodes = new ArrayList<>(sentinel.nodes());
    nodes.addAll(sentinel.sentinels());
    return new NodeOrders<>(
        nodes,
        KermesSentinel.Node::port,
        Map.of(
            "freeze",
            sentinel::freeze,
            "thaw",
            sentinel::thaw,
            "kill",
            sentinel::kill,
            "restart",
            sentinel::restart));
  }

  private static void set(KermesSentinel.Builder builder, String option, String value) {
    switch (option) {
      case "--replicas" -> builder.replicas(NodesProgram.number(option, value));
      case "--sentinels" -> builder.sentinels(NodesProgram.number(option, value));
      case "--port" -> builder.port(NodesProgram.number(option, value));
      case "--sentinel-port" -> builder.sentinelPort(NodesProgram.number(option, value));
      case "--down-after-milliseconds" ->
          builder.downAfter(Duration.ofMillis(NodesProgram.number(option, value)));
      case NodesProgram.ORDERS -> NodesProgram.requireStdin(value);
      default -> builder.option(option.substring(2), value);
    }
  }
}
