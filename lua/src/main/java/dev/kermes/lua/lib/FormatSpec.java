package dev.kermes.lua.lib;

import dev.kermes.lua.Digits;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Flags, width and precision of one conversion, and C's formatting of numbers with them. */
final class FormatSpec {

  private boolean isLeft;
  private boolean hasPlus;
  private boolean hasBlank;
  private boolean isAlternate;
  private boolean hasZeros;
  int width;

  /** -1 if there is none. */
  int precision = -1;

  boolean addFlag(int c) {
    switch (c) {
      case '-' -> isLeft = true;
      case '+' -> hasPlus = true;
      case ' ' -> hasBlank = true;
      case '#' -> isAlternate = true;
      case '0' -> hasZeros = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Pads a text to the width. */
  String padded(String text) {
    if (text.length() >= width) return text;
    String blanks = " ".repeat(width - text.length());
    return isLeft ? text + blanks : blanks + text;
  }

  /** Pads a number to the width: zeros go between its sign and its digits. */
  void append(ByteArrayOutputStream out, String number) {
    out.writeBytes(Text.bytes(number.length() >= width ? number : inWidth(number)));
  }

  private String inWidth(String number) {
    if (isLeft || !hasZeros) return padded(number);
    int prefix = !number.isEmpty() && "+- ".indexOf(number.charAt(0)) >= 0 ? 1 : 0;
    if (number.startsWith("0x", prefix) || number.startsWith("0X", prefix)) prefix += 2;
    String zeros = "0".repeat(width - number.length());
    return number.substring(0, prefix) + zeros + number.substring(prefix);
  }

  private String sign(boolean isNegative) {
    if (isNegative) return "-";
    return hasPlus ? "+" : hasBlank ? " " : "";
  }

  static String signed(long value, FormatSpec spec) {
    String digits = Long.toString(value).replace("-", "");
    return spec.sign(value < 0) + spec.whole(digits);
  }

  static String unsigned(long value, int conversion, FormatSpec spec) {
    String digits =
        switch (conversion) {
          case 'o' -> Long.toOctalString(value);
          case 'x' -> Long.toHexString(value);
          case 'X' -> Long.toHexString(value).toUpperCase(Locale.ROOT);
          default -> Long.toUnsignedString(value);
        };
    String text = spec.whole(digits);
    if (!spec.isAlternate || conversion == 'u') return text;
    if (conversion == 'o') return text.startsWith("0") ? text : "0" + text;
    return value == 0 ? text : "0" + (char) conversion + text;
  }

  /** Adds digits up to the precision, which also disables zero padding. */
  private String whole(String digits) {
    if (precision < 0) return digits;
    hasZeros = false;
    if (precision == 0 && digits.equals("0")) return "";
    return "0".repeat(Math.max(0, precision - digits.length())) + digits;
  }

  static String floating(double value, int conversion, FormatSpec spec) {
    boolean isNegative = Double.doubleToRawLongBits(value) < 0;
    String text;
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      spec.hasZeros = false;
      text = Double.isNaN(value) ? "nan" : "inf";
    } else {
      text = spec.finite(Math.abs(value), conversion | 32);
    }
    if (conversion < 'a') text = text.toUpperCase(Locale.ROOT);
    return spec.sign(isNegative) + text;
  }

  private String finite(double value, int conversion) {
    int digits = precision < 0 ? 6 : precision;
    if (conversion == 'f') return fixed(value, digits);
    if (conversion == 'e') return Digits.exact(value, digits + 1).scientific(isAlternate);
    int significant = Math.max(1, digits);
    if (isAlternate) return Digits.exact(value, significant).generalWithPoint(significant);
    return Digits.shortest(value, significant).general(significant);
  }

  private String fixed(double value, int digits) {
    String text = new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    return isAlternate && digits == 0 ? text + "." : text;
  }
}
