package dev.kermes.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A Lua string: any bytes, immutable. The array is not copied, so neither its supplier nor its
 * readers may change it.
 */
public final class LuaString implements Comparable<LuaString> {

  /** The empty string. */
  public static final LuaString EMPTY = new LuaString(new byte[0]);

  private final byte[] bytes;
  private int hash; // 0 until it is needed
  int mark;

  private LuaString(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A string of these bytes, which must not change afterwards. */
  public static LuaString of(byte[] bytes) {
    return new LuaString(bytes);
  }

  /** The UTF-8 bytes of a text. */
  public static LuaString of(String text) {
    return new LuaString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Its bytes, which must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** The number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** The bytes from {@code start} up to, not including, {@code end}. */
  public LuaString slice(int start, int end) {
    if (start == 0 && end == bytes.length) return this;
    return start == end ? EMPTY : new LuaString(Arrays.copyOfRange(bytes, start, end));
  }

  /** Whether both are equal; for keys, whose hashes are already computed. */
  boolean isSame(LuaString other) {
    return this == other || hashCode() == other.hashCode() && Arrays.equals(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || other instanceof LuaString string && Arrays.equals(bytes, string.bytes);
  }

  /** The hash function of Lua 5.1, so that tables are traversed in the same order. */
  @Override
  public int hashCode() {
    return hash != 0 ? hash : computeHash();
  }

  /** The hash if it has been computed, else 0. */
  int knownHash() {
    return hash;
  }

  private int computeHash() {
    int h = bytes.length;
    int step = (h >> 5) + 1;
    for (int i = bytes.length; i >= step; i -= step) {
      h ^= (h << 5) + (h >>> 2) + (bytes[i - 1] & 0xff);
    }
    hash = h;
    return h;
  }

  /** Byte by byte, as in the C locale. */
  @Override
  public int compareTo(LuaString other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  /** Returns the text, if the bytes are UTF-8. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
