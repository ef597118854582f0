package dev.kermes.bench.throughput;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The load of the article that builds a naive Redis clone: memtier_benchmark with 256-byte values,
 * one SET to ten GETs, at pipeline 30, and the same at pipeline 1. Every run starts with an empty
 * server (or with {@code --prefill} keys), and the peers take turns.
 */
public final class SeedRedisBenchmark implements Benchmark {

  private static final List<Figure> COLUMNS =
      List.of(
          Figure.OPS,
          LoadResult.OPS_PER_CPU,
          Figure.SERVER_CPU,
          Figure.CLIENT_CPU,
          LoadResult.SERVER_SHARE,
          LoadResult.CLIENT_SHARE,
          LoadResult.OTHER_SHARE,
          Figure.P50,
          Figure.P99,
          Figure.P999,
          Figure.MAX,
          LoadResult.SLOWEST,
          LoadResult.LITTLE,
          LoadResult.HIT_RATE);

  private final @Nullable Peers chosen;

  public SeedRedisBenchmark() {
    this(null);
  }

  /** Creates the benchmark with these peers instead of those that it would find. */
  public SeedRedisBenchmark(@Nullable Peers chosen) {
    this.chosen = chosen;
  }

  @Override
  public String name() {
    return "seed-redis";
  }

  @Override
  public String summary() {
    return "memtier_benchmark's load, 256-byte values, SET:GET 1:10, at pipeline 30 and 1";
  }

  @Override
  public Set<String> options() {
    return Set.of(
        "--threads",
        "--clients",
        "--pipeline",
        "--ratio",
        "--data-size",
        "--key-maximum",
        "--test-time",
        "--warm-up",
        "--prefill",
        "--seed");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report =
        new Report(name(), summary(), COLUMNS, List.of(Figure.OPS, LoadResult.OPS_PER_CPU));
    Peers peers = chosen == null ? Peers.find(options, true, true) : chosen;
    report.missing(peers.missing());
    try (RunningServers running = RunningServers.start(peers, progress)) {
      warmUp(running, options, progress);
      for (int pipeline : options.numbers("--pipeline", List.of(30, 1))) {
        measure(running, options, pipeline, report, progress);
      }
    }
    progress.done();
    explain(report, options);
    return report;
  }

  /** The JIT compilers need load to work on; every server gets the same. */
  private static void warmUp(RunningServers running, Options options, Progress progress)
      throws IOException, InterruptedException {
    Duration time = options.seconds("--warm-up", options.isQuick() ? 1 : 5);
    for (RunningServer server : running.servers()) {
      progress.show("warming up " + server.peer().name());
      LoadSettings settings = settings(server, options, 30, 0);
      LoadGenerator.run(settings.withTestTime(time), server::cpuSeconds);
    }
  }

  private static void measure(
      RunningServers running, Options options, int pipeline, Report report, Progress progress)
      throws IOException, InterruptedException {
    Map<RunningServer, Medians> medians = new LinkedHashMap<>();
    for (int run = 0; run < options.runs(); run++) {
      for (RunningServer server : running.servers()) {
        LoadResult result = runOnce(server, options, pipeline, run);
        Map<String, Double> figures = result.figures();
        medians.computeIfAbsent(server, key -> new Medians()).add(figures);
        progress.show(
            "pipeline %d, run %d of %d: %-16s %,10.0f ops/s, %,10.0f per server CPU second"
                .formatted(
                    pipeline,
                    run + 1,
                    options.runs(),
                    server.peer().name(),
                    figures.get(Figure.OPS.name()),
                    figures.get(LoadResult.OPS_PER_CPU.name())));
      }
    }
    medians.forEach((server, runs) ->
        report.add(
            new Row(
                server.peer().name(), server.version(), "pipeline " + pipeline, runs.figures())));
  }

  private static LoadResult runOnce(RunningServer server, Options options, int pipeline, int run)
      throws IOException, InterruptedException {
    LoadSettings settings = settings(server, options, pipeline, run);
    server.flush();
    LoadGenerator.prefill(server.address(), requests(options, run), options.number("--prefill", 0));
    return LoadGenerator.run(settings, server::cpuSeconds);
  }

  private static LoadSettings settings(
      RunningServer server, Options options, int pipeline, int run) {
    return new LoadSettings(
        server.address(),
        options.number("--threads", 2),
        options.number("--clients", 32),
        pipeline,
        requests(options, run),
        Duration.ofMillis(options.isQuick() ? 200 : 1000),
        options.seconds("--test-time", options.isQuick() ? 0.5 : 5));
  }

  private static MemtierRequests requests(Options options, int run) {
    String ratio = options.find("--ratio");
    String[] parts = (ratio == null ? "1:10" : ratio).split(":");
    long connections = (long) options.number("--threads", 2) * options.number("--clients", 32);
    return new MemtierRequests(
        Integer.parseInt(parts[0]),
        Integer.parseInt(parts[1]),
        options.number("--data-size", 256),
        options.number("--key-maximum", options.isQuick() ? 1_000_000 : 10_000_000),
        options.number("--seed", 1) + run * connections);
  }

  private static void explain(Report report, Options options) {
    report.note(
        ("Medians of %d alternating runs; %d threads x %d connections; server CPU from the operating"
                + " system.")
            .formatted(
                options.runs(), options.number("--threads", 2), options.number("--clients", 32)));
    report.note(
        "in flight: throughput x mean latency / (connections x pipeline), 1.00 when the latencies"
            + " are right. slowest conn.: the slowest connection's part of an even share.");
    if (report.rows().stream().anyMatch(row -> row.get(LoadResult.OTHER_SHARE.name()) > 0.1)) {
      report.note("OFF: the machine was busy with other work (other CPUs): measure again.");
    }
    for (Row row : report.rows()) {
      double little = row.get(LoadResult.LITTLE.name());
      if (Math.abs(little - 1) > 0.1) {
        report.note("OFF: %s, %s: in flight %.2f".formatted(row.peer(), row.benchCase(), little));
      }
      double client = row.get(LoadResult.CLIENT_SHARE.name());
      double server = row.get(LoadResult.SERVER_SHARE.name());
      if (client > server) {
        report.note(
            ("The load generator was the busier side (%.2f against %.2f CPUs) for %s, %s: its"
                    + " throughput says less than its operations per CPU second.")
                .formatted(client, server, row.peer(), row.benchCase()));
      }
    }
  }
}
