package dev.kermes.http.internal.syntax;

import java.nio.charset.StandardCharsets;

/** Encodes the text of header blocks. */
public final class Ascii {

  private Ascii() {}

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
