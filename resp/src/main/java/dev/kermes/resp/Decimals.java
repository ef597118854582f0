package dev.kermes.resp;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Numbers as the decimal text that Redis reads and writes. Per byte; no allocation for longs. */
public final class Decimals {

  private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  private Decimals() {}

  /** Digits of {@code value} with its sign. */
  public static int length(long value) {
    if (value == Long.MIN_VALUE) return LONG_MIN.length;
    int length = value < 0 ? 2 : 1;
    for (long rest = Math.abs(value) / 10; rest != 0; rest /= 10) length++;
    return length;
  }

  /** Writes {@code value} at {@code at} and returns the index after its last digit. */
  public static int put(byte[] out, int at, long value) {
    if (value >= 0 && value < 10) {
      out[at] = (byte) ('0' + value);
      return at + 1;
    }
    if (value >= 10 && value < 1000) return putThreeAtMost(out, at, (int) value);
    return putAny(out, at, value);
  }

  private static int putThreeAtMost(byte[] out, int at, int value) {
    if (value >= 100) {
      out[at++] = (byte) ('0' + value / 100);
      value %= 100;
      out[at++] = (byte) ('0' + value / 10);
    } else {
      out[at++] = (byte) ('0' + value / 10);
    }
    out[at++] = (byte) ('0' + value % 10);
    return at;
  }

  private static int putAny(byte[] out, int at, long value) {
    if (value == Long.MIN_VALUE) {
      System.arraycopy(LONG_MIN, 0, out, at, LONG_MIN.length);
      return at + LONG_MIN.length;
    }
    int end = at + length(value);
    if (value < 0) out[at] = '-';
    int i = end;
    long rest = Math.abs(value);
    do {
      out[--i] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    return end;
  }

  /**
   * Whether the bytes are the one canonical text of a long: no plus, no leading zero, no space, in
   * range. Redis's string2ll.
   */
  public static boolean isLong(byte[] bytes, int offset, int length) {
    if (length == 0 || length > 20) return false;
    int i = offset;
    int end = offset + length;
    boolean negative = bytes[i] == '-';
    if (negative && ++i == end) return false;
    int first = bytes[i] - '0';
    if (first == 0) return end - i == 1 && !negative;
    if (first < 1 || first > 9) return false;
    long value = -first;
    for (i++; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) return false;
      if (value < Long.MIN_VALUE / 10) return false;
      value *= 10;
      if (value < Long.MIN_VALUE + digit) return false;
      value -= digit;
    }
    return negative || value != Long.MIN_VALUE;
  }

  /** The long that the bytes spell; they must satisfy {@link #isLong}. */
  public static long parseLong(byte[] bytes, int offset, int length) {
    boolean negative = bytes[offset] == '-';
    long value = 0;
    for (int i = negative ? offset + 1 : offset; i < offset + length; i++) {
      value = value * 10 - (bytes[i] - '0');
    }
    return negative ? value : -value;
  }

  /** The shortest text that reads back as {@code value}: 17 significant digits at most. */
  public static String format(double value) {
    if (Double.isNaN(value)) return "nan";
    if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
    if (value == Math.rint(value) && Math.abs(value) < 1e15) return integral(value);
    BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    if (exponent >= -5 && exponent < 17) return exact.toPlainString();
    return scientific(exact, exponent);
  }

  private static String integral(double value) {
    if (value == 0 && 1 / value < 0) return "-0";
    return Long.toString((long) value);
  }

  /** As C prints it: {@code 1e+20}, {@code 1.5e-07}. */
  private static String scientific(BigDecimal value, int exponent) {
    String digits = value.unscaledValue().abs().toString();
    StringBuilder text = new StringBuilder(digits.length() + 8);
    if (value.signum() < 0) text.append('-');
    text.append(digits.charAt(0));
    if (digits.length() > 1) text.append('.').append(digits, 1, digits.length());
    text.append('e').append(exponent < 0 ? '-' : '+');
    int size = Math.abs(exponent);
    if (size < 10) text.append('0');
    return text.append(size).toString();
  }
}
