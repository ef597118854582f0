package dev.kermes.server.command;

import dev.kermes.server.data.PlainDouble;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The formats of numbers that commands accept. */
public final class Numbers {

  /** The longest text that Redis reads as a double. */
  private static final int DOUBLE_LENGTH_MAX = 5 * 1024;

  private Numbers() {}

  /**
   * The double that the bytes spell, all forms of {@code inf} included; NaN for a malformed text or
   * a number beyond the range of doubles.
   */
  public static double parseDouble(byte[] bytes, int offset, int length) {
    double plain = PlainDouble.parse(bytes, offset, length);
    return Double.isNaN(plain) ? withinRange(bytes, offset, length) : plain;
  }

  private static double withinRange(byte[] bytes, int offset, int length) {
    double value = parseAny(bytes, offset, length);
    boolean isOverflow = Double.isInfinite(value) && !isInfinity(bytes, offset, length);
    boolean isUnderflow = value == 0 && hasValue(bytes, offset, length);
    return isOverflow || isUnderflow ? Double.NaN : value;
  }

  /**
   * The bound of a range that the bytes spell; a number beyond the range of doubles is infinite.
   */
  public static double parseBound(byte[] bytes, int offset, int length) {
    double plain = PlainDouble.parse(bytes, offset, length);
    return Double.isNaN(plain) ? parseAny(bytes, offset, length) : plain;
  }

  private static double parseAny(byte[] bytes, int offset, int length) {
    if (length == 0 || length > DOUBLE_LENGTH_MAX) return Double.NaN;
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      boolean isWordCharacter = b > ' ' && b < 127;
      // Java would accept a trailing type letter; Redis does not.
      boolean isTypeLetter = i == offset + length - 1 && i > offset && "dD".indexOf(b) >= 0;
      if (!isWordCharacter || isTypeLetter) return Double.NaN;
    }
    return parse(bytes, offset, length);
  }

  /** Whether a digit other than 0 precedes the exponent. */
  private static boolean hasValue(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if ((bytes[i] | 0x20) == 'e') return false;
      if (bytes[i] >= '1' && bytes[i] <= '9') return true;
    }
    return false;
  }

  /** Whether an argument spells infinity, in one of the forms that C reads. */
  public static boolean isInfinity(Call call, int i) {
    return isInfinity(call.bytes(), call.offset(i), call.length(i));
  }

  public static boolean isInfinity(byte[] bytes, int offset, int length) {
    int at = length > 0 && (bytes[offset] == '-' || bytes[offset] == '+') ? offset + 1 : offset;
    return length > 2
        && (bytes[at] | 0x20) == 'i'
        && Double.isInfinite(parse(bytes, offset, length));
  }

  private static double parse(byte[] bytes, int offset, int length) {
    String text =
        new String(bytes, offset, length, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    return switch (text) {
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> parseFinite(text);
    };
  }

  private static double parseFinite(String text) {
    try {
      boolean isHex = text.contains("0x");
      if (!isHex && text.endsWith("f")) return Double.NaN;
      return Double.parseDouble(isHex && text.indexOf('p') < 0 ? text + "p0" : text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
