package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Bytes to print, collected. */
final class Printed extends ByteArrayOutputStream {

  private static final String HEX = "0123456789abcdef";

  Printed text(String text) {
    return bytes(text.getBytes(UTF_8));
  }

  Printed bytes(byte[] bytes) {
    write(bytes, 0, bytes.length);
    return this;
  }

  Printed character(int c) {
    write(c);
    return this;
  }

  /** In double quotes, with escapes for whatever does not print; {@link Words} reads it back. */
  Printed quoted(byte[] bytes) {
    write('"');
    for (byte b : bytes) escaped(b);
    write('"');
    return this;
  }

  private void escaped(byte b) {
    switch (b) {
      case '\\', '"' -> character('\\').character(b);
      case '\n' -> text("\\n");
      case '\r' -> text("\\r");
      case '\t' -> text("\\t");
      case 7 -> text("\\a");
      case '\b' -> text("\\b");
      default -> {
        if (b >= ' ' && b < 127) write(b);
        else text("\\x").hexadecimal(b);
      }
    }
  }

  /** Two digits. */
  Printed hexadecimal(byte b) {
    return character(HEX.charAt(b >> 4 & 15)).character(HEX.charAt(b & 15));
  }
}
