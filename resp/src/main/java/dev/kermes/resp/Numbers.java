package dev.kermes.resp;

/** Parses and checks numbers as they appear on the wire. Hot path: per digit; no allocation. */
final class Numbers {
  private Numbers() {}

  /** Creates the exception for a malformed number at an index. */
  interface Breach {
    ProtocolException at(String what, int index);
  }

  /**
   * Parses a signed 64-bit integer in [from, to): optional sign, at least one digit, no overflow.
   */
  static long parseLong(byte[] bytes, int from, int to, Breach breach) {
    int i = from;
    boolean isNegative = i < to && bytes[i] == '-';
    if (i < to && (isNegative || bytes[i] == '+')) i++;
    if (i == to || to - i > 19) throw breach.at("not a 64-bit integer", from);
    long value = 0; // negated, since the negative range is the larger one
    for (; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) throw breach.at("not a 64-bit integer", i);
      if (value < -922337203685477580L) throw breach.at("integer overflow", from);
      value = 10 * value - digit;
      if (value > 0) throw breach.at("integer overflow", from);
    }
    if (isNegative) return value;
    if (value == Long.MIN_VALUE) throw breach.at("integer overflow", from);
    return -value;
  }

  /** Whether [from, to) is [+-]digits[.digits][e[+-]digits], inf, or nan with an optional sign. */
  static boolean isDouble(byte[] bytes, int from, int to) {
    int i = from;
    if (i < to && (bytes[i] == '-' || bytes[i] == '+')) i++;
    if (isWord(bytes, i, to, 'i', 'n', 'f') || isWord(bytes, i, to, 'n', 'a', 'n')) return true;
    int afterInteger = digits(bytes, i, to);
    int digitCount = afterInteger - i;
    i = afterInteger;
    if (i < to && bytes[i] == '.') {
      int afterFraction = digits(bytes, i + 1, to);
      digitCount += afterFraction - i - 1;
      i = afterFraction;
    }
    if (digitCount == 0) return false;
    if (i == to) return true;
    if (bytes[i] != 'e' && bytes[i] != 'E') return false;
    i++;
    if (i < to && (bytes[i] == '-' || bytes[i] == '+')) i++;
    return i < to && digits(bytes, i, to) == to;
  }

  /** Whether [from, to) is an optional sign and at least one digit. */
  static boolean isBigNumber(byte[] bytes, int from, int to) {
    int i = from;
    if (i < to && (bytes[i] == '-' || bytes[i] == '+')) i++;
    return i < to && digits(bytes, i, to) == to;
  }

  private static int digits(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] >= '0' && bytes[i] <= '9') i++;
    return i;
  }

  private static boolean isWord(byte[] bytes, int from, int to, char a, char b, char c) {
    return to - from == 3 && bytes[from] == a && bytes[from + 1] == b && bytes[from + 2] == c;
  }
}
