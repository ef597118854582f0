package dev.kermes.bench.throughput;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
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
 * The default list of tests of the installed redis-benchmark. Each test runs against one server
 * after the other before the next test starts, so that slow minutes of the machine affect all
 * servers.
 */
public final class RedisBenchmark implements Benchmark {

  private static final Figure AVERAGE = new Figure("meanMillis", "mean ms", "%.3f");

  /** The tests that redis-benchmark runs by default, by the names that {@code -t} knows. */
  private static final String TESTS =
      "ping_inline,ping_mbulk,set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,"
          + "lrange_100,lrange_300,lrange_500,lrange_600,mset";

  /**
   * The number of runs of a test before it counts. 4: a JVM's processor time per command fell until
   * the third run, to less than half, because the JVM compiles code that the test is the first to
   * use.
   */
  private static final int WARM_UPS = 4;

  /** 8: an LRANGE replies up to 600 elements, so that fewer requests take the same time. */
  private static final int LRANGE_SHARE = 8;

  /** One test of one run. */
  public record Line(String test, Map<String, Double> figures) {}

  /** The columns of redis-benchmark's CSV, in milliseconds except the second. */
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
    return Set.of("--requests", "--clients", "--threads", "--pipeline", "--tests");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Path program = Peers.find("REDIS_BENCHMARK", "redis-benchmark");
    if (program == null) {
      throw new BenchmarkException("redis-benchmark is not installed (Debian: redis-tools)");
    }
    Report report =
        new Report(name(), summary(), List.of(Figure.OPS, Figure.P50, Figure.P99), List.of())
            .asMatrices(Figure.OPS, LoadResult.OPS_PER_CPU, LoadResult.SERVER_SHARE);
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (int pipeline : options.numbers("--pipeline", List.of(1, 16))) {
        // Not between tests: LPOP and RPOP remove the elements that LPUSH and RPUSH leave.
        for (RunningServer server : running.servers()) server.flush();
        String tests = options.find("--tests");
        for (String test : (tests == null ? TESTS : tests).split(",")) {
          measure(running, new Load(program, options, pipeline, test), report, progress);
        }
      }
    }
    progress.done();
    report.note(
        "Medians of %d alternating runs of each test, after %d to warm up; P is the pipeline."
            .formatted(options.runs(), WARM_UPS));
    return report;
  }

  private static void measure(RunningServers running, Load load, Report report, Progress progress)
      throws IOException, InterruptedException {
    Map<RunningServer, Medians> results = new LinkedHashMap<>();
    String name = load.test;
    for (int run = 1 - WARM_UPS; run <= load.options.runs(); run++) {
      String which = run > 0 ? "run " + run + " of " + load.options.runs() : "warming up";
      for (RunningServer server : running.servers()) {
        String peer = server.peer().name();
        progress.show("pipeline %d, %s, %s: %s".formatted(load.pipeline, load.test, which, peer));
        Line line = load.run(server);
        name = line.test();
        Medians medians = results.computeIfAbsent(server, key -> new Medians());
        if (run > 0) medians.add(line.figures());
      }
    }
    String benchCase = "P=" + load.pipeline + " " + name;
    results.forEach((server, medians) ->
        report.add(new Row(server.peer().name(), server.version(), benchCase, medians.figures())));
  }

  /** One call of the program. */
  private record Load(Path program, Options options, int pipeline, String test) {

    /**
     * Runs the test once. Its preparation has a line before its own; the server's processor time is
     * the time used since that line.
     */
    Line run(RunningServer server) throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(command(server))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Line last = null;
      double cpuBefore = server.cpuSeconds();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        for (String text = output.readLine(); text != null; text = output.readLine()) {
          Line line = parse(text);
          if (line == null) continue;
          double cpu = server.cpuSeconds();
          addCpu(line.figures(), cpu - cpuBefore);
          last = line;
          cpuBefore = cpu;
        }
      }
      if (process.waitFor() != 0 || last == null) {
        throw new BenchmarkException("redis-benchmark failed against " + server.peer().name());
      }
      return last;
    }

    /** With fewer server CPUs than one, the server waits for the load. */
    private void addCpu(Map<String, Double> figures, double seconds) {
      double perRequest = seconds / requests();
      figures.put(Figure.SERVER_CPU.name(), perRequest * 1e6);
      figures.put(LoadResult.OPS_PER_CPU.name(), 1 / perRequest);
      double opsPerSecond = figures.getOrDefault(Figure.OPS.name(), Double.NaN);
      figures.put(LoadResult.SERVER_SHARE.name(), perRequest * opsPerSecond);
    }

    /** A deeper pipeline takes more requests to last as long. */
    private long requests() {
      long requests = options.number("--requests", options.isQuick() ? 2000 : 100_000);
      long share = test.startsWith("lrange") ? LRANGE_SHARE : 1;
      return Math.max(1, requests * Math.max(1, pipeline / 4) / share);
    }

    private List<String> command(RunningServer server) {
      List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", program.toString()));
      command.addAll(List.of("-p", "" + server.address().getPort(), "--csv"));
      command.addAll(List.of("-n", "" + requests(), "-P", "" + pipeline));
      String clients = options.find("--clients");
      if (clients != null) command.addAll(List.of("-c", clients));
      String threads = options.find("--threads");
      if (threads != null) command.addAll(List.of("--threads", threads));
      command.addAll(List.of("-t", test));
      return command;
    }
  }

  /**
   * Parses {@code "SET","99009.90","0.268","0.088","0.255","0.375","0.503","1.023"}; null for the
   * head.
   */
  public static @Nullable Line parse(String text) {
    List<String> fields = new ArrayList<>();
    for (String field : text.split("\",\"")) fields.add(field.replace("\"", ""));
    if (fields.size() < 8 || fields.getFirst().equals("test")) return null;
    Map<String, Double> figures = new LinkedHashMap<>();
    CSV.forEach((i, figure) -> figures.put(figure.name(), Double.parseDouble(fields.get(i))));
    return new Line(fields.getFirst(), figures);
  }
}
