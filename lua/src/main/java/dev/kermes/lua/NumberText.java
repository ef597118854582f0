package dev.kermes.lua;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Numbers as text and back: C's {@code %.14g}, and the input of C's {@code strtod}. */
public final class NumberText {

  private static final int DIGITS = 14;
  private static final double PLAIN_MAX = 1e14;
  private static final LuaString[] SMALL = small();

  private NumberText() {}

  private static LuaString[] small() {
    LuaString[] texts = new LuaString[256];
    for (int i = 0; i < texts.length; i++) texts[i] = LuaString.of(Integer.toString(i));
    return texts;
  }

  /** The text of a number, as {@code %.14g} writes it. */
  public static LuaString of(double number) {
    int small = (int) number;
    if (small == number && small >= 0 && small < SMALL.length && !isMinusZero(number)) {
      return SMALL[small];
    }
    if (small == number && small != 0 && small != Integer.MIN_VALUE) return integer(small);
    return LuaString.of(text(number).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static LuaString integer(int number) {
    int digits = Math.abs(number);
    int length = number < 0 ? 2 : 1;
    for (int rest = digits; rest >= 10; rest /= 10) length++;
    byte[] text = new byte[length];
    for (int i = length; i > 0 && digits > 0; digits /= 10) text[--i] = (byte) ('0' + digits % 10);
    if (number < 0) text[0] = '-';
    return LuaString.of(text);
  }

  /** Formats as {@code printf("%.14g")}. */
  public static String text(double number) {
    if (number == Math.rint(number) && Math.abs(number) < PLAIN_MAX) {
      return isMinusZero(number) ? "-0" : Long.toString((long) number);
    }
    if (Double.isNaN(number)) {
      return Double.doubleToRawLongBits(number) < 0 ? "-nan" : "nan";
    }
    if (Double.isInfinite(number)) return number > 0 ? "inf" : "-inf";
    return Digits.shortest(number, DIGITS).general(DIGITS);
  }

  private static boolean isMinusZero(double number) {
    return number == 0 && Double.doubleToRawLongBits(number) != 0;
  }

  /**
   * Returns the number that a string spells, null if none: decimal, hexadecimal, with blanks around
   * it.
   */
  public static @Nullable Double parse(LuaString string) {
    return parse(string.bytes());
  }

  /** The number that a text means, or null. */
  public static @Nullable Double parse(byte[] bytes) {
    NumberScanner scanner = new NumberScanner(bytes);
    double number = scanner.number();
    return scanner.isWhole() ? number : null;
  }
}
