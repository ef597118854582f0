package dev.kermes.server.command.hash;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Value;
import org.jspecify.annotations.Nullable;

/**
 * The options of HSETEX.
 *
 * @param nx whether to require that the hash does not exist
 * @param xx whether to require that the hash exists
 * @param fnx whether to require that none of the fields exists
 * @param fxx whether to require that all of the fields exist
 * @param keepTtl whether to keep the fields' expiry
 * @param expireAtMillis the fields' expiry, {@link Value#NEVER} for none
 * @param timeArg the argument with that time
 * @param first the argument of the first field
 */
record HsetexOptions(
    boolean nx,
    boolean xx,
    boolean fnx,
    boolean fxx,
    boolean keepTtl,
    long expireAtMillis,
    int timeArg,
    int first) {

  private static final String TIMES = "EX, PX, EXAT, PXAT or KEEPTTL";

  /** Reads the options from argument 2 to the fields and values; null after replying an error. */
  static @Nullable HsetexOptions parse(Call call) {
    boolean nx = false;
    boolean xx = false;
    boolean fnx = false;
    boolean fxx = false;
    boolean keepTtl = false;
    long expireAtMillis = Value.NEVER;
    int timeArg = 0;
    int i = 2;
    while (!call.is(i, "FIELDS")) {
      Expiry unit = Expiry.at(call, i);
      boolean isKeepTtl = call.is(i, "KEEPTTL");
      if (unit != null || isKeepTtl) {
        if (keepTtl || expireAtMillis != Value.NEVER) return onlyOne(call, TIMES);
        keepTtl = isKeepTtl;
        if (unit != null && i + 1 == call.argc()) return mistake(call, "missing expire time");
        if (unit != null) timeArg = ++i;
        if (unit != null) expireAtMillis = unit.fieldMillis(call, timeArg);
        if (call.failed()) return null;
      } else if (call.is(i, "FNX") || call.is(i, "FXX")) {
        if (fnx || fxx) return onlyOne(call, "FXX or FNX");
        fnx = call.is(i, "FNX");
        fxx = !fnx;
      } else if (call.is(i, "NX") || call.is(i, "XX")) {
        if (nx || xx) return onlyOne(call, "NX or XX");
        nx = call.is(i, "NX");
        xx = !nx;
      } else {
        return mistake(call, "unknown argument: " + call.text(i));
      }
      // More arguments remain than consecutive options may need.
      i++;
    }
    return hasPairs(call, i)
        ? new HsetexOptions(nx, xx, fnx, fxx, keepTtl, expireAtMillis, timeArg, i + 2)
        : null;
  }

  private static boolean hasPairs(Call call, int fieldsArg) {
    int words = call.argc() - fieldsArg - 2;
    if (words < 2) {
      Arguments.wrongArity(call, "hsetex");
      return false;
    }
    long count =
        Arguments.integerOrError(
            call, fieldsArg + 1, 1, Integer.MAX_VALUE, "ERR invalid number of fields");
    if (!call.failed() && count * 2 != words) Arguments.wrongArity(call, "hsetex");
    return !call.failed();
  }

  private static @Nullable HsetexOptions onlyOne(Call call, String words) {
    return mistake(call, "Only one of " + words + " arguments can be specified");
  }

  private static @Nullable HsetexOptions mistake(Call call, String message) {
    call.error("ERR " + message);
    return null;
  }

  boolean expires() {
    return expireAtMillis != Value.NEVER;
  }

  boolean isConditional() {
    return fnx || fxx;
  }

  /** Whether NX, XX, FNX and FXX allow to set the fields. */
  boolean allows(Call call, @Nullable RedisHash hash) {
    if (hash == null ? xx : nx) return false;
    if (!isConditional()) return true;
    for (int i = first; i < call.argc(); i += 2) {
      boolean exists = hash != null && hash.contains(call.slice(i), call.fieldTime());
      if (exists == fnx) return false;
    }
    return true;
  }
}
