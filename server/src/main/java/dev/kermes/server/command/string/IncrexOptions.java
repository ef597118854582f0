package dev.kermes.server.command.string;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.data.Value;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The options of INCREX, each at most once and in any order.
 *
 * @param saturates whether a sum out of bounds becomes the bound instead of being refused
 * @param persists whether to remove the expiry
 * @param fresh whether to set the expiry only if there is none
 * @param expireAtMillis the new expiry, {@link Value#NEVER} to leave it unchanged
 */
record IncrexOptions(
    CounterType type,
    BigDecimal increment,
    BigDecimal lower,
    BigDecimal upper,
    boolean saturates,
    boolean persists,
    boolean fresh,
    long expireAtMillis) {

  /** Reads the options from argument 2 on; null after replying an error. */
  static @Nullable IncrexOptions parse(Call call) {
    return new Parser(call).parse();
  }

  /** The options read so far; 0 means that an argument has not been seen. */
  private static final class Parser {

    private final Call call;
    private @Nullable CounterType type;
    private BigDecimal increment = BigDecimal.ONE;
    private int lowerArg;
    private int upperArg;
    private boolean saturates;
    private boolean persists;
    private boolean fresh;
    private @Nullable Expiry unit;
    private int timeArg;

    Parser(Call call) {
      this.call = call;
    }

    @Nullable IncrexOptions parse() {
      for (int i = 2; i < call.argc(); ) {
        int width = option(i);
        if (width == 0 && !call.failed()) call.syntaxError();
        if (call.failed()) return null;
        i += width;
      }
      return finish();
    }

    /** Reads an option; returns how many arguments it has, 0 if it is not allowed there. */
    private int option(int i) {
      if (call.is(i, "SATURATE") && !saturates) {
        saturates = true;
      } else if (call.is(i, "ENX") && !fresh && !persists) {
        fresh = true;
      } else if (call.is(i, "PERSIST") && !persists && !fresh && unit == null) {
        persists = true;
      } else {
        return i + 1 < call.argc() ? optionWithValue(i) : 0;
      }
      return 1;
    }

    private int optionWithValue(int i) {
      Expiry expiry = Expiry.at(call, i);
      if (call.is(i, "BYINT") && type == null) {
        readIncrement(
            i + 1, CounterType.INTEGER, "ERR Increment is not an integer or out of range");
      } else if (call.is(i, "BYFLOAT") && type == null) {
        readIncrement(i + 1, CounterType.FLOAT, "ERR Increment is not a valid float");
      } else if (call.is(i, "LBOUND") && lowerArg == 0) {
        lowerArg = i + 1;
      } else if (call.is(i, "UBOUND") && upperArg == 0) {
        upperArg = i + 1;
      } else if (expiry != null && unit == null && !persists) {
        unit = expiry;
        timeArg = i + 1;
      } else {
        return 0;
      }
      return 2;
    }

    private void readIncrement(int i, CounterType chosen, String message) {
      type = chosen;
      BigDecimal value = chosen.parse(call, i, message);
      if (value == null) return;
      if (!chosen.contains(value)) call.error("ERR BYFLOAT increment cannot be Infinity");
      increment = value;
    }

    private @Nullable IncrexOptions finish() {
      CounterType chosen = type == null ? CounterType.INTEGER : type;
      BigDecimal lower = bound(chosen, lowerArg, "LBOUND", chosen.min);
      BigDecimal upper = lower == null ? null : bound(chosen, upperArg, "UBOUND", chosen.max);
      if (lower == null || upper == null) return null;
      if (lower.compareTo(upper) > 0) {
        call.error("ERR LBOUND can't be greater than UBOUND");
      } else if (fresh && unit == null) {
        call.error("ERR ENX flag requires an expiration");
      }
      if (call.failed()) return null;
      long expireAt = unit == null ? Value.NEVER : unit.positiveMillis(call, timeArg);
      return call.failed()
          ? null
          : new IncrexOptions(
              chosen, increment, lower, upper, saturates, persists, fresh, expireAt);
    }

    private @Nullable BigDecimal bound(
        CounterType chosen, int arg, String name, BigDecimal otherwise) {
      if (arg == 0) return otherwise;
      boolean isInteger = chosen == CounterType.INTEGER;
      String mistake = isInteger ? " is not an integer or out of range" : " is not a valid float";
      return chosen.parse(call, arg, "ERR " + name + mistake);
    }
  }
}
