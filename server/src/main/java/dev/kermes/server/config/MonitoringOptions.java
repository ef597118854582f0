package dev.kermes.server.config;

import java.util.Arrays;
import java.util.List;

/** The options for the server's log, SLOWLOG, COMMANDLOG and latency. */
public final class MonitoringOptions extends OptionFamily {

  private static final int MAX = Integer.MAX_VALUE;

  public final ValueOption<String> logLevel =
      option("loglevel")
          .means("The least important messages that the program logs.")
          .choice(List.of("debug", "verbose", "notice", "warning", "nothing"), "notice");

  public final ValueOption<String> logFormat =
      option("log-format")
          .means("The form of the program's log.")
          .unlikeRedis("From Valkey.")
          .choice(List.of("legacy", "logfmt", "json"), "legacy");

  final ValueOption<String> logFile =
      option("logfile")
          .atStart()
          .means("The file to which the program logs; empty for its standard output.")
          .text("");

  private final FlagOption hidesUserData =
      option("hide-user-data-from-log")
          .means("The server's log shows neither keys nor arguments.")
          .yesNo(false);

  public final NumberOption slowerThanMicros =
      option("slowlog-log-slower-than")
          .alias("commandlog-execution-slower-than")
          .in("microseconds")
          .means("A command that takes longer is logged as slow; 0 for all commands, -1 for none.")
          .number(-1, Long.MAX_VALUE, 10_000);

  public final NumberOption slowMax =
      option("slowlog-max-len")
          .alias("commandlog-slow-execution-max-len")
          .means("The number of slow commands that the log keeps.")
          .number(0, MAX, 128);

  public final NumberOption requestLargerThan =
      option("commandlog-request-larger-than")
          .in("bytes")
          .means("A request that is larger is logged; -1 for none.")
          .unlikeRedis("From Valkey.")
          .number(-1, Long.MAX_VALUE, -1);

  public final NumberOption largeRequestMax =
      option("commandlog-large-request-max-len")
          .means("The number of large requests that the log keeps.")
          .unlikeRedis("From Valkey.")
          .number(0, MAX, 128);

  public final NumberOption replyLargerThan =
      option("commandlog-reply-larger-than")
          .in("bytes")
          .means("A command whose reply is larger is logged; -1 for none.")
          .unlikeRedis("From Valkey.")
          .number(-1, Long.MAX_VALUE, -1);

  public final NumberOption largeReplyMax =
      option("commandlog-large-reply-max-len")
          .means("The number of large replies that the log keeps.")
          .unlikeRedis("From Valkey.")
          .number(0, MAX, 128);

  public final NumberOption latencyMillis =
      option("latency-monitor-threshold")
          .in("milliseconds")
          .means(
              "An event that takes this time or longer is a latency spike; 0 turns the monitor off.")
          .number(0, Long.MAX_VALUE, 0);

  public final FlagOption tracksLatency =
      option("latency-tracking")
          .means("The distribution of the durations of each command is kept.")
          .yesNo(true);

  /** The percentiles that INFO latencystats shows. */
  public final ValueOption<List<Double>> percentiles =
      option("latency-tracking-info-percentiles")
          .means("The percentiles that INFO latencystats shows.")
          .value(new Percentiles(), List.of(50.0, 99.0, 99.9));

  MonitoringOptions() {
    super("Logs and monitoring");
  }

  /** Whether the server's log hides keys and arguments. */
  public boolean hidesUserData() {
    return hidesUserData.isOn();
  }

  /** A text for the server's log, without keys and arguments if they are hidden. */
  public String shown(String text) {
    return hidesUserData.isOn() ? "*redacted*" : text;
  }

  /** Whether a command that took that long is logged. */
  public boolean isSlow(long nanos) {
    long micros = slowerThanMicros.value();
    return micros >= 0 && slowMax.value() > 0 && nanos >= micros * 1000;
  }

  /** A percentile without trailing zeros. */
  public static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** Numbers from 0 to 100 separated by blanks, or nothing. */
  private record Percentiles() implements Syntax<List<Double>> {
    @Override
    public List<Double> parse(String text, List<Double> present) throws InvalidValueException {
      List<Double> numbers;
      try {
        String[] words = text.isBlank() ? new String[0] : text.trim().split("\\s+");
        numbers = Arrays.stream(words).map(Double::valueOf).toList();
      } catch (NumberFormatException e) {
        throw new InvalidValueException("Invalid latency-tracking-info-percentiles parameters");
      }
      if (!numbers.stream().allMatch(value -> value >= 0 && value <= 100)) {
        throw new InvalidValueException(
            "latency-tracking-info-percentiles should contain a percentile between 0.0 and 100.0");
      }
      return numbers;
    }

    @Override
    public String print(List<Double> value) {
      return String.join(" ", value.stream().map(MonitoringOptions::plain).toList());
    }

    @Override
    public String values() {
      return "numbers from 0 to 100";
    }
  }
}
