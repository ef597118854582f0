package dev.kermes.bench.expiry;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Shows how well a server keeps up with expiry, and what its other clients notice: keys and fields
 * of a hash that are written at full speed and live 0.3 s, and a million keys that expire at the
 * same moment.
 */
public final class ExpiryBenchmark implements Benchmark {

  /** The expired share of the stored keys: median and largest of the samples of a run. */
  private static final Figure STALE = new Figure("stalePercent", "stale %", "%.1f");

  private static final Figure STALE_MAX = new Figure("stalePercentMax", "stale % max", "%.1f");
  private static final Figure GONE = Figure.number("goneSeconds", "gone after s");

  /** The probe's p99 divided by its p99 during the same load without expiry. */
  private static final Figure P99_RATIO = Figure.number("p99Ratio", "p99 / undisturbed");

  private static final String ALL_AT_ONCE = "all at once";

  /** The time to live of the writes of {@link ExpiringLoad}. */
  private static final Duration LIFE = Duration.ofMillis(300);

  private static final Duration WARM_UP = Duration.ofSeconds(3);

  @Override
  public String name() {
    return "expiry";
  }

  @Override
  public String summary() {
    return "keys and fields that expire at full speed, and a million at once";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--test-time", "--keys");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    List<Figure> columns =
        List.of(
            Figure.OPS,
            LoadResult.OPS_PER_CPU,
            STALE,
            STALE_MAX,
            GONE,
            Figure.P50,
            Figure.P99,
            Figure.MAX,
            P99_RATIO);
    Report report = new Report(name(), summary(), columns, List.of(Figure.P99));
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    Map<String, Map<RunningServer, Medians>> results = new LinkedHashMap<>();
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (int run = 0; run < options.runs(); run++) {
        for (String benchCase : cases(options)) {
          for (RunningServer server : running.servers()) {
            progress.show(benchCase + ", run " + (run + 1) + ": " + server.peer().name());
            server.flush();
            Map<String, Double> figures =
                benchCase.equals(ALL_AT_ONCE)
                    ? allAtOnce(server, options)
                    : steady(server, ExpiringLoad.Kind.named(benchCase), options);
            if (figures.isEmpty()) continue;
            results
                .computeIfAbsent(benchCase, key -> new LinkedHashMap<>())
                .computeIfAbsent(server, key -> new Medians())
                .add(figures);
          }
        }
      }
    }
    progress.done();
    results.forEach((benchCase, servers) ->
        servers.forEach((server, medians) ->
            report.add(
                new Row(server.peer().name(), server.version(), benchCase, medians.figures()))));
    report.note("Latencies are those of one connection that sends a GET every millisecond.");
    report.note("Medians of %d alternating runs.".formatted(options.runs()));
    return report;
  }

  private static List<String> cases(Options options) {
    List<String> cases = new ArrayList<>();
    for (ExpiringLoad.Kind kind : ExpiringLoad.Kind.values()) cases.add(kind.label());
    cases.add(ALL_AT_ONCE);
    return cases.stream().filter(options::wants).toList();
  }

  /**
   * Measures the load with expiry and, for the probe, the same without; nothing if the server does
   * not know the command.
   */
  private static Map<String, Double> steady(
      RunningServer server, ExpiringLoad.Kind kind, Options options)
      throws IOException, InterruptedException {
    if (!ExpiringLoad.isKnown(server, kind)) return Map.of();
    Duration time = options.seconds("--test-time", options.isQuick() ? 0.5 : 20);
    Duration warmUp = options.isQuick() ? LIFE : WARM_UP;
    double undisturbed;
    try (ExpiringLoad load = new ExpiringLoad(server, kind, null);
        ProbeClient neighbour = new ProbeClient(server)) {
      Thread.sleep(warmUp);
      neighbour.latencies();
      Thread.sleep(options.isQuick() ? LIFE : time.dividedBy(4));
      undisturbed = percentile(neighbour.latencies(), 99);
      load.stop();
    }
    server.flush();
    try (ExpiringLoad load = new ExpiringLoad(server, kind, LIFE);
        ProbeClient neighbour = new ProbeClient(server)) {
      StaleSamples samples = new StaleSamples(server, load, LIFE);
      samples.take(warmUp);
      samples.clear();
      neighbour.latencies();
      double cpuBefore = server.cpuSeconds();
      long writtenBefore = load.written();
      samples.take(time);
      Histogram latencies = neighbour.latencies();
      double written = load.written() - writtenBefore;
      Map<String, Double> figures = figures(latencies, undisturbed);
      figures.put(Figure.OPS.name(), written / (time.toMillis() / 1e3));
      figures.put(LoadResult.OPS_PER_CPU.name(), written / (server.cpuSeconds() - cpuBefore));
      figures.put(STALE.name(), samples.median() * 100);
      figures.put(STALE_MAX.name(), samples.max() * 100);
      load.stop();
      return figures;
    }
  }

  /** Fills the server with keys that expire at one moment and waits until it has removed them. */
  private static Map<String, Double> allAtOnce(RunningServer server, Options options)
      throws IOException, InterruptedException {
    int keys = options.number("--keys", options.isQuick() ? 1000 : 1_000_000);
    Duration calm = options.isQuick() ? LIFE : Duration.ofSeconds(2);
    try (Wire wire = new Wire(server.address());
        ProbeClient neighbour = new ProbeClient(server)) {
      long due = ExpiringLoad.fill(server, keys, calm);
      neighbour.latencies();
      Thread.sleep(Math.max(1, due - System.currentTimeMillis()));
      double undisturbed = percentile(neighbour.latencies(), 99);
      long began = System.nanoTime();
      while (!wire.call("DBSIZE").equals(":1")) Thread.sleep(2); // the probe's key stays
      double seconds = (System.nanoTime() - began) / 1e9;
      Map<String, Double> figures = figures(neighbour.latencies(), undisturbed);
      figures.put(GONE.name(), seconds);
      return figures;
    }
  }

  private static Map<String, Double> figures(Histogram latencies, double undisturbed) {
    Map<String, Double> figures = new LinkedHashMap<>();
    double p99 = percentile(latencies, 99);
    figures.put(Figure.P50.name(), percentile(latencies, 50));
    figures.put(Figure.P99.name(), p99);
    figures.put(Figure.MAX.name(), latencies.getMaxValue() / 1e6);
    figures.put(P99_RATIO.name(), p99 / undisturbed);
    return figures;
  }

  private static double percentile(Histogram latencies, double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }
}
