package dev.kermes.bench.throughput;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.BackgroundLoad;
import dev.kermes.bench.load.LoadGenerator;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.load.LoadSettings;
import dev.kermes.bench.load.MemtierRequests;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * 200 busy connections, measured while others are idle, read slowly, send a long pipeline or
 * request a long reply. The load is seed-redis's at pipeline 1.
 */
public final class NoisyNeighbourBenchmark implements Benchmark {

  /** The p99 divided by the p99 of the same undisturbed server. */
  private static final Figure P99_RATIO = Figure.number("p99Ratio", "p99 / undisturbed");

  private static final Figure GC_PAUSES = new Figure("gcPauses", "GC pauses", "%.0f");
  private static final Figure GC_PAUSE_MAX = Figure.number("gcPauseMaxMillis", "GC max ms");

  private static final int CONNECTIONS = 200;

  @Override
  public String name() {
    return "neighbours";
  }

  @Override
  public String summary() {
    return "200 busy connections next to idle, slow and greedy ones";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--test-time");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    List<Figure> columns =
        List.of(
            Figure.OPS,
            LoadResult.OPS_PER_CPU,
            Figure.P50,
            Figure.P99,
            Figure.P999,
            Figure.MAX,
            P99_RATIO,
            GC_PAUSES,
            GC_PAUSE_MAX);
    Report report = new Report(name(), summary(), columns, List.of(Figure.P99, Figure.P999));
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    Map<BackgroundLoad, Map<RunningServer, Medians>> results = new LinkedHashMap<>();
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (RunningServer server : running.servers()) {
        progress.show("preparing " + server.peer().name());
        BackgroundLoad.prepare(server);
        LoadGenerator.run(
            settings(server, Duration.ofMillis(options.isQuick() ? 500 : 5000)),
            server::cpuSeconds);
      }
      for (int run = 0; run < options.runs(); run++) {
        for (BackgroundLoad load : wanted(options)) {
          for (RunningServer server : running.servers()) {
            progress.show(load.label() + ", run " + (run + 1) + ": " + server.peer().name());
            results
                .computeIfAbsent(load, key -> new LinkedHashMap<>())
                .computeIfAbsent(server, key -> new Medians())
                .add(runOnce(server, load, options));
          }
        }
      }
    }
    progress.done();
    addRows(results, report);
    report.note("Medians of %d alternating runs.".formatted(options.runs()));
    return report;
  }

  /** The undisturbed case comes first, because the others are compared with it. */
  private static List<BackgroundLoad> wanted(Options options) {
    return Stream.of(BackgroundLoad.values())
        .filter(each -> each == BackgroundLoad.NONE || options.wants(each.label()))
        .toList();
  }

  private static Map<String, Double> runOnce(
      RunningServer server, BackgroundLoad load, Options options)
      throws IOException, InterruptedException {
    Duration time = options.seconds("--test-time", options.isQuick() ? 0.3 : 3);
    String unused = server.ask("PING"); // replies when the previous load is completely processed
    int pausesBefore = server.gcPauses().size();
    BackgroundLoad.LoadSockets sockets = new BackgroundLoad.LoadSockets(server.address());
    Thread loadThread = Thread.ofPlatform().daemon().start(() -> load.runUntilClosed(sockets));
    try (sockets) {
      if (load == BackgroundLoad.IDLE) loadThread.join();
      LoadResult result = LoadGenerator.run(settings(server, time), server::cpuSeconds);
      Map<String, Double> figures = result.figures();
      List<Double> pauses = server.gcPauses();
      pauses = pauses.subList(pausesBefore, pauses.size());
      figures.put(GC_PAUSES.name(), (double) pauses.size());
      figures.put(
          GC_PAUSE_MAX.name(), pauses.stream().mapToDouble(Double::doubleValue).max().orElse(0));
      return figures;
    } finally {
      loadThread.join();
    }
  }

  private static LoadSettings settings(RunningServer server, Duration time) {
    return new LoadSettings(
        server.address(),
        2,
        CONNECTIONS / 2,
        1,
        new MemtierRequests(1, 10, 256, 100_000, 1),
        Duration.ofMillis(500),
        time);
  }

  private static void addRows(
      Map<BackgroundLoad, Map<RunningServer, Medians>> results, Report report) {
    Map<RunningServer, Double> undisturbed = new LinkedHashMap<>();
    results.forEach((load, servers) ->
        servers.forEach((server, medians) -> {
          Map<String, Double> figures = new LinkedHashMap<>(medians.figures());
          Row row = new Row(server.peer().name(), server.version(), load.label(), figures);
          double p99 = row.get(Figure.P99.name());
          double alone = undisturbed.computeIfAbsent(server, first -> p99);
          figures.put(P99_RATIO.name(), p99 / alone);
          report.add(row);
        }));
  }
}
