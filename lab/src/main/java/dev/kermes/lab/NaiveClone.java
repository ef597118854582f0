package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.throughput.SeedRedisBenchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The article's naive Redis clone, Kermes and Redis, and the steps from the clone to Kermes. */
final class NaiveClone implements Experiment {

  private static final Figure GAIN = new Figure("gain", "x before", "%.2f");
  private static final Figure CPU_GAIN = new Figure("cpuGain", "CPU x before", "%.2f");
  private static final Figure[] COLUMNS = {
    Figure.OPS, Figure.SERVER_CPU, LoadResult.SERVER_SHARE, Figure.P50, Figure.P99, Figure.P999
  };

  /** The line "Totals" of memtier_benchmark, in the columns of this table. */
  private static final double[] ARTICLE = {
    3_648_502.62, Timing.NONE, Timing.NONE, 1.759, 8.095, 48.383
  };

  private static final String NAIVE = "naive, platform threads";
  private static final String VIRTUAL = "naive, virtual threads";
  private static final String BYTES = "bytes instead of strings";
  private static final String LOOPS = "event loops instead of threads";
  private static final String WRITE = "one write per read";
  private static final String TURN = "one turn per read";
  private static final String ONE_LOOP = "kermes, 1 loop";
  private static final String KERMES =
      "kermes, %d loops".formatted(Runtime.getRuntime().availableProcessors());

  /** The steps from the article's design to Kermes; each adds one idea to the previous one. */
  private static final List<String> STEPS = List.of(NAIVE, BYTES, LOOPS, WRITE, TURN, KERMES);

  private static final int THREADS = 2;
  private static final int CONNECTIONS = 256;
  private static final List<Integer> PIPELINES = List.of(1, 30);

  @Override
  public String name() {
    return "naive-clone";
  }

  @Override
  public String title() {
    return "The naive clone: from a Redis of an afternoon to Kermes";
  }

  @Override
  public String article() {
    return "\"Building a (Java-) Redis Clone, naively\" (4 July 2022) measures a thread per connection,"
        + " strings and a ConcurrentHashMap with memtier_benchmark: 256 connections, pipeline 30,"
        + " values of 256 bytes, one SET to ten GETs. Java 18 on a c6g.4xlarge (16 Graviton cores,"
        + " 32 GB); the load came from a second machine, a c6g.2xlarge (8 cores).";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    Peers peers = peers();
    SeedRedisBenchmark benchmark = new SeedRedisBenchmark(peers);
    lab.begin("load", peers.present().size() * (2 + PIPELINES.size() * lab.rounds()));
    double seconds = lab.choose(0.1, 0.3, 1.0);
    Report report = benchmark.run(options(lab, seconds, benchmark), lab.progress());

    Findings findings = new Findings();
    for (int pipeline : PIPELINES.reversed()) {
      findings.table(comparison(report, pipeline)).table(steps(report, pipeline));
    }
    return findings
        .plot(plot(report, "Requests per second", "requests per second", Figure.OPS))
        .plot(plot(report, "Server CPU time per request", "microseconds", Figure.SERVER_CPU))
        .missing(peers.missing())
        .note(
            "Medians of %d alternating runs of %.1f s, each with an empty server; the load comes from %d threads on the same %d cores."
                .formatted(
                    lab.rounds(), seconds, THREADS, Runtime.getRuntime().availableProcessors()))
        .note(
            "Where load and server share cores, CPU seconds per request say more than requests per second.")
        .note(
            "The steps are servers in bench/…/alternatives: NaiveServer, ByteServer, LoopServer reply, read and turn. The last step, to Kermes, is many: its own tables, no copy of what is parsed, native transport, memory looked up ahead; and it does the whole of Redis besides.")
        .version("redis-server", version(report, "redis-server"))
        .shows(shows(report));
  }

  private static Peers peers() {
    String folder = "dev.kermes.bench.alternatives.";
    Options redisOnly = Options.parse(List.of("--only", "redis-server"), Set.of());
    Peers redis = Peers.find(redisOnly, false, false);
    List<Peer> present = new ArrayList<>();
    present.add(java(NAIVE, folder + "NaiveServer", "platform", Peer.PORT, "each"));
    present.add(java(VIRTUAL, folder + "NaiveServer", "virtual", Peer.PORT, "each"));
    present.add(java(BYTES, folder + "ByteServer", Peer.PORT));
    present.add(java(LOOPS, folder + "LoopServer", "reply", Peer.PORT));
    present.add(java(WRITE, folder + "LoopServer", "read", Peer.PORT));
    present.add(java(TURN, folder + "LoopServer", "turn", Peer.PORT));
    String cores = Integer.toString(Runtime.getRuntime().availableProcessors());
    present.add(java(ONE_LOOP, "dev.kermes.bench.peers.KermesRedis", Peer.PORT, "1"));
    present.add(java(KERMES, "dev.kermes.bench.peers.KermesRedis", Peer.PORT, cores));
    present.addAll(redis.present());
    return new Peers(present, redis.missing());
  }

  private static Peer java(String name, String program, String... arguments) {
    return Peer.java(name, List.of(), program, arguments);
  }

  private static Options options(Lab lab, double seconds, SeedRedisBenchmark benchmark) {
    List<String> arguments = new ArrayList<>();
    if (lab.isQuick()) arguments.add("--quick");
    Map<String, Object> values =
        Map.of(
            "--runs",
            lab.rounds(),
            "--pipeline",
            "1,30",
            "--threads",
            THREADS,
            "--clients",
            CONNECTIONS / THREADS,
            "--test-time",
            seconds,
            "--warm-up",
            lab.choose(0.05, 2.0, 3.0));
    values.forEach((name, value) -> arguments.addAll(List.of(name, value.toString())));
    return Options.parse(arguments, benchmark.options());
  }

  private static List<Row> rows(Report report, int pipeline) {
    String benchCase = "pipeline " + pipeline;
    return report.rows().stream().filter(row -> row.benchCase().equals(benchCase)).toList();
  }

  private static Row row(Report report, int pipeline, String server) {
    return rows(report, pipeline).stream()
        .filter(row -> row.peer().equals(server))
        .findFirst()
        .orElseGet(() -> new Row(server, "", "", Map.of()));
  }

  private static String version(Report report, String server) {
    String version = row(report, 1, server).version();
    return version.isEmpty() ? "not installed" : version;
  }

  private static Table comparison(Report report, int pipeline) {
    String title = "Pipeline %d, %d connections".formatted(pipeline, CONNECTIONS);
    Table table = new Table(title, "server", COLUMNS);
    if (pipeline == 30) table.row("article: naive clone", ARTICLE);
    for (String server : List.of(NAIVE, VIRTUAL, ONE_LOOP, KERMES, "redis-server")) {
      Row row = row(report, pipeline, server);
      if (row.figures().isEmpty()) continue;
      table.row(server, row.figures());
    }
    return table;
  }

  private static Table steps(Report report, int pipeline) {
    String title = "What each step gains, pipeline %d".formatted(pipeline);
    Table table =
        new Table(title, "step", Figure.OPS, GAIN, Figure.SERVER_CPU, CPU_GAIN, Figure.P99);
    for (int i = 0; i < STEPS.size(); i++) {
      Row row = row(report, pipeline, STEPS.get(i));
      double gain = i == 0 ? Timing.NONE : gain(report, pipeline, i, Figure.OPS);
      double cpuGain = i == 0 ? Timing.NONE : gain(report, pipeline, i, Figure.SERVER_CPU);
      double cpu = row.get(Figure.SERVER_CPU.name());
      table.row(
          STEPS.get(i), row.get(Figure.OPS.name()), gain, cpu, cpuGain, row.get(Figure.P99.name()));
    }
    return table;
  }

  /** The figure of a step divided by that of the previous step. */
  private static double gain(Report report, int pipeline, int step, Figure figure) {
    return ratio(report, pipeline, STEPS.get(step), STEPS.get(step - 1), figure);
  }

  private static double ratio(
      Report report, int pipeline, String server, String other, Figure figure) {
    return row(report, pipeline, server).get(figure.name())
        / row(report, pipeline, other).get(figure.name());
  }

  private static Plot plot(Report report, String title, String unit, Figure figure) {
    Plot plot = Plot.bars(title, unit);
    for (int pipeline : PIPELINES.reversed()) {
      for (Row row : rows(report, pipeline)) {
        plot.bar(row.benchCase(), row.peer(), row.get(figure.name()));
      }
    }
    return plot;
  }

  private static String shows(Report report) {
    int best = 1;
    for (int i = 2; i < STEPS.size(); i++) {
      if (gain(report, 30, i, Figure.SERVER_CPU) < gain(report, 30, best, Figure.SERVER_CPU))
        best = i;
    }
    String step = STEPS.get(best).equals(KERMES) ? "the last one, to Kermes" : STEPS.get(best);
    return ("At pipeline 30 Kermes serves %.1f times as many requests per second as the naive clone,"
            + " with %.2f of its CPU time for each, and at pipeline 1 %.1f times as many, with %.2f of"
            + " it; of the steps between them, the one that saves most CPU at pipeline 30 is: %s.")
        .formatted(
            ratio(report, 30, KERMES, NAIVE, Figure.OPS),
            ratio(report, 30, KERMES, NAIVE, Figure.SERVER_CPU),
            ratio(report, 1, KERMES, NAIVE, Figure.OPS),
            ratio(report, 1, KERMES, NAIVE, Figure.SERVER_CPU),
            step);
  }
}
