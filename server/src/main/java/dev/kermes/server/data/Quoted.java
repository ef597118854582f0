package dev.kermes.server.data;

/** Bytes as the text of a literal, for MONITOR and for manifests: {@code "a\x00b"}. */
public final class Quoted {

  private Quoted() {}

  public static void append(StringBuilder text, Slice bytes) {
    text.append('"');
    for (int i = 0; i < bytes.length(); i++) append(text, bytes.at(i) & 0xff);
    text.append('"');
  }

  /** Appends one byte, without the quotes. */
  public static void append(StringBuilder text, int b) {
    switch (b) {
      case '\\', '"' -> text.append('\\').append((char) b);
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      case 7 -> text.append("\\a");
      case '\b' -> text.append("\\b");
      default -> {
        if (b >= ' ' && b <= '~') text.append((char) b);
        else text.append("\\x").append("%02x".formatted(b));
      }
    }
  }
}
