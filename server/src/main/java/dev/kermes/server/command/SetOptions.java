package dev.kermes.server.command;

import dev.kermes.server.data.Value;
import org.jspecify.annotations.Nullable;

/**
 * The options of SET.
 *
 * @param nx only if the key is absent
 * @param xx only if it exists
 * @param get reply the old value
 * @param keepTtl keep the expiry
 * @param expireAtMillis when to expire, {@link Value#NEVER} for never
 */
record SetOptions(boolean nx, boolean xx, boolean get, boolean keepTtl, long expireAtMillis) {

  /** Reads them from argument 3 on; null after replying an error. */
  static @Nullable SetOptions parse(Call call) {
    boolean nx = false;
    boolean xx = false;
    boolean get = false;
    boolean keepTtl = false;
    Expiry unit = null;
    int timeArg = 0;
    for (int i = 3; i < call.argc(); i++) {
      Expiry expiry = i + 1 < call.argc() ? Expiry.at(call, i) : null;
      if (call.is(i, "NX") && !xx) nx = true;
      else if (call.is(i, "XX") && !nx) xx = true;
      else if (call.is(i, "GET")) get = true;
      else if (call.is(i, "KEEPTTL") && unit == null) keepTtl = true;
      else if (expiry != null && unit == null && !keepTtl) {
        unit = expiry;
        timeArg = ++i;
      } else {
        call.syntaxError();
        return null;
      }
    }
    long expireAt = unit == null ? Value.NEVER : unit.positiveMillis(call, timeArg);
    return call.failed() ? null : new SetOptions(nx, xx, get, keepTtl, expireAt);
  }
}
