package dev.kermes.bench.footprint;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The time until a server replies: embedded in a warm JVM, and as a separate process; and the time
 * that the test kit takes.
 */
public final class StartUpBenchmark implements Benchmark {

  @Override
  public String name() {
    return "start-up";
  }

  @Override
  public String summary() {
    return "embedded start to first reply in a warm JVM; the test kit; process start to accepting";
  }

  @Override
  public Set<String> options() {
    return Set.of();
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report =
        new Report(
            name(),
            summary(),
            List.of(Figure.MEDIAN, Figure.MIN, Figure.MAX),
            List.of(Figure.MEDIAN));
    progress.show("embedded");
    report.add(row("kermes embedded", "", "start to first reply, warm JVM", embedded(options)));
    progress.show("test kit");
    TestKitCases.addTo(report, options.isQuick() ? 20 : 200);
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    Map<Peer, List<Double>> times = new LinkedHashMap<>();
    Map<Peer, String> versions = new LinkedHashMap<>();
    int runs = options.isQuick() ? 3 : Math.max(10, options.runs());
    for (int run = 0; run < runs; run++) {
      for (Peer peer : peers.present()) {
        if (peer.address() != null) continue;
        progress.show("process, run " + (run + 1) + " of " + runs + ": " + peer.name());
        try (RunningServer server = RunningServer.start(peer)) {
          times.computeIfAbsent(peer, key -> new ArrayList<>()).add(server.startMillis());
          versions.put(peer, server.version());
        }
      }
    }
    progress.done();
    times.forEach((peer, millis) ->
        report.add(
            row(
                peer.name(),
                versions.getOrDefault(peer, ""),
                "process start to first reply",
                millis)));
    report.note(
        "Medians of 20 embedded starts and %d processes each, alternating; of 200 resets and 20 starts"
                .formatted(runs)
            + " of the test kit.");
    return report;
  }

  private static List<Double> embedded(Options options) throws IOException {
    int warmUps = 5;
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < warmUps + (options.isQuick() ? 10 : 20); i++) {
      long began = System.nanoTime();
      try (RedisServer server = RedisServer.start();
          Wire wire =
              new Wire(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))) {
        if (!wire.call("PING").equals("+PONG")) throw new IOException("no PONG");
        if (i >= warmUps) millis.add((System.nanoTime() - began) / 1e6);
      }
    }
    return millis;
  }

  static Row row(String peer, String version, String benchCase, List<Double> millis) {
    List<Double> sorted = millis.stream().sorted().toList();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.MEDIAN.name(), Medians.of(sorted));
    figures.put(Figure.P50.name(), Medians.of(sorted));
    figures.put(Figure.MIN.name(), sorted.getFirst());
    figures.put(Figure.MAX.name(), sorted.getLast());
    return new Row(peer, version, benchCase, figures);
  }
}
