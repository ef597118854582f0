package dev.kermes.bench.footprint;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Bytes that the server allocates for one GET and one SET, by JMH's allocation profiler. */
public final class AllocationBenchmark implements Benchmark {

  private static final Figure BYTES = new Figure("bytesPerOperation", "B/op", "%.2f");
  private static final Figure NANOS = new Figure("nanosPerOperation", "ns/op", "%.1f");

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public String summary() {
    return "bytes that the server allocates for a GET and a SET (JMH)";
  }

  @Override
  public Set<String> options() {
    return Set.of("--seconds");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    double seconds = options.decimal("--seconds", options.isQuick() ? 0.5 : 2);
    TimeValue time = TimeValue.milliseconds(Math.round(seconds * 1000));
    Path log = Files.createTempFile("kermes-jmh-", ".log");
    log.toFile().deleteOnExit();
    progress.show("JMH: about " + Math.round(3 * 6 * seconds) + " s");
    var chosen =
        new OptionsBuilder()
            .include(CommandAllocation.class.getName())
            .addProfiler(GCProfiler.class)
            .forks(1)
            .warmupIterations(3)
            .warmupTime(time)
            .measurementIterations(3)
            .measurementTime(time)
            .timeUnit(TimeUnit.SECONDS)
            .output(log.toString())
            .build();
    Report report = new Report(name(), summary(), List.of(BYTES, NANOS), List.of());
    for (RunResult result : new Runner(chosen).run()) report.add(row(result));
    progress.done();
    report.note("From the request's bytes to the reply's, no socket; one thread.");
    report.note("SET: 15 bytes of key and 256 of value, over a key that exists.");
    return report;
  }

  private static Row row(RunResult result) {
    double opsPerSecond = result.getPrimaryResult().getScore();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.OPS.name(), opsPerSecond);
    figures.put(NANOS.name(), 1e9 / opsPerSecond);
    result
        .getSecondaryResults()
        .forEach((label, value) -> {
          if (label.endsWith("gc.alloc.rate.norm")) figures.put(BYTES.name(), value.getScore());
        });
    return new Row("kermes", "", result.getPrimaryResult().getLabel(), figures);
  }
}
