package dev.kermes.bench.http;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Files of several sizes and a route with a parameter, against other HTTP servers. */
public final class HttpBenchmark implements Benchmark {

  public static final Figure CPU_PER_GB =
      new Figure("serverCpuSecondsPerGigabyte", "server CPU s/GB", "%.3f");

  private static final Figure KILOBYTES = Figure.number("kilobytesPerConnection", "KiB each");

  private static final String IDLE = "idle connections";

  /** A case; {@code tool} is null for our own client. */
  private record Case(
      String name,
      String path,
      int connections,
      boolean keepsAlive,
      double bytes,
      @Nullable String tool) {}

  private static final double MB = 1 << 20;

  private static final List<Case> CASES =
      List.of(
          new Case("1 MB, 100 connections", "/1m.bin", 100, true, MB, null),
          new Case("1 MB, 100, a connection each", "/1m.bin", 100, false, MB, null),
          new Case("1 MB, 1 connection", "/1m.bin", 1, true, MB, null),
          new Case("1 MB, 1, a connection each", "/1m.bin", 1, false, MB, null),
          new Case("1 MB, 100, ab", "/1m.bin", 100, false, MB, "ab"),
          new Case("1 MB, 1, ab", "/1m.bin", 1, false, MB, "ab"),
          new Case("1 KB, 100 connections", "/1k.bin", 100, true, 1024, null),
          new Case("16 KB, 100 connections", "/16k.bin", 100, true, 16384, null),
          new Case("1 KB, 1000 connections", "/1k.bin", 1000, true, 1024, null),
          new Case("route, 100 connections", "/hello/reactor", 100, true, 13, null));

  private final Predicate<String> admits;

  public HttpBenchmark() {
    this(name -> true);
  }

  /** Creates a benchmark of only those peers whose names pass the filter. */
  public HttpBenchmark(Predicate<String> admits) {
    this.admits = admits;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String summary() {
    return "files of 1 MB, 16 KB and 1 KB, and a route with a parameter, against other HTTP servers";
  }

  @Override
  public Set<String> options() {
    return Set.of("--seconds", "--cases");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Path folder = Files.createTempDirectory("kermes-http");
    Path files = Files.createDirectory(folder.resolve("files"));
    // nginx's workers run as an unprivileged user, which must be able to read the files.
    for (Path path : List.of(folder, files)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    writeFiles(files);
    Report report =
        new Report(
            name(),
            summary(),
            List.of(Figure.OPS, Figure.SERVER_CPU, CPU_PER_GB, KILOBYTES),
            List.of(Figure.OPS, Figure.SERVER_CPU));
    Peers peers = HttpPeers.find(options, folder, files).only(admits);
    report.missing(peers.missing());
    report.note(
        "Medians of %d runs of %.1f s each, the servers alternating, after as long to warm up; one client thread that reads up to 1 MiB at a time, but for ab. Idle connections: %,d, each after one request."
            .formatted(options.runs(), seconds(options), idleCount(options)));
    List<HttpProcess> servers = new ArrayList<>();
    try {
      for (Peer peer : peers.present()) servers.add(HttpProcess.start(peer));
      for (Case benchCase : CASES) {
        if (options.wants(benchCase.name)) {
          measure(benchCase, servers, options, report, progress);
          progress.keep(report);
        }
      }
      if (options.wants(IDLE)) idle(servers, options, report, progress);
    } finally {
      servers.forEach(HttpProcess::close);
    }
    progress.done();
    return report;
  }

  private static void writeFiles(Path files) throws IOException {
    Map<String, Integer> sizes = Map.of("1m.bin", 1 << 20, "16k.bin", 1 << 14, "1k.bin", 1 << 10);
    for (Map.Entry<String, Integer> entry : sizes.entrySet()) {
      byte[] bytes = new byte[entry.getValue()];
      new Random(1).nextBytes(bytes);
      Files.write(files.resolve(entry.getKey()), bytes);
    }
  }

  private static double seconds(Options options) {
    return options.decimal("--seconds", options.isQuick() ? 1 : 3);
  }

  private static void measure(
      Case benchCase, List<HttpProcess> servers, Options options, Report report, Progress progress)
      throws Exception {
    if (benchCase.tool != null && Peers.find("AB", benchCase.tool) == null) {
      report.missing(List.of(benchCase.tool + " (apt-get install apache2-utils)"));
      return;
    }
    Map<HttpProcess, Medians> medians = new LinkedHashMap<>();
    for (int run = 0; run <= options.runs(); run++) {
      for (HttpProcess server : servers) {
        progress.show("%s, run %d: %s".formatted(benchCase.name, run, server.peer().name()));
        Map<String, Double> figures =
            benchCase.tool == null
                ? load(benchCase, server, seconds(options), run == 0)
                : ab(benchCase, server, options);
        // The first round is for the compilers.
        if (run > 0) medians.computeIfAbsent(server, key -> new Medians()).add(figures);
      }
    }
    medians.forEach((server, found) ->
        report.add(new Row(server.peer().name(), "", benchCase.name, found.figures())));
  }

  private static int idleCount(Options options) {
    return options.isQuick() ? 1_000 : 10_000;
  }

  /** Measures once, because the result does not vary with the load of the machine. */
  private static void idle(
      List<HttpProcess> servers, Options options, Report report, Progress progress)
      throws IOException, InterruptedException {
    int count = idleCount(options);
    for (HttpProcess server : servers) {
      progress.show(IDLE + ": " + server.peer().name());
      double each = IdleConnections.kilobytesEach(server, count);
      report.add(new Row(server.peer().name(), "", IDLE, Map.of(KILOBYTES.name(), each)));
    }
  }

  private static Map<String, Double> load(
      Case benchCase, HttpProcess server, double seconds, boolean isFirst) throws IOException {
    HttpLoad load =
        new HttpLoad(server.address(), benchCase.path, benchCase.connections, benchCase.keepsAlive);
    double[] before = new double[1];
    double warm = isFirst ? 2 * seconds : seconds / 2;
    double rate = load.run(warm, seconds, () -> before[0] = server.cpuSeconds());
    double cpu = server.cpuSeconds() - before[0];
    Map<String, Double> figures = figures(benchCase, rate, rate * seconds, cpu);
    Histogram latencies = load.latencies();
    figures.put(Figure.MIN.name(), latencies.getMinValue() / 1e6);
    figures.put(LoadResult.MEAN.name(), latencies.getMean() / 1e6);
    figures.put(LoadResult.DEVIATION.name(), latencies.getStdDeviation() / 1e6);
    figures.put(Figure.MEDIAN.name(), latencies.getValueAtPercentile(50) / 1e6);
    figures.put(Figure.P99.name(), latencies.getValueAtPercentile(99) / 1e6);
    figures.put(Figure.MAX.name(), latencies.getMaxValue() / 1e6);
    return figures;
  }

  private static Map<String, Double> figures(
      Case benchCase, double rate, double requests, double cpuSeconds) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.OPS.name(), rate);
    figures.put(Figure.SERVER_CPU.name(), cpuSeconds / requests * 1e6);
    figures.put(CPU_PER_GB.name(), cpuSeconds / (requests * benchCase.bytes) * (1 << 30));
    return figures;
  }

  private static final Pattern AB_RATE = Pattern.compile("Requests per second: +([0-9.]+)");
  private static final Pattern AB_TIMES =
      Pattern.compile("Total: +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+)");
  private static final List<Figure> AB_FIGURES =
      List.of(Figure.MIN, LoadResult.MEAN, LoadResult.DEVIATION, Figure.MEDIAN, Figure.MAX);
  private static final Pattern AB_P99 = Pattern.compile(" 99% +([0-9]+)");
  private static final Pattern AB_BYTES = Pattern.compile("HTML transferred: +([0-9]+) bytes");

  /** Returns no figures for a server that answers HTTP/1.0 with something other than the file. */
  private static Map<String, Double> ab(Case benchCase, HttpProcess server, Options options)
      throws IOException, InterruptedException {
    int requests = (benchCase.connections == 1 ? 500 : 1000) * (options.isQuick() ? 1 : 4);
    String url = "http://127.0.0.1:" + server.address().getPort() + benchCase.path;
    double before = server.cpuSeconds();
    Process ab =
        new ProcessBuilder("ab", "-q", "-n", "" + requests, "-c", "" + benchCase.connections, url)
            .redirectErrorStream(true)
            .start();
    String output = new String(ab.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean hasEnded = ab.waitFor(1, TimeUnit.MINUTES);
    Matcher rate = AB_RATE.matcher(output);
    Matcher bytes = AB_BYTES.matcher(output);
    boolean isWhole = hasEnded && rate.find() && bytes.find();
    if (!isWhole) throw new BenchmarkException("ab failed: " + output);
    if (Long.parseLong(bytes.group(1)) < (long) requests * benchCase.bytes) return Map.of();
    double cpu = server.cpuSeconds() - before;
    Map<String, Double> figures =
        figures(benchCase, Double.parseDouble(rate.group(1)), requests, cpu);
    putTimes(output, figures);
    return figures;
  }

  /** Whole milliseconds: ab has no finer resolution. */
  private static void putTimes(String output, Map<String, Double> figures) {
    Matcher times = AB_TIMES.matcher(output);
    if (times.find()) {
      for (int i = 0; i < AB_FIGURES.size(); i++) {
        figures.put(AB_FIGURES.get(i).name(), Double.parseDouble(times.group(i + 1)));
      }
    }
    Matcher p99 = AB_P99.matcher(output);
    if (p99.find()) figures.put(Figure.P99.name(), Double.parseDouble(p99.group(1)));
  }
}
