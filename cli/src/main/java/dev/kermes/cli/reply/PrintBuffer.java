package dev.kermes.cli.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.text.WordSplitter;
import java.io.ByteArrayOutputStream;

/** A buffer of bytes to print. */
public final class PrintBuffer extends ByteArrayOutputStream {

  private static final String HEX = "0123456789abcdef";

  PrintBuffer text(String text) {
    return bytes(text.getBytes(UTF_8));
  }

  PrintBuffer bytes(byte[] bytes) {
    write(bytes, 0, bytes.length);
    return this;
  }

  public PrintBuffer character(int c) {
    write(c);
    return this;
  }

  /**
   * Appends text in double quotes, with escapes for unprintable characters; {@link WordSplitter}
   * reads it back.
   */
  public PrintBuffer quoted(byte[] bytes) {
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
  PrintBuffer hexadecimal(byte b) {
    return character(HEX.charAt(b >> 4 & 15)).character(HEX.charAt(b & 15));
  }
}
