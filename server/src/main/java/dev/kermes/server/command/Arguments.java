package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.data.Slices;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of forms that several families share. Mistakes are replied as errors; see {@link Call}.
 */
public final class Arguments {

  private static final String NOT_BETWEEN_LONGS =
      "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";

  private Arguments() {}

  /**
   * An integer within bounds; the message is the error for every other argument, also for a word
   * that is not an integer. {@link ArgumentList#integerInRange} tells the two apart.
   */
  public static long integerOrError(Call call, int i, long min, long max, String message) {
    long value = call.integer(i, message);
    if (!call.failed() && (value < min || value > max)) call.error(message);
    return value;
  }

  /** A count that is not negative. */
  public static long count(Call call, int i) {
    return integerOrError(
        call, i, 0, Long.MAX_VALUE, "ERR value is out of range, must be positive");
  }

  /** {@code [count]} as the last argument; 1 if it is missing. */
  public static long optionalCount(Call call, int i) {
    if (call.argc() > i + 1) call.syntaxError();
    return call.failed() || call.argc() == i ? 1 : count(call, i);
  }

  /** A count whose sign has a meaning; its negation is a long, too. */
  public static long signedCount(Call call, int i) {
    return call.integerInRange(i, -Long.MAX_VALUE, Long.MAX_VALUE, NOT_BETWEEN_LONGS);
  }

  /** The seconds to block, 0 for no limit. */
  public static double timeoutSeconds(Call call, int i) {
    double seconds = call.decimal(i, "ERR timeout is not a float or out of range");
    if (call.failed()) return seconds;
    if (seconds * 1000 >= Long.MAX_VALUE) call.error("ERR timeout is out of range");
    else if (seconds < 0) call.error("ERR timeout is negative");
    return seconds;
  }

  /** The milliseconds to wait, 0 for no limit. */
  public static long timeoutMillis(Call call, int i) {
    long millis = call.integer(i, "ERR timeout is not an integer or out of range");
    if (call.failed()) return 0;
    if (millis < 0) call.error("ERR timeout is negative");
    else if (millis > Long.MAX_VALUE - call.nowMillis()) call.error("ERR timeout is out of range");
    return millis;
  }

  /** The number of keys that follow; at least this many arguments and one more must follow. */
  static int keyCount(Call call, int i) {
    String message = "ERR numkeys should be greater than 0";
    long count = integerOrError(call, i, 1, Long.MAX_VALUE, message);
    if (call.failed()) return 0;
    if (count >= call.argc() - i - 1) {
      call.syntaxError();
      return 0;
    }
    return (int) count;
  }

  /** [COUNT count] as the only option from an argument on; 1 if it is missing. */
  static long countOption(Call call, int from) {
    long count = -1;
    for (int i = from; i < call.argc(); i++) {
      if (count != -1 || i + 1 == call.argc() || !call.is(i, "COUNT")) {
        call.syntaxError();
        return 0;
      }
      count = integerOrError(call, ++i, 1, Long.MAX_VALUE, "ERR count should be greater than 0");
      if (call.failed()) return 0;
    }
    return count == -1 ? 1 : count;
  }

  /** All arguments from the given one on. */
  public static Slices slices(Call call, int from) {
    int count = call.argc() - from;
    int[] offsets = new int[count];
    int[] lengths = new int[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = call.offset(from + i);
      lengths[i] = call.length(from + i);
    }
    return new Slices(call.bytes(), offsets, lengths);
  }

  /** The command or subcommand that arguments name; null if there is none. */
  public static @Nullable CommandSpec command(Call call, int i) {
    CommandTable table = call.execution().table();
    CommandSpec spec = table.find(call.bytes(), call.offset(i), call.length(i));
    if (spec == null || !spec.hasSubcommands() || call.argc() < i + 2) return spec;
    CommandSpec sub = spec.sub(call.bytes(), call.offset(i + 1), call.length(i + 1));
    return sub == null ? spec : sub;
  }

  /** Replies that a subcommand is unknown or has too many arguments. */
  public static void subcommandMistake(Call call) {
    String container = call.spec().fullName();
    call.error(
        "ERR unknown subcommand or wrong number of arguments for '"
            + call.shown(1)
            + "'. Try "
            + container.substring(0, container.indexOf('|')).toUpperCase(Locale.ROOT)
            + " HELP.");
  }

  public static void wrongArity(Call call, String command) {
    call.error("ERR wrong number of arguments for '" + command + "' command");
  }
}
