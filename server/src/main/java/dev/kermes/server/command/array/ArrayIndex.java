package dev.kermes.server.command.array;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.Slice;

/** Indexes of arrays as arguments and replies: unsigned, 0 to 2^64-2. */
final class ArrayIndex {

  /** The greatest unsigned number, which is not an index. */
  private static final long NONE = -1;

  private static final int DIGITS_MAX = 20;

  private ArrayIndex() {}

  /** Reads an index from an argument; replies an error if it is malformed. */
  static long parse(Call call, int i) {
    long index = parsePosition(call, i);
    if (index == NONE && !call.failed()) invalid(call);
    return index;
  }

  /** Reads an index, or the position after the last index. */
  static long parsePosition(Call call, int i) {
    Slice digits = call.slice(i);
    int length = digits.length();
    long value = 0;
    boolean isValid = length > 0 && length <= DIGITS_MAX;
    for (int at = 0; at < length && isValid; at++) {
      int digit = digits.at(at) - '0';
      isValid = digit >= 0 && digit <= 9 && canTake(value, digit);
      value = value * 10 + digit;
    }
    if (!isValid) invalid(call);
    return value;
  }

  /** Whether one more digit stays within 64 bits. */
  private static boolean canTake(long value, int digit) {
    int order = Long.compareUnsigned(value, Long.divideUnsigned(-1, 10));
    return order < 0 || order == 0 && digit <= Long.remainderUnsigned(-1, 10);
  }

  private static void invalid(Call call) {
    call.error("ERR invalid array index");
  }

  /** Whether every {@code step}-th argument from the given one on is an index. */
  static boolean areValid(Call call, int from, int step) {
    for (int i = from; i < call.argc(); i += step) {
      long unused = parse(call, i);
      if (call.failed()) return false;
    }
    return true;
  }

  static void reply(RespWriter out, long index) {
    if (index >= 0) out.integer(index);
    else out.bigNumber(Long.toUnsignedString(index));
  }
}
