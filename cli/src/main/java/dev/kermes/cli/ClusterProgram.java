package dev.kermes.cli;

import dev.kermes.testkit.KermesCluster;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The program {@code kermes cluster}: serves a cluster from this process. */
final class ClusterProgram {

  static final String USAGE =
      """
      usage: kermes cluster [--masters N] [--replicas N] [--port N] [--option value ...]
      serves a cluster for development and tests on loopback ports, from 7000 on: 3 masters, each with
      1 replica, in one process; a port of 0 takes free ones; options of redis.conf are for all nodes
      """;

  private static final int PORT = 7000;

  /** The log of all nodes, without their messages about replication. */
  private static final Logger LOG = Logger.getLogger("dev.kermes");

  private final KermesCluster.Builder builder = KermesCluster.builder().replicas(1).port(PORT);

  private ClusterProgram() {}

  /** Returns the exit status when the cluster has ended. */
  static int run(String[] args) {
    try {
      ClusterProgram program = new ClusterProgram();
      program.parse(List.of(args));
      return program.serve();
    } catch (IllegalArgumentException | UncheckedIOException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  private void parse(List<String> args) {
    for (int i = 0; i < args.size(); i += 2) {
      String word = args.get(i);
      if (!word.startsWith("--")) {
        throw new IllegalArgumentException("unknown argument: " + word + "\n" + USAGE);
      }
      if (i + 1 == args.size()) throw new IllegalArgumentException("value missing: option=" + word);
      String value = args.get(i + 1);
      switch (word) {
        case "--masters" -> builder.masters(number(word, value));
        case "--replicas" -> builder.replicas(number(word, value));
        case "--port" -> builder.port(number(word, value));
        default -> builder.option(word.substring(2), value);
      }
    }
  }

  private static int number(String option, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + option + "=" + value, e);
    }
  }

  private int serve() {
    LOG.setLevel(Level.SEVERE);
    KermesCluster cluster = builder.start();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  cluster.close();
                  ended.countDown();
                  Runtime.getRuntime().halt(0);
                },
                "kermes-stop"));
    for (KermesCluster.Node each : cluster.nodes()) System.out.println(each);
    System.out.println("Ready: redis-cli -c -p " + cluster.node(0).port());
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }
}
