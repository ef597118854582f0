package dev.kermes.bench.persistence;

import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadGenerator;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.load.LoadSettings;
import dev.kermes.bench.load.MemtierRequests;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SETs on 50 connections while the append only file is on; each run starts with an empty file. */
final class AppendCase {

  private static final int THREADS = 2;
  private static final int CONNECTIONS = 50;
  private static final long KEY_MAXIMUM = 1_000_000;

  /** A sync policy and a load. */
  private record Case(String policy, int pipeline, int valueSize) {
    String label() {
      return "appendfsync %s, pipeline %d, %d bytes".formatted(policy, pipeline, valueSize);
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case("always", 1, 32),
          new Case("always", 1, 1024),
          new Case("everysec", 1, 32),
          new Case("everysec", 30, 32));

  private AppendCase() {}

  static void measure(Peers peers, Path folder, Options options, Report report, Progress progress)
      throws IOException, InterruptedException {
    try (RunningServers running =
        RunningServers.start(peers.with("--save", ""), progress, folder)) {
      for (RunningServer server : running.servers()) server.turnOnAppendOnly();
      for (Case each : CASES) {
        Map<RunningServer, Medians> results = new LinkedHashMap<>();
        for (int run = 0; run <= options.runs(); run++) {
          for (RunningServer server : running.servers()) {
            progress.show(each.label() + ", run " + run + ": " + server.peer().name());
            Map<String, Double> figures = runOnce(server, each, options, run).figures();
            Medians medians = results.computeIfAbsent(server, key -> new Medians());
            if (run > 0) medians.add(figures);
          }
        }
        results.forEach((server, medians) ->
            report.add(
                new Row(server.peer().name(), server.version(), each.label(), medians.figures())));
      }
    }
  }

  /** Leaves no data for the system to write while another server is measured. */
  private static LoadResult runOnce(RunningServer server, Case which, Options options, int run)
      throws IOException, InterruptedException {
    server.tell("CONFIG", "SET", "appendfsync", which.policy());
    LoadResult result =
        LoadGenerator.run(settings(server, which, options, run), server::cpuSeconds);
    server.flush();
    server.rewriteAppendOnly();
    return result;
  }

  private static LoadSettings settings(RunningServer server, Case which, Options options, int run) {
    return new LoadSettings(
        server.address(),
        THREADS,
        CONNECTIONS / THREADS,
        which.pipeline(),
        new MemtierRequests(1, 0, which.valueSize(), KEY_MAXIMUM, 1 + (long) run * CONNECTIONS),
        Duration.ofMillis(options.isQuick() ? 100 : 1000),
        options.seconds("--test-time", options.isQuick() ? 0.3 : 3));
  }
}
