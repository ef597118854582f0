package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.Arrays;

/** A growing array of bytes. */
final class ByteBuilder {
  private byte[] bytes = new byte[64];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  void add(int b) {
    if (length == bytes.length) bytes = Arrays.copyOf(bytes, 2 * length);
    bytes[length++] = (byte) b;
  }

  /** Returns the bytes between a start and a number of bytes before the end. */
  LuaString slice(int start, int dropped) {
    return LuaString.of(Arrays.copyOfRange(bytes, start, length - dropped));
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
