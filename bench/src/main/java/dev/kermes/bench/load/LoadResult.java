package dev.kermes.bench.load;

import dev.kermes.bench.harness.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The counts of one run of the load. CPU times are those of the measured part. */
public record LoadResult(
    LoadSettings settings,
    double opsPerSecond,
    double seconds,
    double latencyNanos,
    Histogram latencies,
    List<Long> perConnection,
    long hits,
    long misses,
    double serverCpu,
    double clientCpu,
    double otherCpu) {

  /** Throughput x mean latency / requests in flight: 1 if nothing was miscounted. */
  public static final Figure LITTLE = Figure.number("inFlightRatio", "in flight");

  /** The slowest connection's operations divided by an even share. */
  public static final Figure SLOWEST = Figure.number("slowestConnectionShare", "slowest conn.");

  public static final Figure HIT_RATE = Figure.number("hitRate", "hits");
  public static final Figure OPS_PER_CPU =
      new Figure("opsPerServerCpuSecond", "ops per server CPU s", "%,.0f");
  public static final Figure SERVER_SHARE = Figure.number("serverCpus", "server CPUs");
  public static final Figure CLIENT_SHARE = Figure.number("clientCpus", "client CPUs");

  /** The CPUs used by other programs on the machine: above 0.1 the throughput is not reliable. */
  public static final Figure OTHER_SHARE = Figure.number("otherCpus", "other CPUs");

  public static final Figure MEAN = new Figure("meanMillis", "mean ms", "%.3f");

  public static final Figure DEVIATION = new Figure("deviationMillis", "sd ms", "%.3f");

  public Map<String, Double> figures() {
    long operations = latencies.getTotalCount();
    double meanSeconds = latencyNanos / operations / 1e9;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.OPS.name(), opsPerSecond);
    figures.put(Figure.SERVER_CPU.name(), serverCpu / operations * 1e6);
    figures.put(Figure.CLIENT_CPU.name(), clientCpu / operations * 1e6);
    figures.put(Figure.P50.name(), millis(50));
    figures.put(Figure.P99.name(), millis(99));
    figures.put(Figure.P999.name(), millis(99.9));
    figures.put(Figure.MAX.name(), latencies.getMaxValue() / 1e6);
    figures.put(MEAN.name(), meanSeconds * 1e3);
    figures.put(OPS_PER_CPU.name(), operations / serverCpu);
    figures.put(SERVER_SHARE.name(), serverCpu / seconds);
    figures.put(CLIENT_SHARE.name(), clientCpu / seconds);
    figures.put(OTHER_SHARE.name(), Math.max(0, otherCpu / seconds));
    figures.put(LITTLE.name(), opsPerSecond * meanSeconds / settings.inFlight());
    figures.put(SLOWEST.name(), slowestShare());
    figures.put(HIT_RATE.name(), (double) hits / Math.max(1, hits + misses));
    return figures;
  }

  private double millis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }

  private double slowestShare() {
    long total = perConnection.stream().mapToLong(Long::longValue).sum();
    long slowest = perConnection.stream().mapToLong(Long::longValue).min().orElse(0);
    return (double) slowest * perConnection.size() / Math.max(1, total);
  }
}
