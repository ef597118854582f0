package dev.kermes.server.data;

/** Doubles in their most frequent notation: some digits, perhaps a point and a minus. */
public final class PlainDouble {

  /** A point and 15 digits: these are below 2^53 and therefore exact as a double. */
  private static final int LENGTH_MAX = 16;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private PlainDouble() {}

  /**
   * The double that up to 15 digits spell, perhaps with a point among them and a minus before them;
   * NaN for any other text. The digits and the power of ten are exact, so that their quotient is
   * the nearest double.
   */
  public static double parse(byte[] bytes, int offset, int length) {
    boolean isNegative = length > 0 && bytes[offset] == '-';
    int start = isNegative ? offset + 1 : offset;
    int end = offset + length;
    if (end - start > LENGTH_MAX) return Double.NaN;
    long digits = 0;
    int count = 0;
    int point = -1;
    for (int i = start; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
        count++;
      } else if (bytes[i] == '.' && point < 0) {
        point = i;
      } else {
        return Double.NaN;
      }
    }
    if (count == 0 || count >= POWERS_OF_TEN.length) return Double.NaN;
    double value = point < 0 ? digits : digits / POWERS_OF_TEN[end - point - 1];
    return isNegative ? -value : value;
  }
}
