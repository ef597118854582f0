package dev.kermes.bench.tails;

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

/**
 * A large data set under steady writes: four million keys with values of 100 bytes, then half SETs
 * of 256 bytes and half GETs, drawn evenly, at pipeline 16. Every server lives through all rounds,
 * and the peers take turns. The first round, in which values grow, does not count.
 */
public final class TailsBenchmark implements Benchmark {

  private static final Figure WORST = new Figure("worstMillis", "worst ms", "%.1f");
  private static final Figure RESIDENT = new Figure("residentMebibytes", "resident MiB", "%,.0f");
  private static final Figure PAUSES = Figure.number("gcPauses", "GC pauses");
  private static final Figure PAUSE = new Figure("gcWorstMillis", "longest GC pause ms", "%.1f");

  private static final List<Figure> COLUMNS =
      List.of(
          Figure.OPS,
          LoadResult.OPS_PER_CPU,
          Figure.P99,
          Figure.P999,
          WORST,
          PAUSES,
          PAUSE,
          RESIDENT,
          LoadResult.SERVER_SHARE,
          LoadResult.CLIENT_SHARE,
          LoadResult.OTHER_SHARE);

  private static final int THREADS = 2;
  private static final int CLIENTS = 32;
  private static final int FIRST_SIZE = 100;
  private static final int SIZE = 256;
  private static final double MEBIBYTE = 1 << 20;

  @Override
  public String name() {
    return "tails";
  }

  @Override
  public String summary() {
    return "the slowest replies and the memory of 4 million keys under steady writes";
  }

  @Override
  public Set<String> options() {
    return Set.of("--keys", "--test-time", "--pipeline", "--seed");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report = new Report(name(), summary(), COLUMNS, List.of(LoadResult.OPS_PER_CPU));
    Peers peers = Peers.find(options, true, true);
    report.missing(peers.missing());
    int rounds = options.isQuick() ? 2 : Math.max(2, options.runs() + 1);
    Map<RunningServer, List<Map<String, Double>>> counted = new LinkedHashMap<>();
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (RunningServer server : running.servers()) {
        progress.show("filling " + server.peer().name());
        LoadGenerator.prefill(server.address(), requests(options, FIRST_SIZE, 0), keys(options));
      }
      for (int round = 0; round < rounds; round++) {
        for (RunningServer server : running.servers()) {
          Map<String, Double> figures = measure(server, options, round);
          progress.show(
              "round %d of %d: %-16s worst %.1f ms"
                  .formatted(round + 1, rounds, server.peer().name(), figures.get(WORST.name())));
          if (round > 0) counted.computeIfAbsent(server, key -> new ArrayList<>()).add(figures);
        }
      }
    }
    progress.done();
    counted.forEach((server, figures) -> report.add(row(server, figures)));
    report.note(
        ("%,d keys; medians of %d alternating rounds after one that does not count; the worst reply,"
                + " the longest pause and the memory are the greatest of these rounds.")
            .formatted(keys(options), rounds - 1));
    return report;
  }

  private static Map<String, Double> measure(RunningServer server, Options options, int round)
      throws IOException, InterruptedException {
    int pauses = server.gcPauses().size();
    LoadResult result = LoadGenerator.run(settings(server, options, round), server::cpuSeconds);
    Map<String, Double> figures = new LinkedHashMap<>(result.figures());
    List<Double> during = server.gcPauses();
    during = during.subList(pauses, during.size());
    figures.put(WORST.name(), figures.get(Figure.MAX.name()));
    figures.put(PAUSES.name(), (double) during.size());
    figures.put(
        PAUSE.name(), during.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
    figures.put(RESIDENT.name(), ProcessMemory.resident(server.pid()) / MEBIBYTE);
    return figures;
  }

  private static Row row(RunningServer server, List<Map<String, Double>> rounds) {
    Medians medians = new Medians();
    rounds.forEach(medians::add);
    Map<String, Double> figures = new LinkedHashMap<>(medians.figures());
    for (Figure each : List.of(WORST, PAUSE, RESIDENT)) {
      double greatest =
          rounds.stream()
              .mapToDouble(round -> round.get(each.name()))
              .filter(Double::isFinite)
              .max()
              .orElse(Double.NaN);
      figures.put(each.name(), greatest);
    }
    return new Row(server.peer().name(), server.version(), "steady writes", figures);
  }

  private static int keys(Options options) {
    return options.number("--keys", options.isQuick() ? 100_000 : 4_000_000);
  }

  private static LoadSettings settings(RunningServer server, Options options, int round) {
    return new LoadSettings(
        server.address(),
        THREADS,
        CLIENTS,
        options.number("--pipeline", 16),
        requests(options, SIZE, round),
        Duration.ofMillis(options.isQuick() ? 100 : 500),
        options.seconds("--test-time", options.isQuick() ? 0.5 : 7));
  }

  private static MemtierRequests requests(Options options, int dataSize, int round) {
    long seed = options.number("--seed", 1) + (long) round * THREADS * CLIENTS;
    return new MemtierRequests(1, 1, dataSize, keys(options) - 1, seed);
  }
}
