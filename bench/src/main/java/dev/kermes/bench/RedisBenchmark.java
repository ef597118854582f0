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
            .asMatrix(Figure.OPS);
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    Map<RunningServer, Map<String, Medians>> results = new LinkedHashMap<>();
    try (Fleet fleet = Fleet.start(peers, progress)) {
      for (int run = 0; run < options.runs(); run++) {
        for (RunningServer server : fleet.servers()) {
          progress.show("run " + (run + 1) + " of " + options.runs() + ": " + server.peer().name());
          Map<String, Medians> tests =
              results.computeIfAbsent(server, key -> new LinkedHashMap<>());
          server.flush();
          for (Line line : runOnce(program, server, options)) {
            tests.computeIfAbsent(line.test(), key -> new Medians()).add(line.figures());
          }
        }
      }
    }
    progress.done();
    results.forEach((server, tests) ->
        tests.forEach((test, medians) ->
            report.add(new Row(server.peer().name(), server.version(), test, medians.figures()))));
    report.note("Medians of %d alternating runs of the whole list.".formatted(options.runs()));
    return report;
  }

  private static List<Line> runOnce(Path program, RunningServer server, Options options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "-p", "" + server.address().getPort(), "--csv"));
    String requests = options.isQuick() ? "2000" : "100000";
    add(command, "-n", options.find("--requests"), requests);
    add(command, "-c", options.find("--clients"), null);
    add(command, "-P", options.find("--pipeline"), null);
    add(command, "-t", options.find("--tests"), null);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<Line> lines = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        Line line = parse(text);
        if (line != null) lines.add(line);
      }
    }
    if (process.waitFor() != 0 || lines.isEmpty()) {
      throw new BenchmarkException("redis-benchmark failed against " + server.peer().name());
    }
    return lines;
  }

  private static void add(
      List<String> command, String flag, @Nullable String value, @Nullable String standard) {
    String used = value == null ? standard : value;
    if (used != null) command.addAll(List.of(flag, used));
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
