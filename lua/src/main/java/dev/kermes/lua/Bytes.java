package dev.kermes.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of messages: each character of a Java string represents one byte. */
final class Bytes {

  private Bytes() {}

  static LuaString text(String text) {
    return LuaString.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static String text(LuaString string) {
    return new String(string.bytes(), StandardCharsets.ISO_8859_1);
  }

  static LuaString join(LuaString a, LuaString b) {
    if (a.length() == 0) return b;
    byte[] joined = Arrays.copyOf(a.bytes(), a.length() + b.length());
    System.arraycopy(b.bytes(), 0, joined, a.length(), b.length());
    return LuaString.of(joined);
  }
}
