package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaValues;
import java.io.ByteArrayOutputStream;

/** {@code string.format}: C's printf. */
final class StringFormat {

  private static final int UNCUT_LENGTH = 100;

  private final LuaCall call;
  private final byte[] format;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int at;
  private int argument = 1;

  private StringFormat(LuaCall call) {
    this.call = call;
    format = call.bytes(1);
  }

  static void format(LuaCall call) {
    call.pushFresh(new StringFormat(call).run());
  }

  private byte[] run() {
    while (at < format.length) {
      byte b = format[at++];
      if (b != '%') {
        out.write(b);
      } else if (peek() == '%') {
        out.write('%');
        at++;
      } else {
        convert();
      }
    }
    return out.toByteArray();
  }

  private int peek() {
    return at < format.length ? format[at] & 0xff : 0;
  }

  private void convert() {
    if (++argument > call.count()) throw call.argumentError(argument, "no value");
    FormatSpec spec = spec();
    int conversion = peek();
    at++;
    switch (conversion) {
      case 'c' -> character(spec);
      case 'd', 'i' -> spec.append(out, FormatSpec.signed(call.integer(argument), spec));
      case 'o', 'u', 'x', 'X' ->
          spec.append(out, FormatSpec.unsigned(unsigned(), conversion, spec));
      case 'e', 'E', 'f', 'g', 'G' ->
          spec.append(out, FormatSpec.floating(call.number(argument), conversion, spec));
      case 'q' -> quote(call.bytes(argument));
      case 's' -> text(spec, call.bytes(argument));
      default -> {
        String shown = conversion == 0 ? "" : "" + (char) conversion;
        throw call.error("invalid option '%" + shown + "' to 'format'");
      }
    }
  }

  private FormatSpec spec() {
    FormatSpec spec = new FormatSpec();
    int start = at;
    while (spec.addFlag(peek())) at++;
    if (at - start > 5) throw call.error("invalid format (repeated flags)");
    spec.width = digits();
    if (peek() == '.') {
      at++;
      spec.precision = digits();
    }
    if (isDigit(peek())) throw call.error("invalid format (width or precision too long)");
    return spec;
  }

  private int digits() {
    int value = 0;
    for (int i = 0; i < 2 && isDigit(peek()); i++) value = value * 10 + format[at++] - '0';
    return value;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private void character(FormatSpec spec) {
    int c = (int) call.number(argument) & 0xff;
    String text = "" + (char) c;
    spec.precision = -1;
    String padded = spec.padded(text);
    int zero = padded.indexOf('\0');
    out.writeBytes(Text.bytes(zero < 0 ? padded : padded.substring(0, zero)));
  }

  private long unsigned() {
    double number = call.number(argument);
    return number >= 0x1p63 && number < 0x1p64
        ? (long) (number - 0x1p63) ^ Long.MIN_VALUE
        : LuaValues.toInteger(number);
  }

  /** Long strings are appended unchanged; others end at a zero byte, as in C. */
  private void text(FormatSpec spec, byte[] bytes) {
    if (spec.precision < 0 && bytes.length >= UNCUT_LENGTH) {
      out.writeBytes(bytes);
      return;
    }
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) length++;
    if (spec.precision >= 0) length = Math.min(length, spec.precision);
    out.writeBytes(Text.bytes(spec.padded(Text.of(bytes).substring(0, length))));
  }

  private void quote(byte[] bytes) {
    out.write('"');
    for (byte b : bytes) {
      switch (b) {
        case '"', '\\', '\n' -> {
          out.write('\\');
          out.write(b);
        }
        case '\r' -> out.writeBytes(LuaString.of("\\r").bytes());
        case 0 -> out.writeBytes(LuaString.of("\\000").bytes());
        default -> out.write(b);
      }
    }
    out.write('"');
  }
}
