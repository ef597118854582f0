package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.yesNo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The options for SLOWLOG, COMMANDLOG, the latency monitor and latency tracking. */
public final class MonitoringOptions {

  /** Microseconds beyond which a command is logged as slow; 0 logs all, -1 none. */
  public long slowerThanMicros = 10_000;

  public int slowMax = 128;

  /** Bytes beyond which a request is logged as large; -1 never. */
  public long requestLargerThan = -1;

  public int largeRequestMax = 128;

  /** Bytes beyond which a reply is logged as large; -1 never. */
  public long replyLargerThan = -1;

  public int largeReplyMax = 128;

  /** Milliseconds from which an event is a latency spike; 0 turns the monitor off. */
  public long latencyMillis;

  /** Whether the distribution of commands' durations is kept. */
  public boolean tracksLatency = true;

  /** Whether the server's log hides keys and arguments. */
  public boolean hidesUserData;

  final Percentiles percentiles = new Percentiles();

  /** A text for the server's log, without keys and arguments if they are hidden. */
  public String shown(String text) {
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
  static final class Percentiles implements Option.Kind {

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

  /** A percentile without trailing zeros. */
  public static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    long max = Integer.MAX_VALUE;
    table.mutable(
        "slowlog-log-slower-than",
        number(-1, Long.MAX_VALUE, () -> slowerThanMicros, v -> slowerThanMicros = v));
    table.mutable("slowlog-max-len", number(0, max, () -> slowMax, v -> slowMax = (int) v));
    table.alias("commandlog-execution-slower-than", "slowlog-log-slower-than");
    table.alias("commandlog-slow-execution-max-len", "slowlog-max-len");
    table.mutable(
        "commandlog-request-larger-than",
        number(-1, Long.MAX_VALUE, () -> requestLargerThan, v -> requestLargerThan = v));
    table.mutable(
        "commandlog-large-request-max-len",
        number(0, max, () -> largeRequestMax, v -> largeRequestMax = (int) v));
    table.mutable(
        "commandlog-reply-larger-than",
        number(-1, Long.MAX_VALUE, () -> replyLargerThan, v -> replyLargerThan = v));
    table.mutable(
        "commandlog-large-reply-max-len",
        number(0, max, () -> largeReplyMax, v -> largeReplyMax = (int) v));
    table.mutable(
        "latency-monitor-threshold",
        number(0, Long.MAX_VALUE, () -> latencyMillis, v -> latencyMillis = v));
    table.mutable("hide-user-data-from-log", yesNo(() -> hidesUserData, v -> hidesUserData = v));
    table.mutable("latency-tracking", yesNo(() -> tracksLatency, v -> tracksLatency = v));
    table.mutable("latency-tracking-info-percentiles", percentiles);
  }
}
