package dev.kermes.server.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the logs of slow commands, large commands and latency keep. */
public final class LogLimits {

  /** Microseconds beyond which a command is logged as slow; 0 logs all, -1 none. */
  public long slowerThanMicros = 10_000;

  public int slowMax = 128;

  /** Bytes beyond which a request is logged as large; -1 never. */
  public long requestLargerThan = -1;

  public int largeRequestMax = 128;

  /** Bytes beyond which a reply is logged as large; -1 never. */
  public long replyLargerThan = -1;

  public int largeReplyMax = 128;

  /** Milliseconds from which on an event is a latency spike; 0 watches nothing. */
  public long latencyMillis;

  /** Whether the durations of commands are kept by their distribution. */
  public boolean tracksLatency = true;

  /** Whether the server's log is to name no key and tell no argument. */
  public boolean hidesUserData;

  final Percentiles percentiles = new Percentiles();

  /** What the server's log says of a text that may name a key or tell an argument. */
  String shown(String text) {
    return hidesUserData ? "*redacted*" : text;
  }

  /** Whether a command that took that long is logged. */
  public boolean isSlow(long nanos) {
    return slowerThanMicros >= 0 && slowMax > 0 && nanos >= slowerThanMicros * 1000;
  }

  /** The percentiles that INFO latencystats shows. */
  public double[] percentiles() {
    return percentiles.values;
  }

  /** latency-tracking-info-percentiles: numbers from 0 to 100, or nothing. */
  static final class Percentiles implements Settings.Kind {

    private double[] values = {50, 99, 99.9};

    @Override
    public String get() {
      StringBuilder text = new StringBuilder();
      for (double value : values) text.append(text.isEmpty() ? "" : " ").append(plain(value));
      return text.toString();
    }

    @Override
    public @Nullable String set(String text) {
      try {
        String[] words = text.isBlank() ? new String[0] : text.trim().split("\\s+");
        double[] changed = Arrays.stream(words).mapToDouble(Double::parseDouble).toArray();
        if (!Arrays.stream(changed).allMatch(value -> value >= 0 && value <= 100)) {
          return "latency-tracking-info-percentiles should contain a percentile between 0.0 and"
              + " 100.0";
        }
        values = changed;
        return null;
      } catch (NumberFormatException e) {
        return "Invalid latency-tracking-info-percentiles parameters";
      }
    }
  }

  /** A percentile without digits that it does not need. */
  public static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
