package dev.kermes.bench.commands;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Ranking;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every command that has a data cost, on small and large data, at pipeline 16 and 1. The peers take
 * turns case by case.
 */
public final class CommandsBenchmark implements Benchmark {

  /** A peer that is compared only if the newest one has not been fetched. */
  private static final String INSTALLED_REDIS = "redis-server";

  private static final String NEWEST_REDIS = "redis-newest";

  /** A run takes every fourth case first. */
  private static final int PASSES = 4;

  /** Cases between two versions of the unfinished report. */
  private static final int KEPT_EVERY = 20;

  /** A case with a lower ratio is run more often: one run that something disturbed may be why. */
  private static final double LOW = 0.8;

  private static final int RUNS_IF_LOW = 3;

  private final List<CommandCase> table = CaseTable.read().cases();

  @Override
  public String name() {
    return "commands";
  }

  @Override
  public String summary() {
    return "every command with a data cost, sorted by the ratio to the better peer";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--seconds", "--warm-up", "--sample", "--minutes");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report = new Report(name(), summary(), List.of(), List.of(LoadResult.OPS_PER_CPU));
    report.asRanking(LoadResult.OPS_PER_CPU, Figure.P999, Figure.MAX);
    Peers peers = peers(options);
    report.missing(peers.missing());
    List<CommandCase> cases = cases(options);
    if (cases.isEmpty()) throw new BenchmarkException("no such case");
    try (RunningServers running = RunningServers.start(peers, progress)) {
      List<CaseServer> servers = running.servers().stream().map(CaseServer::new).toList();
      warmUp(servers, options, progress);
      long end = System.nanoTime() + Math.round(options.decimal("--minutes", 600) * 60e9);
      for (int i = 0; i < cases.size() && System.nanoTime() < end; i++) {
        progress.show("%d of %d: %s".formatted(i + 1, cases.size(), cases.get(i).label()));
        measure(cases.get(i), servers, options, report);
        if (i % KEPT_EVERY == 0) progress.keep(report);
      }
      for (CaseServer server : servers) noteUnsteady(server, options, report);
    }
    progress.done();
    explain(report, cases, options);
    return report;
  }

  private static Peers peers(Options options) {
    Peers peers = Peers.find(options, false, false);
    boolean isFetched = peers.present().stream().anyMatch(p -> p.name().equals(NEWEST_REDIS));
    return isFetched ? peers.only(name -> !name.equals(INSTALLED_REDIS)) : peers;
  }

  /** Returns the cases to run: with {@code --quick}, each command at one size only. */
  private List<CommandCase> cases(Options options) {
    List<CommandCase> wanted = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (CommandCase each : table) {
      if (!options.wants(each.label())) continue;
      if (options.isQuick() && !seen.add(each.lines())) continue;
      wanted.add(each);
    }
    return inPasses(wanted, options.number("--sample", 1));
  }

  /** Orders cases so that those of an unfinished run are a sample of all. */
  private static List<CommandCase> inPasses(List<CommandCase> cases, int sample) {
    int step = sample == 1 ? PASSES : sample;
    List<CommandCase> ordered = new ArrayList<>();
    for (int first = 0; first < (sample == 1 ? PASSES : 1); first++) {
      for (int i = first; i < cases.size(); i += step) ordered.add(cases.get(i));
    }
    return ordered;
  }

  /** The JIT compiler of the load generator needs load to work on. */
  private static void warmUp(List<CaseServer> servers, Options options, Progress progress)
      throws IOException, InterruptedException {
    Size size = Size.of(1, 1, false);
    CommandCase ping = new CommandCase("", DataSet.NONE, List.of("PING"), size, 1);
    Duration time = options.seconds("--seconds", options.isQuick() ? 0.3 : 2);
    for (CaseServer server : servers) {
      progress.show("warming up " + server.server().peer().name());
      LoadResult unused = server.run(ping, Duration.ZERO, time);
    }
  }

  private static void measure(
      CommandCase which, List<CaseServer> servers, Options options, Report report)
      throws IOException, InterruptedException {
    Map<RunningServer, Medians> results = new LinkedHashMap<>();
    int runs = options.number("--runs", 1);
    for (int run = 0; run < runs; run++) {
      for (CaseServer server : servers) {
        Map<String, Double> figures = runOnce(which, server, options, report);
        if (figures == null) continue;
        results.computeIfAbsent(server.server(), key -> new Medians()).add(figures);
      }
      if (runs == 1 && isLow(rows(which, results))) runs = RUNS_IF_LOW;
    }
    rows(which, results).forEach(report::add);
  }

  private static boolean isLow(List<Row> rows) {
    return new Ranking(rows, LoadResult.OPS_PER_CPU, List.of()).below(LOW) > 0;
  }

  private static List<Row> rows(CommandCase which, Map<RunningServer, Medians> results) {
    List<Row> rows = new ArrayList<>();
    results.forEach((server, medians) ->
        rows.add(
            new Row(server.peer().name(), server.version(), which.label(), medians.figures())));
    return rows;
  }

  private static @Nullable Map<String, Double> runOnce(
      CommandCase which, CaseServer server, Options options, Report report)
      throws IOException, InterruptedException {
    Duration time = options.seconds("--seconds", options.isQuick() ? 0.2 : 0.4);
    try {
      LoadResult result = server.run(which, warmUpMax(options), time);
      return result == null ? null : result.figures();
    } catch (BenchmarkException | IOException e) {
      report.failed(
          "%s: %s: %s".formatted(server.server().peer().name(), which.label(), e.getMessage()));
      return null;
    }
  }

  /** Returns the time after which a run counts even if it is not steady. */
  private static Duration warmUpMax(Options options) {
    return options.seconds("--warm-up", options.isQuick() ? 1 : 10);
  }

  // ---- notes

  private static void explain(Report report, List<CommandCase> cases, Options options) {
    Ranking ranking = report.ranking();
    report.note(
        "ratio: operations per server CPU second, divided by the better peer's. An operation is a"
            + " command; the server's CPU time is that of all its threads, from the operating"
            + " system.");
    report.note(
        "Geometric mean of the ratios: %.2f; %d of %d cases below 1.0, %d below 0.75."
            .formatted(
                ranking.geometricMean(),
                ranking.below(1),
                ranking.entries().stream().filter(e -> Double.isFinite(e.ratio())).count(),
                ranking.below(0.75)));
    if (ranking.entries().size() < cases.size()) {
      report.note("%d of %d cases.".formatted(ranking.entries().size(), cases.size()));
    }
    report.note("By family: " + families(ranking, cases) + ".");
    report.note(
        ("%s s per case and peer%s; a server with JIT compilers repeats it until they are at rest and"
                + " two runs are alike; slow commands run for up to 2 s; up to 8 connections of one thread, fewer where a request or"
                + " reply is large.")
            .formatted(
                options.seconds("--seconds", options.isQuick() ? 0.2 : 0.4).toMillis() / 1e3,
                options.number("--runs", 1) == 1
                    ? ", medians of %d where the first ratio is below %s"
                        .formatted(RUNS_IF_LOW, LOW)
                    : ", medians of " + options.number("--runs", 1)));
    noteBusyGenerator(report);
  }

  private static void noteUnsteady(CaseServer server, Options options, Report report) {
    if (server.unsteady() == 0) return;
    report.note(
        "%s ran %d cases not steadily after %s s."
            .formatted(
                server.server().peer().name(), server.unsteady(), warmUpMax(options).toSeconds()));
  }

  private static String families(Ranking ranking, List<CommandCase> cases) {
    Map<String, String> familyOf = new LinkedHashMap<>();
    for (CommandCase each : cases) familyOf.put(each.label(), each.family());
    Map<String, List<Ranking.Entry>> byFamily = new LinkedHashMap<>();
    for (CommandCase each : cases) byFamily.putIfAbsent(each.family(), new ArrayList<>());
    for (Ranking.Entry entry : ranking.entries()) {
      List<Ranking.Entry> family = byFamily.get(familyOf.get(entry.benchCase()));
      if (family != null) family.add(entry);
    }
    List<String> means = new ArrayList<>();
    byFamily.forEach((family, entries) ->
        means.add(family + " " + Figure.number("", "").text(Ranking.geometricMean(entries))));
    return String.join(", ", means);
  }

  private static void noteBusyGenerator(Report report) {
    long busier =
        report.rows().stream()
            .filter(row ->
                row.get(LoadResult.CLIENT_SHARE.name()) > row.get(LoadResult.SERVER_SHARE.name()))
            .count();
    if (busier == 0) return;
    report.note(
        ("In %d of %d rows the load generator was busier than the server: its throughput and"
                + " latencies say less than its operations per CPU second.")
            .formatted(busier, report.rows().size()));
  }
}
