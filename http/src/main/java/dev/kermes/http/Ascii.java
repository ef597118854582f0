package dev.kermes.http;

import java.nio.charset.StandardCharsets;

/** Encodes the text of header blocks. */
final class Ascii {

  private Ascii() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
