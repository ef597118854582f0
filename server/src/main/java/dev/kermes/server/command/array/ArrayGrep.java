package dev.kermes.server.command.array;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.data.RedisArray;
import dev.kermes.server.data.pattern.ExtendedRegex;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.data.pattern.RegexSyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * ARGREP key start end (EXACT text | MATCH text | GLOB pattern | RE pattern) ... [AND | OR] [LIMIT
 * limit] [WITHVALUES] [NOCASE]: replies the indexes of elements that meet one condition, or with
 * AND all of them. Options and conditions may come in any order; {@code -} and {@code +} are the
 * ends of the array.
 */
final class ArrayGrep {

  private static final int CONDITIONS_MAX = 250;
  private static final int REGEX_LENGTH_MAX = 2048;

  /** A test of an element's text. */
  private interface Condition {
    boolean holds(byte[] bytes, int offset, int length);
  }

  private final Call call;
  private final List<Integer> conditionArgs = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private boolean needsAll;
  private boolean withValues;
  private boolean ignoresCase;
  private long limit = Long.MAX_VALUE;

  private ArrayGrep(Call call) {
    this.call = call;
  }

  static void execute(Call call) {
    checkBound(call, 2);
    if (!call.failed()) checkBound(call, 3);
    if (call.failed()) return;
    ArrayGrep grep = new ArrayGrep(call);
    if (!grep.parse()) return;
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    if (array == null) call.reply().array(0);
    else grep.reply(array);
  }

  // Arguments

  private static void checkBound(Call call, int i) {
    if (call.is(i, "-") || call.is(i, "+")) return;
    long unused = ArrayIndex.parse(call, i);
  }

  private static long bound(Call call, int i, RedisArray array) {
    if (call.is(i, "-")) return 0;
    return call.is(i, "+") ? array.length() - 1 : ArrayIndex.parse(call, i);
  }

  /** Reads the arguments; false after replying an error. */
  private boolean parse() {
    for (int i = 4; i < call.argc() && !call.failed(); ) i += option(i);
    if (!call.failed() && conditionArgs.isEmpty()) call.syntaxError();
    for (int i : conditionArgs) if (!call.failed()) addCondition(i);
    return !call.failed();
  }

  /** Reads one option and returns how many arguments it has. */
  private int option(int i) {
    boolean hasValue = i + 1 < call.argc();
    if (hasValue && isCondition(i)) {
      checkCondition(i);
      conditionArgs.add(i);
      return 2;
    }
    if (hasValue && call.is(i, "LIMIT")) {
      limit = ArrayCommands.limit(call, i + 1);
      return 2;
    }
    if (call.is(i, "AND")) needsAll = true;
    else if (call.is(i, "OR")) needsAll = false;
    else if (call.is(i, "WITHVALUES")) withValues = true;
    else if (call.is(i, "NOCASE")) ignoresCase = true;
    else call.syntaxError();
    return 1;
  }

  private boolean isCondition(int i) {
    return call.is(i, "EXACT") || call.is(i, "MATCH") || call.is(i, "GLOB") || call.is(i, "RE");
  }

  private void checkCondition(int i) {
    if (conditionArgs.size() == CONDITIONS_MAX) {
      call.error("ERR too many predicates, maximum is " + CONDITIONS_MAX);
    } else if (call.is(i, "RE") && call.length(i + 1) > REGEX_LENGTH_MAX) {
      call.error("ERR regular expression is too long, maximum is " + REGEX_LENGTH_MAX + " bytes");
    }
  }

  private void addCondition(int i) {
    byte[] pattern = call.arg(i + 1);
    if (call.is(i, "RE")) addRegex(pattern);
    else conditions.add(condition(i, ignoresCase ? lowerCase(pattern) : pattern));
  }

  private void addRegex(byte[] pattern) {
    if (pattern.length == 0) {
      call.error("ERR regular expression is empty");
      return;
    }
    try {
      conditions.add(new ExtendedRegex(pattern, ignoresCase)::find);
    } catch (RegexSyntaxException e) {
      call.error("ERR " + e.getMessage());
    }
  }

  private Condition condition(int i, byte[] pattern) {
    Condition condition;
    if (call.is(i, "GLOB")) condition = new Glob(pattern)::matches;
    else if (call.is(i, "EXACT"))
      condition = (b, o, l) -> l == pattern.length && find(pattern, b, o, l);
    else condition = (b, o, l) -> find(pattern, b, o, l);
    if (!ignoresCase) return condition;
    return (bytes, offset, length) -> {
      byte[] lower = lowerCase(Arrays.copyOfRange(bytes, offset, offset + length));
      return condition.holds(lower, 0, length);
    };
  }

  private static boolean find(byte[] wanted, byte[] bytes, int offset, int length) {
    for (int at = 0; at <= length - wanted.length; at++) {
      int from = offset + at;
      int to = from + wanted.length;
      if (Arrays.equals(bytes, from, to, wanted, 0, wanted.length)) return true;
    }
    return false;
  }

  private static byte[] lowerCase(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] >= 'A' && bytes[i] <= 'Z') bytes[i] |= 0x20;
    }
    return bytes;
  }

  // Reply

  private void reply(RedisArray array) {
    DeferredArray found = new DeferredArray(call.reply());
    array.forEach(
        bound(call, 2, array),
        bound(call, 3, array),
        (index, bytes, offset, length) -> {
          if (matches(bytes, offset, length)) write(found.next(), index, bytes, offset, length);
          return found.count() < limit;
        });
    found.finishArray();
  }

  private boolean matches(byte[] bytes, int offset, int length) {
    for (Condition condition : conditions) {
      if (condition.holds(bytes, offset, length) != needsAll) return !needsAll;
    }
    return needsAll;
  }

  private void write(RespWriter out, long index, byte[] bytes, int offset, int length) {
    if (withValues) out.array(2);
    ArrayIndex.reply(out, index);
    if (withValues) out.bulk(bytes, offset, length);
  }
}
