package dev.kermes.bench.footprint;

import dev.kermes.bench.harness.Report;
import dev.kermes.client.RedisClient;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import dev.kermes.testkit.TestDeployment;
import dev.kermes.testkit.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The time that a test spends in the test kit in a warm JVM: the reset of what it shares with other
 * tests, after 100 keys were set, and the start of a deployment.
 */
final class TestKitCases {

  private static final String PEER = "kermes test kit";
  private static final int KEYS = 100;
  private static final int WARM_UPS = 20;

  /** A tenth of the resets, since a start takes longer. */
  private static final int RESETS_PER_START = 10;

  private TestKitCases() {}

  /** Measures this number of resets of each deployment, and a tenth of it of starts. */
  static void addTo(Report report, int resets) {
    add(report, "a server", TestServer::start, resets);
    add(
        report,
        "3 masters, 3 replicas",
        () -> KermesCluster.builder().masters(3).replicas(1).withFaults().start(),
        resets);
    add(
        report,
        "1 master, 1 replica, 3 sentinels",
        () -> KermesSentinel.builder().withFaults().start(),
        resets);
  }

  private static void add(
      Report report, String what, Supplier<? extends TestDeployment> start, int resets) {
    List<Double> starts = starts(start, resets / RESETS_PER_START);
    report.add(StartUpBenchmark.row(PEER, "", "test kit: start of " + what, starts));
    report.add(StartUpBenchmark.row(PEER, "", "test kit: reset of " + what, resets(start, resets)));
  }

  private static List<Double> starts(Supplier<? extends TestDeployment> start, int count) {
    List<Double> millis = new ArrayList<>();
    for (int i = -WARM_UPS; i < count; i++) {
      long began = System.nanoTime();
      try (TestDeployment started = start.get()) {
        double took = millisSince(began);
        if (i >= 0) millis.add(took);
        if (started.url().isEmpty()) throw new AssertionError(started);
      }
    }
    return millis;
  }

  private static List<Double> resets(Supplier<? extends TestDeployment> start, int count) {
    List<Double> millis = new ArrayList<>();
    try (TestDeployment shared = start.get()) {
      RedisClient redis = shared.client();
      for (int i = -WARM_UPS; i < count; i++) {
        for (int key = 0; key < KEYS; key++) redis.blocking().set("key" + key, "value");
        long began = System.nanoTime();
        shared.reset();
        if (i >= 0) millis.add(millisSince(began));
      }
    }
    return millis;
  }

  private static double millisSince(long began) {
    return (System.nanoTime() - began) / 1e6;
  }
}
