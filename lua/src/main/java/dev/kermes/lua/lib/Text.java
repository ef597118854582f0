package dev.kermes.lua.lib;

import dev.kermes.lua.LuaString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes and texts in which each character represents a byte. */
final class Text {

  private Text() {}

  static LuaString join(LuaString a, LuaString b) {
    byte[] joined = Arrays.copyOf(a.bytes(), a.length() + b.length());
    System.arraycopy(b.bytes(), 0, joined, a.length(), b.length());
    return LuaString.of(joined);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String of(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
