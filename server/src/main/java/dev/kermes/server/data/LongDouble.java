package dev.kermes.server.data;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The 80-bit floating point numbers of C's {@code long double}, which INCRBYFLOAT and HINCRBYFLOAT
 * compute with. Every result is rounded to 64 significant bits, so that its text is the same as in
 * Redis.
 */
public final class LongDouble {

  private static final int SIGNIFICANT_BITS = 64;

  /** The largest number, 2^16384 - 2^16320. */
  public static final BigDecimal MAX =
      new BigDecimal(BigInteger.ONE.shiftLeft(16384).subtract(BigInteger.ONE.shiftLeft(16320)));

  /** Redis reads and writes fewer characters than this. */
  private static final int LENGTH_MAX = 5 * 1024;

  /** The decimal exponents of the largest and the smallest number. */
  private static final int EXPONENT_MAX = 4932;

  private static final int EXPONENT_MIN = -4951;
  private static final int FRACTION_DIGITS = 17;

  private static final Pattern HEXADECIMAL =
      Pattern.compile(
          "([-+]?)0x(\\p{XDigit}*)(?:\\.(\\p{XDigit}*))?(?:p([-+]?\\d{1,5}))?",
          Pattern.CASE_INSENSITIVE);

  private LongDouble() {}

  /**
   * The number that the bytes spell; null if it is malformed or out of range, as infinities are.
   */
  public static @Nullable BigDecimal parse(byte[] bytes, int offset, int length) {
    if (length == 0 || length >= LENGTH_MAX) return null;
    if (isHexadecimal(bytes, offset, length)) return parseHexadecimal(bytes, offset, length);
    for (int i = offset; i < offset + length; i++) if (!isNumeric(bytes[i])) return null;
    try {
      String text = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
      BigDecimal value = new BigDecimal(text);
      return isInRange(value) ? round(value) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isHexadecimal(byte[] bytes, int offset, int length) {
    int at = bytes[offset] == '-' || bytes[offset] == '+' ? 1 : 0;
    return length > at + 2 && bytes[offset + at] == '0' && (bytes[offset + at + 1] | 0x20) == 'x';
  }

  /**
   * Parses a number such as {@code -0x1.8p-3}: a hexadecimal fraction and a power of two after the
   * p.
   */
  private static @Nullable BigDecimal parseHexadecimal(byte[] bytes, int offset, int length) {
    Matcher parts =
        HEXADECIMAL.matcher(new String(bytes, offset, length, StandardCharsets.ISO_8859_1));
    if (!parts.matches()) return null;
    String fraction = Objects.requireNonNullElse(parts.group(3), "");
    String digits = parts.group(2) + fraction;
    if (digits.isEmpty()) return null;
    BigDecimal mantissa = new BigDecimal(new BigInteger(digits, 16));
    if (mantissa.signum() == 0) return BigDecimal.ZERO;
    int exponent = Integer.parseInt(Objects.requireNonNullElse(parts.group(4), "0"));
    BigDecimal value = shift(mantissa, exponent - 4 * fraction.length());
    if (!isInRange(value)) return null;
    return round(parts.group(1).equals("-") ? value.negate() : value);
  }

  private static boolean isNumeric(byte b) {
    return b >= '0' && b <= '9' || b == '.' || b == '-' || b == '+' || b == 'e' || b == 'E';
  }

  private static boolean isInRange(BigDecimal value) {
    if (value.signum() == 0) return true;
    long exponent = (long) value.precision() - value.scale() - 1;
    return exponent >= EXPONENT_MIN
        && (exponent < EXPONENT_MAX || exponent == EXPONENT_MAX && value.abs().compareTo(MAX) <= 0);
  }

  /** The sum, or null if it is out of range. */
  public static @Nullable BigDecimal add(BigDecimal a, BigDecimal b) {
    BigDecimal sum = a.add(b);
    if (sum.signum() == 0) return BigDecimal.ZERO;
    return isInRange(sum) ? round(sum) : null;
  }

  /** The text with up to 17 digits after the point and without trailing zeros. */
  public static String format(BigDecimal value) {
    boolean isShort = value.scale() <= FRACTION_DIGITS;
    BigDecimal rounded = isShort ? value : value.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** The text with up to 17 significant digits, and an exponent if it is very large or small. */
  public static String formatShort(BigDecimal value) {
    BigDecimal rounded = value.round(new MathContext(FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    if (rounded.signum() == 0) return "0";
    BigDecimal stripped = rounded.stripTrailingZeros();
    int exponent = stripped.precision() - stripped.scale() - 1;
    if (exponent >= -4 && exponent < FRACTION_DIGITS) return stripped.toPlainString();
    String sign = exponent < 0 ? "-" : "+";
    String digits = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    return stripped.movePointLeft(exponent).toPlainString() + "e" + sign + digits;
  }

  /** Rounds to the nearest number with 64 significant bits. */
  public static BigDecimal round(BigDecimal value) {
    if (value.signum() == 0) return BigDecimal.ZERO;
    if (isExact(value)) return value;
    int shift = SIGNIFICANT_BITS - 1 - binaryExponent(value);
    BigDecimal scaled = shift(value, shift);
    BigInteger mantissa = scaled.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
    return shift(new BigDecimal(mantissa), -shift);
  }

  /**
   * Whether a number is seen to need no rounding: an integer of up to 18 digits over a power of
   * two. Most numbers that clients count with are, and to round one takes some microseconds.
   */
  private static boolean isExact(BigDecimal value) {
    int scale = value.scale();
    if (scale < 0 || scale >= POWERS_OF_FIVE.length || value.precision() > 18) return false;
    return value.unscaledValue().longValue() % POWERS_OF_FIVE[scale] == 0;
  }

  private static final long[] POWERS_OF_FIVE = new long[FRACTION_DIGITS + 1];

  static {
    POWERS_OF_FIVE[0] = 1;
    for (int i = 1; i < POWERS_OF_FIVE.length; i++) POWERS_OF_FIVE[i] = 5 * POWERS_OF_FIVE[i - 1];
  }

  /** The exponent e for which the magnitude is at least 2^e and less than 2^(e + 1). */
  private static int binaryExponent(BigDecimal value) {
    BigDecimal magnitude = value.abs();
    int guess = (int) Math.floor((magnitude.precision() - magnitude.scale() - 1) * LOG2_OF_10);
    while (magnitude.compareTo(shift(BigDecimal.ONE, guess + 1)) >= 0) guess++;
    while (magnitude.compareTo(shift(BigDecimal.ONE, guess)) < 0) guess--;
    return guess;
  }

  private static final double LOG2_OF_10 = 3.321928094887362;

  /** The value times 2^bits, exactly. */
  private static BigDecimal shift(BigDecimal value, int bits) {
    if (bits >= 0) return value.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(bits)));
    BigDecimal half = new BigDecimal("0.5");
    return value.multiply(half.pow(-bits, MathContext.UNLIMITED));
  }
}
