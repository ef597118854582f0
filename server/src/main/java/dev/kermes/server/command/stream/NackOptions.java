package dev.kermes.server.command.stream;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.PendingEntry;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of XNACK after the group: {@code SILENT|FAIL|FATAL IDS numids id [id ...]
 * [RETRYCOUNT count] [FORCE]}.
 *
 * @param retryCount the new number of deliveries; negative if the mode determines it
 * @param forces whether IDs that are not pending become pending
 */
record NackOptions(Mode mode, int firstId, int count, long retryCount, boolean forces) {

  /** The effect of XNACK on the number of deliveries. */
  enum Mode {
    /** The delivery does not count. */
    SILENT,
    /** The delivery counts. */
    FAIL,
    /** The number of deliveries becomes the maximum. */
    FATAL
  }

  /** Reads the arguments; null after replying an error. */
  static @Nullable NackOptions parse(Call call) {
    Mode mode = mode(call);
    int firstId = 0;
    int count = 0;
    long retryCount = -1;
    boolean forces = false;
    for (int i = 4; i < call.argc() && !call.failed(); i++) {
      boolean hasValue = i + 1 < call.argc();
      if (call.is(i, "IDS") && hasValue) {
        firstId = i + 2;
        count = count(call, i + 1);
        i = firstId + count - 1;
      } else if (call.is(i, "FORCE")) {
        forces = true;
      } else if (call.is(i, "RETRYCOUNT") && hasValue) {
        retryCount = call.integer(++i);
        if (!call.failed() && retryCount < 0) {
          call.error("ERR Invalid RETRYCOUNT value, must be >= 0");
        }
      } else {
        call.error("ERR Unrecognized XNACK option '" + call.shown(i) + "'");
      }
    }
    if (!call.failed() && firstId == 0) call.error("ERR syntax error, expected IDS keyword");
    if (call.failed()) return null;
    return new NackOptions(mode, firstId, count, retryCount, forces);
  }

  private static Mode mode(Call call) {
    for (Mode mode : Mode.values()) if (call.is(3, mode.name())) return mode;
    call.error("ERR mode must be SILENT, FAIL, or FATAL");
    return Mode.FAIL;
  }

  private static int count(Call call, int i) {
    String message = "ERR numids must be a positive integer";
    long count = Arguments.integerOrError(call, i, 1, Integer.MAX_VALUE, message);
    if (!call.failed() && count > call.argc() - i - 1) {
      call.error("ERR number of IDs doesn't match numids");
    }
    return (int) count;
  }

  /** The new number of deliveries of an entry that had {@code before}. */
  long deliveries(long before) {
    if (retryCount >= 0) return retryCount;
    return switch (mode) {
      case SILENT -> Math.max(0, before - 1);
      case FAIL -> before;
      case FATAL -> PendingEntry.DELIVERIES_MAX;
    };
  }
}
