package dev.kermes.server.command;

import dev.kermes.server.data.Value;
import org.jspecify.annotations.Nullable;

/** The condition of EXPIRE: only without an expiry, only with one, only later, only earlier. */
public record ExpireCondition(boolean nx, boolean xx, boolean gt, boolean lt) {

  public static final ExpireCondition NONE = new ExpireCondition(false, false, false, false);

  /** Reads the options from argument 3 on; null after replying an error. */
  public static @Nullable ExpireCondition parse(Call call) {
    boolean nx = false;
    boolean xx = false;
    boolean gt = false;
    boolean lt = false;
    for (int i = 3; i < call.argc(); i++) {
      if (call.is(i, "NX")) {
        nx = true;
      } else if (call.is(i, "XX")) {
        xx = true;
      } else if (call.is(i, "GT")) {
        gt = true;
      } else if (call.is(i, "LT")) {
        lt = true;
      } else {
        call.error("ERR Unsupported option " + call.shown(i));
        return null;
      }
    }
    if (nx && (xx || gt || lt)) {
      call.error("ERR NX and XX, GT or LT options at the same time are not compatible");
      return null;
    }
    if (gt && lt) {
      call.error("ERR GT and LT options at the same time are not compatible");
      return null;
    }
    return new ExpireCondition(nx, xx, gt, lt);
  }

  /** The condition that a word means; null if it means none. */
  public static @Nullable ExpireCondition of(Call call, int i) {
    boolean nx = call.is(i, "NX");
    boolean xx = call.is(i, "XX");
    boolean gt = call.is(i, "GT");
    boolean lt = call.is(i, "LT");
    return nx || xx || gt || lt ? new ExpireCondition(nx, xx, gt, lt) : null;
  }

  /** Whether the condition allows a change; no expiry counts as an infinitely late one. */
  public boolean allows(long current, long wanted) {
    boolean hasNone = current == Value.NEVER;
    if (nx && !hasNone || xx && hasNone) return false;
    if (gt && (hasNone || wanted <= current)) return false;
    return !lt || hasNone || wanted < current;
  }
}
