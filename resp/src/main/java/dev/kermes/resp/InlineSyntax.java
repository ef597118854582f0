package dev.kermes.resp;

/** Blanks and escapes of inline requests. */
final class InlineSyntax {

  private InlineSyntax() {}

  static boolean isBlank(byte b) {
    return b == ' ' || b >= 9 && b <= 13 || b == 0;
  }

  /**
   * Reads the escape sequence at an index, which has at least two bytes, and stores its byte at
   * another; returns the index after it. In single quotes only a single quote is escaped.
   */
  static int readEscape(byte[] bytes, int at, int to, byte quote, int out) {
    byte b = bytes[at + 1];
    if (quote == '\'') {
      bytes[out] = b == quote ? quote : (byte) '\\';
      return b == quote ? at + 2 : at + 1;
    }
    if (b == 'x' && at + 3 < to) {
      int high = Character.digit(bytes[at + 2], 16);
      int low = Character.digit(bytes[at + 3], 16);
      if (high >= 0 && low >= 0) {
        bytes[out] = (byte) (high << 4 | low);
        return at + 4;
      }
    }
    bytes[out] =
        switch (b) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'b' -> '\b';
          case 'a' -> 7;
          default -> b;
        };
    return at + 2;
  }
}
