package dev.kermes.resp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Converts numbers to and from the decimal text that Redis uses. Per byte; no allocation for longs.
 */
public final class Decimals {

  private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] LONG_MAX = "9223372036854775807".getBytes(StandardCharsets.US_ASCII);

  /** 10 to the power of the index; counting digits by division was 3 % of an INCR. */
  private static final long[] POWERS = new long[LONG_MAX.length];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) POWERS[i] = 10 * POWERS[i - 1];
  }

  private static final VarHandle PAIR =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  /** The two digits of the index. */
  private static final short[] PAIRS = new short[100];

  static {
    for (int i = 0; i < PAIRS.length; i++) PAIRS[i] = (short) ('0' + i / 10 << 8 | '0' + i % 10);
  }

  /**
   * Above it, doubles are so close together that a number with one digit less is a different
   * double.
   */
  private static final double TWO_DIGITS_MAX = 1e-321;

  /** From 1e-3 to 1e7, Java writes the same plain notation. */
  private static final double PLAIN_MIN = 1e-3;

  private static final double PLAIN_MAX = 1e7;

  private Decimals() {}

  /** The number of characters of {@code value}, sign included. */
  public static int length(long value) {
    if (value == Long.MIN_VALUE) return LONG_MIN.length;
    long magnitude = Math.abs(value);
    // 1233 / 4096 approximates log10(2): this many digits, or one more.
    int few = (Long.SIZE - Long.numberOfLeadingZeros(magnitude)) * 1233 >> 12;
    int digits = magnitude < POWERS[few] ? Math.max(1, few) : few + 1;
    return value < 0 ? digits + 1 : digits;
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
    for (; rest > Integer.MAX_VALUE; rest /= 100) PAIR.set(out, i -= 2, PAIRS[(int) (rest % 100)]);
    int few = (int) rest; // divisions of ints are faster
    for (; few >= 100; few /= 100) PAIR.set(out, i -= 2, PAIRS[few % 100]);
    if (few >= 10) PAIR.set(out, i - 2, PAIRS[few]);
    else out[i - 1] = (byte) ('0' + few);
    return end;
  }

  /**
   * Whether the bytes are the canonical text of a long: no plus sign, no leading zero, no space, in
   * range. Redis's string2ll.
   */
  public static boolean isLong(byte[] bytes, int offset, int length) {
    if (length == 0) return false;
    int end = offset + length;
    boolean isNegative = bytes[offset] == '-';
    int from = isNegative ? offset + 1 : offset;
    int digits = end - from;
    if (digits == 0 || digits > LONG_MAX.length) return false;
    if (bytes[from] == '0') return digits == 1 && !isNegative;
    for (int i = from; i < end; i++) if (bytes[i] < '0' || bytes[i] > '9') return false;
    if (digits < LONG_MAX.length) return true;
    byte[] limit = isNegative ? LONG_MIN : LONG_MAX;
    return Arrays.compare(bytes, from, end, limit, limit.length - digits, limit.length) <= 0;
  }

  /** Parses a long; the bytes must satisfy {@link #isLong}. */
  public static long parseLong(byte[] bytes, int offset, int length) {
    boolean negative = bytes[offset] == '-';
    long value = 0;
    for (int i = negative ? offset + 1 : offset; i < offset + length; i++) {
      value = value * 10 - (bytes[i] - '0');
    }
    return negative ? value : -value;
  }

  /** Returns the shortest text that parses to {@code value}: at most 17 significant digits. */
  public static String format(double value) {
    if (Double.isNaN(value)) return "nan";
    if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
    double magnitude = Math.abs(value);
    if (value == Math.rint(value) && magnitude < 1e15) return integral(value);
    if (magnitude >= PLAIN_MIN && magnitude < PLAIN_MAX) return Double.toString(value);
    BigDecimal exact = shortest(value);
    int exponent = exact.precision() - exact.scale() - 1;
    if (exponent >= -5 && exponent < 17) return exact.toPlainString();
    return scientific(exact, exponent);
  }

  /** Double.toString writes at least two digits, but the smallest numbers need only one. */
  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (Math.abs(value) > TWO_DIGITS_MAX || exact.precision() == 1) return exact;
    BigDecimal digit = exact.round(new MathContext(1));
    return digit.doubleValue() == value ? digit : exact;
  }

  private static String integral(double value) {
    if (value == 0 && 1 / value < 0) return "-0";
    return Long.toString((long) value);
  }

  /** Formats as C's printf does: {@code 1e+20}, {@code 1.5e-07}. */
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
