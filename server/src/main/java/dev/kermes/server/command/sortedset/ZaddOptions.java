package dev.kermes.server.command.sortedset;

import dev.kermes.server.command.Call;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of ZADD, ZINCRBY and GEOADD after the key: flags, then scores and members in turn.
 *
 * @param firstMember the argument that is the first member
 * @param stride the distance from one member to the next
 */
public record ZaddOptions(
    boolean onlyNew,
    boolean onlyExisting,
    boolean onlyGreater,
    boolean onlyLess,
    boolean countsChanges,
    boolean increments,
    int firstMember,
    int stride,
    double[] scores) {

  /** Parses the arguments of ZADD or ZINCRBY; null if a mistake was replied. */
  static @Nullable ZaddOptions parse(Call call, boolean isIncrement) {
    boolean nx = false;
    boolean xx = false;
    boolean gt = false;
    boolean lt = false;
    boolean ch = false;
    boolean incr = isIncrement;
    int i = 2;
    for (; i < call.argc(); i++) {
      if (call.is(i, "NX")) nx = true;
      else if (call.is(i, "XX")) xx = true;
      else if (call.is(i, "GT")) gt = true;
      else if (call.is(i, "LT")) lt = true;
      else if (call.is(i, "CH")) ch = true;
      else if (call.is(i, "INCR")) incr = true;
      else break;
    }
    checkElements(call, call.argc() - i);
    checkFlags(call, nx, xx, gt, lt);
    checkIncrement(call, incr, call.argc() - i);
    double[] scores = scores(call, i);
    return call.failed() ? null : new ZaddOptions(nx, xx, gt, lt, ch, incr, i + 1, 2, scores);
  }

  private static void checkElements(Call call, int arguments) {
    if (arguments == 0 || arguments % 2 != 0) call.syntaxError();
  }

  private static void checkFlags(Call call, boolean nx, boolean xx, boolean gt, boolean lt) {
    if (call.failed()) return;
    if (nx && xx) {
      call.error("ERR XX and NX options at the same time are not compatible");
    } else if (gt && nx || lt && nx || gt && lt) {
      call.error("ERR GT, LT, and/or NX options at the same time are not compatible");
    }
  }

  private static void checkIncrement(Call call, boolean increments, int arguments) {
    if (call.failed() || !increments || arguments == 2) return;
    call.error("ERR INCR option supports a single increment-element pair");
  }

  private static double[] scores(Call call, int from) {
    double[] scores = new double[call.failed() ? 0 : (call.argc() - from) / 2];
    for (int i = 0; i < scores.length && !call.failed(); i++)
      scores[i] = call.decimal(from + 2 * i);
    return scores;
  }

  /** The argument that is the member with this index. */
  int member(int index) {
    return firstMember + stride * index;
  }

  /** Whether NX and XX allow to set the member. */
  boolean allows(boolean exists) {
    return exists ? !onlyNew : !onlyExisting;
  }

  /** Whether GT and LT allow to replace an existing score; XX and NX are not considered. */
  boolean allowsChange(double old, double score) {
    return !(onlyGreater && score <= old || onlyLess && score >= old);
  }
}
