package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;

/** The format of a structure, option by option. */
final class StructFormat {

  private static final int INTEGER_SIZE_MAX = 32;
  private static final int ALIGNMENT_MAX = 8;

  private final LuaCall call;
  private final byte[] format;
  private int at;
  private int option;
  private int size;
  private int padding;
  private int alignment = 1;
  private boolean isLittle = true;

  StructFormat(LuaCall call) {
    this.call = call;
    format = call.bytes(1);
  }

  /** Advances to the next option, given the number of bytes before it; returns false at the end. */
  boolean next(int before) {
    if (peek() == 0) return false;
    option = format[at++] & 0xff;
    size = sizeOfOption();
    padding = paddingAfter(before);
    return true;
  }

  int option() {
    return option;
  }

  int size() {
    return size;
  }

  int padding() {
    return padding;
  }

  boolean isLittle() {
    return isLittle;
  }

  private int peek() {
    return at < format.length ? format[at] & 0xff : 0;
  }

  private int sizeOfOption() {
    return switch (option) {
      case 'b', 'B', 'x' -> 1;
      case 'h', 'H' -> 2;
      case 'f' -> 4;
      case 'l', 'L', 'T', 'd' -> 8;
      case 'c' -> number(1);
      case 'i', 'I' -> integerSize();
      default -> 0;
    };
  }

  private int integerSize() {
    int wanted = number(4);
    if (wanted > INTEGER_SIZE_MAX) {
      throw call.error("integral size " + wanted + " is larger than limit of " + INTEGER_SIZE_MAX);
    }
    return wanted;
  }

  private int number(int otherwise) {
    if (!isDigit(peek())) return otherwise;
    long value = 0;
    while (isDigit(peek())) {
      value = value * 10 + format[at++] - '0';
      if (value > Integer.MAX_VALUE) throw call.error("integral size overflow");
    }
    return (int) value;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private int paddingAfter(int before) {
    if (size == 0 || option == 'c') return 0;
    int unit = Math.min(size, alignment);
    return (unit - (before & (unit - 1))) & (unit - 1);
  }

  /** Whether the option is a letter or digit, which {@link #control} does not handle. */
  boolean isItem() {
    return (option | 32) >= 'a' && (option | 32) <= 'z' || isDigit(option);
  }

  /** Handles an option that changes how the next ones are read. */
  void control() {
    switch (option) {
      case ' ' -> {}
      case '>' -> isLittle = false;
      case '<' -> isLittle = true;
      case '!' -> {
        int wanted = number(ALIGNMENT_MAX);
        if (wanted <= 0 || (wanted & (wanted - 1)) != 0) {
          throw call.error("alignment " + wanted + " is not a power of 2");
        }
        alignment = wanted;
      }
      default -> throw call.argumentError(1, "invalid format option '" + (char) option + "'");
    }
  }
}
