package dev.kermes.server.stats;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events that took longer than latency-monitor-threshold, with their last samples: LATENCY. Guarded
 * by the keyspace lock.
 */
public final class LatencyMonitor {

  /** The longest duration of an event within a second. */
  public record Sample(long unixSeconds, long millis) {}

  /** The history of one kind of event. */
  public static final class History {

    private final Deque<Sample> samples = new ArrayDeque<>();
    private long maxMillis;

    /** The samples, oldest first. */
    public List<Sample> samples() {
      return new ArrayList<>(samples);
    }

    public Sample last() {
      return samples.getLast();
    }

    /** The longest duration so far, including samples that are no longer kept. */
    public long maxMillis() {
      return maxMillis;
    }

    private void add(long unixSeconds, long millis) {
      maxMillis = Math.max(maxMillis, millis);
      Sample last = samples.peekLast();
      if (last != null && last.unixSeconds() == unixSeconds) {
        samples.removeLast();
        samples.add(new Sample(unixSeconds, Math.max(last.millis(), millis)));
        return;
      }
      samples.add(new Sample(unixSeconds, millis));
      if (samples.size() > SAMPLES_MAX) samples.removeFirst();
    }
  }

  private static final int SAMPLES_MAX = 160;

  private final Map<String, History> histories = new TreeMap<>();

  public void add(String event, long unixSeconds, long millis) {
    histories.computeIfAbsent(event, unused -> new History()).add(unixSeconds, millis);
  }

  /** The histories by the name of the event. */
  public Map<String, History> histories() {
    return histories;
  }
}
