package dev.kermes.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The significant decimal digits of a finite number, rounded as in C: {@code 0.d1d2d3... *
 * 10^(exponent + 1)}.
 */
public final class Digits {

  /** Up to this many digits, the shortest text of a number and the number itself round alike. */
  private static final int SHORTEST_DIGITS = 15;

  private final boolean isNegative;
  private final String digits;
  private final int exponent;

  private Digits(boolean isNegative, String digits, int exponent) {
    this.isNegative = isNegative;
    this.digits = digits;
    this.exponent = exponent;
  }

  /** At most {@code count} digits, without zeros at the end. */
  public static Digits shortest(double number, int count) {
    boolean isSubnormal = Math.abs(number) < Double.MIN_NORMAL;
    if (count > SHORTEST_DIGITS || isSubnormal) return exact(number, count).stripped();
    Digits all = ofText(Double.toString(Math.abs(number)), number);
    if (all.digits.length() <= count) return all;
    // The shortest text rounds like the number itself, unless it is exactly half way.
    String rest = all.digits.substring(count);
    if (rest.charAt(0) == '5' && rest.length() == 1) return exact(number, count).stripped();
    return all.rounded(count, rest.charAt(0) >= '5').stripped();
  }

  /** Exactly {@code count} digits, zeros at the end included; at least one. */
  public static Digits exact(double number, int count) {
    if (number == 0) return new Digits(isMinus(number), "0".repeat(count), 0);
    BigDecimal value = new BigDecimal(Math.abs(number));
    BigDecimal rounded = value.round(new MathContext(count, RoundingMode.HALF_EVEN));
    String digits = rounded.unscaledValue().toString();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (digits.length() < count) digits += "0".repeat(count - digits.length());
    return new Digits(isMinus(number), digits.substring(0, count), exponent);
  }

  private static boolean isMinus(double number) {
    return Double.doubleToRawLongBits(number) < 0;
  }

  private static Digits ofText(String text, double number) {
    int e = text.indexOf('E');
    int power = e < 0 ? 0 : Integer.parseInt(text.substring(e + 1));
    String mantissa = e < 0 ? text : text.substring(0, e);
    int point = mantissa.indexOf('.');
    String joined = mantissa.substring(0, point) + mantissa.substring(point + 1);
    int zeros = 0;
    while (zeros < joined.length() - 1 && joined.charAt(zeros) == '0') zeros++;
    return new Digits(isMinus(number), joined.substring(zeros), power + point - 1 - zeros)
        .stripped();
  }

  private Digits rounded(int count, boolean up) {
    if (!up) return new Digits(isNegative, digits.substring(0, count), exponent);
    char[] kept = digits.substring(0, count).toCharArray();
    int i = count - 1;
    while (i >= 0 && kept[i] == '9') kept[i--] = '0';
    if (i < 0) return new Digits(isNegative, "1", exponent + 1);
    kept[i]++;
    return new Digits(isNegative, new String(kept), exponent);
  }

  private Digits stripped() {
    int end = digits.length();
    while (end > 1 && digits.charAt(end - 1) == '0') end--;
    return new Digits(isNegative, digits.substring(0, end), exponent);
  }

  /** Formats as {@code %.<precision>g}: plain for common sizes, otherwise scientific. */
  public String general(int precision) {
    return exponent < -4 || exponent >= precision ? scientific(false) : plain();
  }

  /** Formats as {@code %#g}, which keeps the point. */
  public String generalWithPoint(int precision) {
    String text = exponent < -4 || exponent >= precision ? scientific(true) : plain();
    return text.indexOf('.') < 0 ? text + '.' : text;
  }

  private String plain() {
    StringBuilder text = new StringBuilder(sign());
    if (exponent < 0) {
      return text.append("0.").repeat("0", -exponent - 1).append(digits).toString();
    }
    int whole = exponent + 1;
    if (digits.length() <= whole) {
      return text.append(digits).repeat("0", whole - digits.length()).toString();
    }
    return text.append(digits, 0, whole)
        .append('.')
        .append(digits, whole, digits.length())
        .toString();
  }

  /** Formats as {@code %e}: one digit before the point, at least two of the exponent. */
  public String scientific(boolean keepsPoint) {
    StringBuilder text = new StringBuilder(sign()).append(digits.charAt(0));
    if (digits.length() > 1 || keepsPoint) text.append('.').append(digits, 1, digits.length());
    text.append('e').append(exponent < 0 ? '-' : '+');
    int size = Math.abs(exponent);
    if (size < 10) text.append('0');
    return text.append(size).toString();
  }

  private String sign() {
    return isNegative ? "-" : "";
  }
}
