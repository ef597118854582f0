package dev.kermes.server.command;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Numbers as commands accept them. */
final class Numbers {

  /** Redis reads at most so many characters as a double. */
  private static final int DOUBLE_LENGTH_MAX = 5 * 1024;

  /** A point and so many digits: below 2^53, and so exact as a double. */
  private static final int PLAIN_LENGTH_MAX = 16;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private Numbers() {}

  /** The double that the bytes spell, {@code inf} in its forms included; NaN if they spell none. */
  static double parseDouble(byte[] bytes, int offset, int length) {
    double plain = parsePlain(bytes, offset, length);
    return Double.isNaN(plain) ? parseAny(bytes, offset, length) : plain;
  }

  /**
   * Up to 15 digits with a point among them and a minus before them, as nearly all are; NaN if it
   * is anything else. Digits and power of ten are exact, so that their quotient is the nearest
   * double.
   */
  private static double parsePlain(byte[] bytes, int offset, int length) {
    boolean isNegative = length > 0 && bytes[offset] == '-';
    int start = isNegative ? offset + 1 : offset;
    int end = offset + length;
    if (end - start > PLAIN_LENGTH_MAX) return Double.NaN;
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

  private static double parseAny(byte[] bytes, int offset, int length) {
    if (length == 0 || length > DOUBLE_LENGTH_MAX) return Double.NaN;
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      boolean isWordCharacter = b > ' ' && b < 127;
      // Java would accept a trailing type letter, which Redis does not.
      boolean isTypeLetter = i == offset + length - 1 && i > offset && "dD".indexOf(b) >= 0;
      if (!isWordCharacter || isTypeLetter) return Double.NaN;
    }
    double value = parse(bytes, offset, length);
    boolean isOverflow = Double.isInfinite(value) && !isInfinity(bytes, offset, length);
    return isOverflow ? Double.NaN : value;
  }

  /** Whether an argument spells infinity, in one of the forms that C reads. */
  static boolean isInfinity(Call call, int i) {
    return isInfinity(call.bytes(), call.offset(i), call.length(i));
  }

  static boolean isInfinity(byte[] bytes, int offset, int length) {
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
