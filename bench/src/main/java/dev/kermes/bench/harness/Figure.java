package dev.kermes.bench.harness;

import java.util.List;
import java.util.Locale;

/** A measured quantity: its name in JSON, the head of its column, and the format of its numbers. */
public record Figure(String name, String head, String format) {

  public static final Figure OPS = new Figure("opsPerSecond", "ops/s", "%,.0f");
  public static final Figure SERVER_CPU =
      new Figure("serverCpuSecondsPerMillion", "server CPU s/M", "%.3f");
  public static final Figure CLIENT_CPU =
      new Figure("clientCpuSecondsPerMillion", "client CPU s/M", "%.3f");
  public static final Figure P50 = new Figure("p50Millis", "p50 ms", "%.3f");
  public static final Figure P99 = new Figure("p99Millis", "p99 ms", "%.3f");
  public static final Figure P999 = new Figure("p999Millis", "p99.9 ms", "%.3f");
  public static final Figure MAX = new Figure("maxMillis", "max ms", "%.3f");
  public static final Figure MEDIAN = new Figure("medianMillis", "median ms", "%.3f");
  public static final Figure MIN = new Figure("minMillis", "min ms", "%.3f");

  /** The figures of every row in JSON, null where a benchmark has none. */
  public static final List<Figure> STANDARD =
      List.of(OPS, SERVER_CPU, CLIENT_CPU, P50, P99, P999, MAX);

  /** A plain number. */
  public static Figure number(String name, String head) {
    return new Figure(name, head, "%.2f");
  }

  public String text(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "–";
  }
}
