package dev.kermes.tools.torture;

import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The times from a fault until an event of each key was handled that was emitted after it, per kind
 * of fault. Any thread.
 */
final class Resumption {

  private final long limitMillis;
  private final Map<EventsTorture.Fault, TreeMap<Long, Integer>> byFault =
      new EnumMap<>(EventsTorture.Fault.class);

  /**
   * No times yet.
   *
   * @param limitMillis a longer time counts as late
   */
  Resumption(long limitMillis) {
    this.limitMillis = limitMillis;
  }

  synchronized void add(EventsTorture.Fault fault, long millis) {
    byFault.computeIfAbsent(fault, absent -> new TreeMap<>()).merge(millis, 1, Integer::sum);
  }

  /** How many times were longer than the limit. */
  synchronized int late() {
    return byFault.values().stream().mapToInt(this::late).sum();
  }

  private int late(NavigableMap<Long, Integer> times) {
    return count(times.tailMap(limitMillis, false));
  }

  private static int count(Map<Long, Integer> times) {
    return times.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** A line per kind: trials, median, longest, and how many were longer than the limit. */
  synchronized String report() {
    StringBuilder report = new StringBuilder();
    byFault.forEach((fault, times) ->
        report.append(
            "resumed after %s: trials=%d, median=%d ms, longest=%d ms, over %d ms=%d%n"
                .formatted(
                    fault,
                    count(times),
                    median(times),
                    times.lastKey(),
                    limitMillis,
                    late(times))));
    return report.toString();
  }

  private static long median(NavigableMap<Long, Integer> times) {
    int left = (count(times) + 1) / 2;
    for (Map.Entry<Long, Integer> each : times.entrySet()) {
      left -= each.getValue();
      if (left <= 0) return each.getKey();
    }
    throw new IllegalArgumentException("no times");
  }
}
