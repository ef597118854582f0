package dev.kermes.server.command.info;

import dev.kermes.server.engine.Engine;
import dev.kermes.server.stats.LatencyMonitor.History;
import dev.kermes.server.stats.LatencyMonitor.Sample;
import java.util.List;
import java.util.Map;

/** A report of latency spikes for people, as a drawing or in words. */
final class LatencyReport {

  /** The width of a drawing, which shows the newest samples. */
  private static final int COLUMNS_MAX = 80;

  /** The levels within one row, from low to high. */
  private static final String LEVELS = "_o#";

  private static final int ROWS = 4;

  private LatencyReport() {}

  /** Draws a column per sample; below it, read downwards, is the sample's age. */
  static String graph(String event, History history, long nowMillis) {
    List<Sample> samples = history.samples();
    if (samples.size() > COLUMNS_MAX) {
      samples = samples.subList(samples.size() - COLUMNS_MAX, samples.size());
    }
    long low = samples.stream().mapToLong(Sample::millis).min().orElse(0);
    long high = samples.stream().mapToLong(Sample::millis).max().orElse(0);
    StringBuilder text = new StringBuilder();
    text.append(event).append(" - high ").append(high).append(" ms, low ").append(low);
    text.append(" ms (all time high ").append(history.maxMillis()).append(" ms)\n");
    text.append("-".repeat(COLUMNS_MAX)).append('\n');
    for (int row = ROWS - 1; row >= 0; row--) {
      for (Sample sample : samples) text.append(dot(sample.millis(), low, high, row));
      text.append('\n');
    }
    appendAges(text, samples, nowMillis);
    return text.toString();
  }

  private static char dot(long millis, long low, long high, int row) {
    int steps = ROWS * LEVELS.length() - 1;
    int level = high == low ? 0 : (int) ((millis - low) * steps / (high - low));
    int within = level - row * LEVELS.length();
    if (within < 0) return ' ';
    return within < LEVELS.length() ? LEVELS.charAt(within) : '|';
  }

  private static void appendAges(StringBuilder text, List<Sample> samples, long nowMillis) {
    List<String> ages = samples.stream().map(s -> age(nowMillis / 1000 - s.unixSeconds())).toList();
    int rows = ages.stream().mapToInt(String::length).max().orElse(0);
    for (int row = 0; row < rows; row++) {
      text.append('\n');
      for (String age : ages) text.append(row < age.length() ? age.charAt(row) : ' ');
    }
    text.append('\n');
  }

  private static String age(long seconds) {
    if (seconds < 60) return seconds + "s";
    if (seconds < 3600) return seconds / 60 + "m";
    return seconds < 86_400 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }

  static String advice(Engine engine) {
    Map<String, History> histories = engine.keyspace().latency().histories();
    long threshold = engine.settings().monitoringOptions().latencyMillis.value();
    if (threshold == 0) {
      return "Latency is not being watched. CONFIG SET latency-monitor-threshold <milliseconds>"
          + " begins it.\n";
    }
    if (histories.isEmpty()) {
      return "No latency spike of " + threshold + " ms or more has been seen so far.\n";
    }
    StringBuilder text = new StringBuilder("Latency spikes, by event:\n\n");
    histories.forEach((event, history) -> append(text, event, history));
    text.append("\nSLOWLOG GET shows which commands took long.");
    if (histories.containsKey("expire-cycle")) {
      text.append(" Many keys expire at the same time: spread their expiry times.");
    }
    return text.append('\n').toString();
  }

  private static void append(StringBuilder text, String event, History history) {
    List<Sample> samples = history.samples();
    double average = samples.stream().mapToLong(Sample::millis).average().orElse(0);
    text.append(
        "- %s: %d spikes, %.0f ms on average, %d ms at worst%n"
            .formatted(event, samples.size(), average, history.maxMillis()));
  }
}
