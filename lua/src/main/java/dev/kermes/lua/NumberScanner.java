package dev.kermes.lua;

import java.nio.charset.StandardCharsets;

/**
 * Reads a number from the start of bytes as C's {@code strtod} and {@code strtoul} do. A zero byte
 * ends the text.
 */
public final class NumberScanner {

  private static final int EXPONENT_MAX = 100_000;

  private final byte[] bytes;
  private int at;
  private boolean isFound;

  /** Creates a scanner that begins at the first of the bytes. */
  public NumberScanner(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Whether there was a number, with only blanks after it. */
  public boolean isWhole() {
    if (!isFound) return false;
    skipBlanks();
    return peek(0) == 0;
  }

  /** Whether there was a number, whatever follows it. */
  public boolean isFound() {
    return isFound;
  }

  /** One past the number. */
  public int position() {
    return at;
  }

  private int peek(int ahead) {
    int i = at + ahead;
    return i < bytes.length ? bytes[i] & 0xff : 0;
  }

  private void skipBlanks() {
    while (peek(0) == ' ' || peek(0) >= 9 && peek(0) <= 13) at++;
  }

  private boolean skipSign() {
    boolean minus = peek(0) == '-';
    if (minus || peek(0) == '+') at++;
    return minus;
  }

  /** Decimal or hexadecimal, with fraction and exponent, infinity, nan. */
  public double number() {
    skipBlanks();
    boolean minus = skipSign();
    double size = unsigned();
    return minus ? -size : size;
  }

  private double unsigned() {
    if (isHexadecimal()) return hexadecimal();
    if (isWord("inf")) {
      skipWord(isWord("infinity") ? 8 : 3);
      return Double.POSITIVE_INFINITY;
    }
    if (isWord("nan")) {
      skipWord(3);
      return Double.NaN;
    }
    return decimal();
  }

  private boolean isHexadecimal() {
    if (peek(0) != '0' || (peek(1) | 32) != 'x') return false;
    return digit(peek(2), 16) >= 0 || peek(2) == '.' && digit(peek(3), 16) >= 0;
  }

  private boolean isWord(String word) {
    for (int i = 0; i < word.length(); i++) {
      if ((peek(i) | 32) != word.charAt(i)) return false;
    }
    return true;
  }

  private void skipWord(int length) {
    at += length;
    isFound = true;
  }

  private double decimal() {
    int start = at;
    long small = 0;
    for (; digit(peek(0), 10) >= 0; at++) small = small * 10 + digit(peek(0), 10);
    return decimalFrom(start, small);
  }

  private double decimalFrom(int start, long small) {
    int digits = at - start;
    boolean isPlain = peek(0) != '.' && (peek(0) | 32) != 'e';
    if (peek(0) == '.') {
      at++;
      while (digit(peek(0), 10) >= 0) {
        at++;
        digits++;
      }
    }
    if (digits == 0) return 0;
    isFound = true;
    if (isPlain && digits <= 18) return small;
    skipExponent('e');
    return Double.parseDouble(new String(bytes, start, at - start, StandardCharsets.ISO_8859_1));
  }

  private int skipExponent(int letter) {
    if ((peek(0) | 32) != letter) return 0;
    int sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
    if (digit(peek(1 + sign), 10) < 0) return 0;
    boolean minus = peek(1) == '-';
    at += 1 + sign;
    int exponent = 0;
    for (; digit(peek(0), 10) >= 0; at++) {
      exponent = Math.min(EXPONENT_MAX, exponent * 10 + digit(peek(0), 10));
    }
    return minus ? -exponent : exponent;
  }

  private double hexadecimal() {
    isFound = true;
    at += 2;
    int start = at;
    while (digit(peek(0), 16) >= 0) at++;
    if (peek(0) == '.') {
      at++;
      while (digit(peek(0), 16) >= 0) at++;
    }
    String digits = new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    int exponent = skipExponent('p');
    return Double.parseDouble("0x" + digits + "p" + exponent);
  }

  /**
   * Scans an integer of a base as {@code strtoul} does: negative ones wrap around, large ones are
   * clamped.
   */
  public double unsignedLong(int base) {
    skipBlanks();
    boolean minus = skipSign();
    if (base == 16 && isHexadecimal() && digit(peek(2), 16) >= 0) at += 2;
    long value = 0;
    boolean overflows = false;
    for (int d = digit(peek(0), base); d >= 0; d = digit(peek(0), base)) {
      isFound = true;
      at++;
      if (Long.compareUnsigned(value, Long.divideUnsigned(-1L - d, base)) > 0) overflows = true;
      value = value * base + d;
    }
    if (overflows) return toDouble(-1L);
    return toDouble(minus ? -value : value);
  }

  private static double toDouble(long unsigned) {
    if (unsigned >= 0) return unsigned;
    return ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
  }

  private static int digit(int c, int base) {
    int value =
        c >= '0' && c <= '9'
            ? c - '0'
            : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
    return value < base ? value : -1;
  }
}
