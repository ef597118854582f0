package dev.kermes.server.stats;

import dev.kermes.server.data.ByteKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that take most time and traffic, recorded from HOTKEYS START until it is stopped or its
 * time is over. The cost of a command is divided evenly among its keys. Guarded by the keyspace
 * lock.
 */
public final class HotKeys {

  /**
   * The options of HOTKEYS START.
   *
   * @param byTime whether keys are ranked by time
   * @param byBytes whether keys are ranked by bytes over the network
   * @param count the number of keys to report
   * @param durationMillis the time after which recording stops by itself, 0 for never
   * @param sampleRatio one of this many commands is recorded
   */
  public record Options(
      boolean byTime, boolean byBytes, int count, long durationMillis, int sampleRatio) {}

  /** Keys tracked per reported key: with 10 reported, sums miss at most 0.2 % of the total. */
  private static final int KEYS_PER_COUNT = 100;

  private final Options options;
  private final long startMillis;
  private final long startCpuNanos;
  private final @Nullable HeavyHitters time;
  private final @Nullable HeavyHitters traffic;
  private boolean active = true;
  private long durationMillis;
  private long nanos;
  private long bytes;

  public HotKeys(Options options, long startMillis, long startCpuNanos) {
    this.options = options;
    this.startMillis = startMillis;
    this.startCpuNanos = startCpuNanos;
    int keysMax = options.count() * KEYS_PER_COUNT;
    time = options.byTime() ? new HeavyHitters(keysMax) : null;
    traffic = options.byBytes() ? new HeavyHitters(keysMax) : null;
  }

  public Options options() {
    return options;
  }

  public boolean isActive() {
    return active;
  }

  /** Stops recording if its time is over; returns whether it did. */
  public boolean endIfDue(long nowMillis) {
    long due = startMillis + options.durationMillis();
    if (!active || options.durationMillis() == 0 || nowMillis < due) return false;
    stop(due);
    return true;
  }

  /** Stops recording; the results stay. */
  public void stop(long nowMillis) {
    durationMillis = nowMillis - startMillis;
    active = false;
  }

  /** Counts the cost of a command whose keys are not recorded. */
  public void count(long commandNanos, long commandBytes) {
    nanos += commandNanos;
    bytes += commandBytes;
  }

  /** Counts the cost of a command for its keys. */
  public void count(List<ByteKey> keys, long commandNanos, long commandBytes) {
    count(commandNanos, commandBytes);
    for (ByteKey key : keys) {
      if (time != null) time.add(key, commandNanos / keys.size());
      if (traffic != null) traffic.add(key, commandBytes / keys.size());
    }
  }

  public long startMillis() {
    return startMillis;
  }

  /** The processor time of the process at the start of recording. */
  public long startCpuNanos() {
    return startCpuNanos;
  }

  /** The duration of recording, up to now if it has not been stopped. */
  public long durationMillis(long nowMillis) {
    return active ? nowMillis - startMillis : durationMillis;
  }

  /** The time of all commands with keys. */
  public long nanos() {
    return nanos;
  }

  /** The bytes of all commands with keys and of their replies. */
  public long bytes() {
    return bytes;
  }

  /** The bytes of the commands that were recorded. */
  public long trafficBytes() {
    return traffic == null ? 0 : traffic.total();
  }

  /** Keys with their time in nanoseconds, the most expensive first. */
  public List<Map.Entry<ByteKey, Long>> byTime() {
    return time == null ? List.of() : time.largest(options.count());
  }

  /** Keys with their bytes, the most expensive first. */
  public List<Map.Entry<ByteKey, Long>> byBytes() {
    return traffic == null ? List.of() : traffic.largest(options.count());
  }
}
