package dev.kermes.server.command.string;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import org.jspecify.annotations.Nullable;

/**
 * The options of SET and MSETEX. An option may be repeated; the last one counts.
 *
 * @param nx whether to set only an absent key
 * @param xx whether to set only an existing key
 * @param condition the condition that the old value must meet, or null
 * @param operandArg the argument that the condition compares with
 * @param get whether to reply the old value
 * @param keepTtl whether to keep the expiry
 * @param expireAtMillis the expiry, {@link Value#NEVER} for none
 * @param timeArg the argument with that time
 */
record SetOptions(
    boolean nx,
    boolean xx,
    @Nullable ValueCondition condition,
    int operandArg,
    boolean get,
    boolean keepTtl,
    long expireAtMillis,
    int timeArg) {

  /** Reads the options of SET from argument 3 on; null after replying an error. */
  static @Nullable SetOptions parseForSet(Call call) {
    return parse(call, 3, true);
  }

  /** Reads the options of MSETEX: expiry, NX and XX; null after replying an error. */
  static @Nullable SetOptions parseForMsetex(Call call, int from) {
    return parse(call, from, false);
  }

  private static @Nullable SetOptions parse(Call call, int from, boolean isSet) {
    boolean nx = false;
    boolean xx = false;
    boolean get = false;
    boolean keepTtl = false;
    ValueCondition condition = null;
    int operandArg = 0;
    Expiry unit = null;
    int timeArg = 0;
    for (int i = from; i < call.argc(); i++) {
      boolean hasNext = i + 1 < call.argc();
      Expiry expiry = hasNext ? Expiry.at(call, i) : null;
      ValueCondition asked = hasNext && isSet ? ValueCondition.at(call, i) : null;
      if (call.is(i, "NX") && !xx && condition == null) nx = true;
      else if (call.is(i, "XX") && !nx && condition == null) xx = true;
      else if (call.is(i, "GET") && isSet) get = true;
      else if (call.is(i, "KEEPTTL") && unit == null) keepTtl = true;
      else if (expiry != null && !keepTtl && (unit == null || unit == expiry)) {
        unit = expiry;
        timeArg = ++i;
      } else if (asked != null && !nx && !xx && (condition == null || condition == asked)) {
        condition = asked;
        operandArg = ++i;
      } else {
        call.syntaxError();
        return null;
      }
    }
    long expireAt = unit == null ? Value.NEVER : unit.positiveMillis(call, timeArg);
    return call.failed()
        ? null
        : new SetOptions(nx, xx, condition, operandArg, get, keepTtl, expireAt, timeArg);
  }

  boolean expires() {
    return expireAtMillis != Value.NEVER;
  }

  /** The new expiry of a key whose slot was {@code old}. */
  long expiryAfter(@Nullable Object old) {
    return keepTtl ? Database.expiryOf(old) : expireAtMillis;
  }

  /** Whether the options require the old value to be a string. */
  boolean looksAtValue() {
    return get || condition != null;
  }

  /** Whether the conditions allow to set a key with that slot; false after replying an error. */
  boolean allow(Call call, @Nullable Object old) {
    if (old == null) {
      return !xx && condition != ValueCondition.IFEQ && condition != ValueCondition.IFDEQ;
    }
    return !nx && (condition == null || condition.holds(call, old, operandArg));
  }
}
