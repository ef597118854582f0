package dev.kermes.server.command;

import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.engine.KeyspaceEvent;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of ZADD, ZINCRBY and GEOADD after the key: flags, then scores and members in turn.
 *
 * @param firstMember which argument is the first member
 * @param stride how many arguments further the next one is
 */
record ZaddOptions(
    boolean onlyNew,
    boolean onlyExisting,
    boolean onlyGreater,
    boolean onlyLess,
    boolean countsChanges,
    boolean increments,
    int firstMember,
    int stride,
    double[] scores) {

  /** What became of one member. */
  private enum Outcome {
    NONE,
    SAME,
    UPDATED,
    ADDED
  }

  /** Reads them; null if a mistake was replied. */
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

  void execute(Call call) {
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    if (set == null && onlyExisting) {
      if (increments) call.reply().nil();
      else call.reply().integer(0);
      return;
    }
    boolean fresh = set == null;
    if (set == null) set = new RedisSortedSet(call.hashSeed());
    set.growing(scores.length, call.limits());
    if (increments) increment(call, set, fresh);
    else addAll(call, set, fresh);
  }

  private void addAll(Call call, RedisSortedSet set, boolean fresh) {
    int added = 0;
    int updated = 0;
    for (int i = 0; i < scores.length; i++) {
      Outcome outcome = put(call, set, firstMember + stride * i, scores[i]);
      if (outcome == Outcome.ADDED) added++;
      if (outcome == Outcome.UPDATED) updated++;
    }
    if (fresh) call.create(1, set);
    if (added + updated > 0) call.changed(1, KeyspaceEvent.SORTED_SET, "zadd", added + updated);
    call.reply().integer(countsChanges ? added + updated : added);
  }

  private void increment(Call call, RedisSortedSet set, boolean fresh) {
    int member = firstMember;
    double old = set.score(call.bytes(), call.offset(member), call.length(member));
    double sum = Double.isNaN(old) ? scores[0] : old + scores[0];
    boolean skipped = onlyNew && !Double.isNaN(old) || onlyExisting && Double.isNaN(old);
    if (Double.isNaN(sum) && !skipped) {
      call.error("ERR resulting score is not a number (NaN)");
      return;
    }
    Outcome outcome = put(call, set, member, sum);
    if (fresh) call.create(1, set);
    if (outcome == Outcome.ADDED || outcome == Outcome.UPDATED) {
      call.changed(1, KeyspaceEvent.SORTED_SET, "zincr");
    }
    if (outcome == Outcome.NONE) call.reply().nil();
    else call.reply().decimal(sum);
  }

  private Outcome put(Call call, RedisSortedSet set, int member, double score) {
    byte[] bytes = call.bytes();
    int offset = call.offset(member);
    int length = call.length(member);
    double old = set.score(bytes, offset, length);
    boolean exists = !Double.isNaN(old);
    if (exists ? onlyNew : onlyExisting) return Outcome.NONE;
    if (exists && (onlyGreater && score <= old || onlyLess && score >= old)) return Outcome.NONE;
    if (exists && score == old) return Outcome.SAME;
    set.put(bytes, offset, length, score, call.limits());
    return exists ? Outcome.UPDATED : Outcome.ADDED;
  }
}
