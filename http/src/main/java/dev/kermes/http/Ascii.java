package dev.kermes.http;

import java.nio.charset.StandardCharsets;

/** Text of header blocks as bytes. */
final class Ascii {

  private Ascii() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
