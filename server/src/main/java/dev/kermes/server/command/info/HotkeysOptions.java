package dev.kermes.server.command.info;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.stats.HotKeys;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of HOTKEYS START. */
final class HotkeysOptions {

  private static final int METRICS_AT = 2;
  private static final int SECONDS_MAX = 1_000_000;

  private final Call call;
  private boolean byTime;
  private boolean byBytes;
  private int count = 10;
  private long durationMillis;
  private int sampleRatio = 1;

  private HotkeysOptions(Call call) {
    this.call = call;
  }

  /** The options, or null after replying an error. */
  static HotKeys.@Nullable Options parse(Call call) {
    HotkeysOptions options = new HotkeysOptions(call);
    int next = options.readMetrics();
    while (!call.failed() && next < call.argc()) next = options.readOption(next);
    return call.failed() ? null : options.options();
  }

  private HotKeys.Options options() {
    return new HotKeys.Options(byTime, byBytes, count, durationMillis, sampleRatio);
  }

  /**
   * Reads METRICS count metric ..., and ignores metrics that a later version may have. Returns the
   * argument at which the options begin.
   */
  private int readMetrics() {
    if (call.argc() < METRICS_AT + 2 || !call.is(METRICS_AT, "METRICS")) {
      call.error("ERR METRICS parameter is required");
      return 0;
    }
    int first = METRICS_AT + 2;
    int end = first + number(METRICS_AT + 1, 2, "METRICS count must be > 0 and <= 2");
    for (int i = first; !call.failed() && i < Math.min(end, call.argc()); i++) readMetric(i);
    if (call.failed()) return 0;
    if (end > call.argc()) {
      call.error("ERR METRICS count does not match number of metric types provided");
    } else if (!byTime && !byBytes) {
      call.error("ERR METRICS no valid metrics passed. Supported: CPU|NET");
    }
    return end;
  }

  private void readMetric(int i) {
    boolean isTime = call.is(i, "CPU");
    boolean isBytes = call.is(i, "NET");
    if (isTime && byTime || isBytes && byBytes) {
      call.error("ERR METRICS " + (isTime ? "CPU" : "NET") + " defined more than once!");
    }
    byTime |= isTime;
    byBytes |= isBytes;
  }

  /** Reads an option and its value; returns the position of the next one. */
  private int readOption(int i) {
    boolean hasValue = i + 1 < call.argc();
    if (hasValue && call.is(i, "COUNT")) {
      count = number(i + 1, 64, "COUNT must be between 1 and 64");
    } else if (hasValue && call.is(i, "DURATION")) {
      String range = "DURATION must be between 1 and " + SECONDS_MAX;
      durationMillis = 1000L * number(i + 1, SECONDS_MAX, range);
    } else if (hasValue && call.is(i, "SAMPLE")) {
      sampleRatio = number(i + 1, Integer.MAX_VALUE, "SAMPLE ratio must be positive");
    } else if (hasValue && call.is(i, "SLOTS")) {
      call.error("ERR SLOTS parameter cannot be used in non-cluster mode");
    } else {
      call.syntaxError();
    }
    return i + 2;
  }

  private int number(int i, int max, String message) {
    return (int) Arguments.integerOrError(call, i, 1, max, "ERR " + message);
  }
}
