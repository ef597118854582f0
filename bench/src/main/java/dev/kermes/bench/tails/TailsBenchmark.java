package dev.kermes.bench.tails;

import static java.lang.Double.NaN;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
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
import dev.kermes.bench.peers.ProcessMemory;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The slowest replies of a large data set: four million keys with values of 100 bytes, then half
 * SETs of 256 bytes and half GETs, drawn evenly. Every server lives through all cases and rounds,
 * and the peers take turns. The first round of a case, in which values grow and the JVM compiles,
 * does not count.
 */
public final class TailsBenchmark implements Benchmark {

  private static final Figure P9999 = new Figure("p9999Millis", "p99.99 ms", "%.3f");
  private static final Figure WORST = new Figure("worstMillis", "worst ms", "%.1f");
  private static final Figure RESIDENT = new Figure("residentMebibytes", "resident MiB", "%,.0f");
  private static final Figure PAUSES = Figure.number("gcPauses", "GC pauses");
  private static final Figure PAUSE = new Figure("gcWorstMillis", "longest GC pause ms", "%.1f");

  private static final Figure SAFEPOINT =
      new Figure("safepointWorstMillis", "longest safepoint ms", "%.1f");

  /** The time that the disturbance took. */
  private static final Figure TOOK = new Figure("disturbanceSeconds", "disturbed s", "%.2f");

  private static final List<Figure> COLUMNS =
      List.of(
          Figure.OPS,
          LoadResult.OPS_PER_CPU,
          Figure.P99,
          Figure.P999,
          P9999,
          WORST,
          PAUSES,
          PAUSE,
          SAFEPOINT,
          TOOK,
          RESIDENT,
          LoadResult.SERVER_SHARE,
          LoadResult.CLIENT_SHARE,
          LoadResult.OTHER_SHARE);

  private static final int THREADS = 2;
  private static final int FIRST_SIZE = 100;

  /** After the warm-up, so that the load shows the time before it as well. */
  private static final Duration UNDISTURBED = Duration.ofMillis(500);

  private static final double MEBIBYTE = 1 << 20;

  @Override
  public String name() {
    return "tails";
  }

  @Override
  public String summary() {
    return "the slowest replies and the memory of 4 million keys: steady writes, expiry, saves, a full sync";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--keys", "--test-time", "--seed");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report = new Report(name(), summary(), COLUMNS, List.of(LoadResult.OPS_PER_CPU));
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    int rounds = options.isQuick() ? 2 : Math.max(2, options.runs() + 1);
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (RunningServer server : running.servers()) {
        progress.show("filling " + server.peer().name());
        MemtierRequests first = new MemtierRequests(1, 1, FIRST_SIZE, keys(options) - 1, 0);
        LoadGenerator.prefill(server.address(), first, keys(options));
        server.tell("CONFIG", "SET", "maxclients", "11000");
      }
      for (TailCase each : TailCase.all()) {
        if (!options.wants(each.name())) continue;
        measure(each, running, rounds, options, report, progress);
        progress.keep(report);
      }
    }
    progress.done();
    report.note(
        ("%,d keys; medians of %d alternating rounds after one that does not count; the worst reply,"
                + " the longest pauses and the memory are the greatest of these rounds.")
            .formatted(keys(options), rounds - 1));
    return report;
  }

  private static void measure(
      TailCase each,
      RunningServers running,
      int rounds,
      Options options,
      Report report,
      Progress progress)
      throws IOException, InterruptedException {
    Map<RunningServer, List<Map<String, Double>>> counted = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (RunningServer server : running.servers()) {
        Map<String, Double> figures = measure(each, server, options, round);
        progress.show(
            "%s, round %d of %d: %-16s worst %.1f ms"
                .formatted(
                    each.name(),
                    round + 1,
                    rounds,
                    server.peer().name(),
                    figures.get(WORST.name())));
        if (round > 0) counted.computeIfAbsent(server, key -> new ArrayList<>()).add(figures);
      }
    }
    counted.forEach((server, figures) -> report.add(row(each, server, figures)));
  }

  private static Map<String, Double> measure(
      TailCase each, RunningServer server, Options options, int round)
      throws IOException, InterruptedException {
    each.disturbance().prepare(server, options.isQuick());
    int pauses = server.gcPauses().size();
    int safepoints = server.safepoints().size();
    LoadSettings settings = settings(each, server, options, round);
    FutureTask<Double> disturbance =
        new FutureTask<>(() -> {
          Thread.sleep(settings.warmUp().plus(UNDISTURBED));
          long began = System.nanoTime();
          each.disturbance().disturb(server);
          return (System.nanoTime() - began) / 1e9;
        });
    Thread.ofPlatform().daemon().start(disturbance);
    LoadResult result = LoadGenerator.run(settings, server::cpuSeconds);
    Map<String, Double> figures = new LinkedHashMap<>(result.figures());
    figures.put(P9999.name(), result.latencies().getValueAtPercentile(99.99) / 1e6);
    figures.put(WORST.name(), figures.get(Figure.MAX.name()));
    figures.put(TOOK.name(), each.disturbance() == Disturbance.NONE ? NaN : took(disturbance));
    List<Double> during = since(server.gcPauses(), pauses);
    figures.put(PAUSES.name(), (double) during.size());
    figures.put(PAUSE.name(), greatest(during));
    figures.put(SAFEPOINT.name(), greatest(since(server.safepoints(), safepoints)));
    figures.put(RESIDENT.name(), ProcessMemory.resident(server.pid()) / MEBIBYTE);
    each.disturbance().end(server);
    return figures;
  }

  private static double took(FutureTask<Double> disturbance) throws InterruptedException {
    try {
      return disturbance.get();
    } catch (ExecutionException e) {
      throw new BenchmarkException("the disturbance failed: " + e.getCause());
    }
  }

  private static List<Double> since(List<Double> all, int before) {
    return all.subList(before, all.size());
  }

  private static double greatest(List<Double> millis) {
    return millis.stream().mapToDouble(Double::doubleValue).max().orElse(NaN);
  }

  private static Row row(TailCase each, RunningServer server, List<Map<String, Double>> rounds) {
    Medians medians = new Medians();
    for (Map<String, Double> figures : rounds) medians.add(figures);
    Map<String, Double> figures = new LinkedHashMap<>(medians.figures());
    for (Figure figure : List.of(WORST, PAUSE, SAFEPOINT, RESIDENT)) {
      List<Double> all = rounds.stream().map(round -> round.get(figure.name())).toList();
      figures.put(figure.name(), greatest(all.stream().filter(Double::isFinite).toList()));
    }
    return new Row(server.peer().name(), server.version(), each.name(), figures);
  }

  private static int keys(Options options) {
    return options.number("--keys", options.isQuick() ? 100_000 : 4_000_000);
  }

  private static LoadSettings settings(
      TailCase each, RunningServer server, Options options, int round) {
    long seed = options.number("--seed", 1) + (long) round * THREADS * each.clients();
    int clients = options.isQuick() ? Math.min(each.clients(), 32) : each.clients();
    return new LoadSettings(
        server.address(),
        THREADS,
        clients,
        each.pipeline(),
        each.requests(keys(options), seed),
        Duration.ofMillis(options.isQuick() ? 100 : 500),
        options.seconds("--test-time", options.isQuick() ? 0.7 : each.seconds()));
  }
}
