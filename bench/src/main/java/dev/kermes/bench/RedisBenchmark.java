package dev.kermes.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The installed redis-benchmark's own default list of tests, against one server after the other.
 */
final class RedisBenchmark implements Benchmark {

  private static final Figure AVERAGE = new Figure("meanMillis", "mean ms", "%.3f");

  /** One test of one run. */
  record Line(String test, Map<String, Double> figures) {}

  /** The columns of redis-benchmark's CSV, in milliseconds but for the second. */
  private static final Map<Integer, Figure> CSV =
      Map.of(1, Figure.OPS, 2, AVERAGE, 3, Figure.MIN, 4, Figure.P50, 6, Figure.P99, 7, Figure.MAX);

  @Override
  public String name() {
    return "redis-benchmark";
  }

  @Override
  public String summary() {
    return "the installed redis-benchmark's default list of tests";
  }

  @Override
  public Set<String> options() {
    return Set.of("--requests", "--clients", "--pipeline", "--tests");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Path program = Peers.find("REDIS_BENCHMARK", "redis-benchmark");
    if (program == null) {
      throw new BenchmarkException("redis-benchmark is not installed (Debian: redis-tools)");
    }
    Report report =
        new Report(name(), summary(), List.of(Figure.OPS, Figure.P50, Figure.P99), List.of())
            .asMatrices(Figure.OPS, LoadResult.OPS_PER_CPU);
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    try (Fleet fleet = Fleet.start(peers, progress)) {
      String pipelines = options.find("--pipeline");
      for (String pipeline : (pipelines == null ? "1,16" : pipelines).split(",")) {
        Load load = new Load(program, options, Integer.parseInt(pipeline));
        measure(fleet, load, report, progress);
      }
    }
    progress.done();
    report.note(
        "Medians of %d alternating runs of the whole list, after one to warm up; P is the pipeline."
            .formatted(options.runs()));
    return report;
  }

  private static void measure(Fleet fleet, Load load, Report report, Progress progress)
      throws IOException, InterruptedException {
    Map<RunningServer, Map<String, Medians>> results = new LinkedHashMap<>();
    for (int run = 0; run <= load.options.runs(); run++) {
      for (RunningServer server : fleet.servers()) {
        String which = run == 0 ? "warming up" : "run " + run + " of " + load.options.runs();
        progress.show("pipeline " + load.pipeline + ", " + which + ": " + server.peer().name());
        Map<String, Medians> tests = results.computeIfAbsent(server, key -> new LinkedHashMap<>());
        server.flush();
        for (Line line : load.run(server)) {
          Medians medians = tests.computeIfAbsent(line.test(), key -> new Medians());
          if (run > 0) medians.add(line.figures());
        }
      }
    }
    results.forEach((server, tests) ->
        tests.forEach((test, medians) -> {
          String benchCase = "P=" + load.pipeline + " " + test;
          String peer = server.peer().name();
          report.add(new Row(peer, server.version(), benchCase, medians.figures()));
        }));
  }

  /** One way to call the program. */
  private record Load(Path program, Options options, int pipeline) {

    /** Runs the list once. A line comes when its test ends: what the server used since the last. */
    List<Line> run(RunningServer server) throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(command(server))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      List<Line> lines = new ArrayList<>();
      double cpuBefore = server.cpuSeconds();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        for (String text = output.readLine(); text != null; text = output.readLine()) {
          Line line = parse(text);
          if (line == null) continue;
          double cpu = server.cpuSeconds();
          line.figures().put(Figure.SERVER_CPU.name(), (cpu - cpuBefore) / requests() * 1e6);
          line.figures().put(LoadResult.OPS_PER_CPU.name(), requests() / (cpu - cpuBefore));
          lines.add(line);
          cpuBefore = cpu;
        }
      }
      if (process.waitFor() != 0 || lines.isEmpty()) {
        throw new BenchmarkException("redis-benchmark failed against " + server.peer().name());
      }
      return lines;
    }

    /** A deeper pipeline takes more requests to last as long. */
    private long requests() {
      long requests = options.number("--requests", options.isQuick() ? 2000 : 100_000);
      return requests * Math.max(1, pipeline / 4);
    }

    private List<String> command(RunningServer server) {
      List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", program.toString()));
      command.addAll(List.of("-p", "" + server.address().getPort(), "--csv"));
      command.addAll(List.of("-n", "" + requests(), "-P", "" + pipeline));
      add(command, "-c", options.find("--clients"));
      add(command, "-t", options.find("--tests"));
      return command;
    }
  }

  private static void add(List<String> command, String flag, @Nullable String value) {
    if (value != null) command.addAll(List.of(flag, value));
  }

  /**
   * {@code "SET","99009.90","0.268","0.088","0.255","0.375","0.503","1.023"}; null for the head.
   */
  static @Nullable Line parse(String text) {
    List<String> fields = new ArrayList<>();
    for (String field : text.split("\",\"")) fields.add(field.replace("\"", ""));
    if (fields.size() < 8 || fields.getFirst().equals("test")) return null;
    Map<String, Double> figures = new LinkedHashMap<>();
    CSV.forEach((i, figure) -> figures.put(figure.name(), Double.parseDouble(fields.get(i))));
    return new Line(fields.getFirst(), figures);
  }
}
