package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import java.util.Arrays;

/** A growing array of bytes that counts against the memory of the state. */
final class ByteOutput {

  private static final int CHECKED_FROM = 1 << 16;

  private final LuaCall call;
  private byte[] bytes = new byte[64];
  private int length;

  ByteOutput(LuaCall call) {
    this.call = call;
  }

  void add(int b) {
    if (length == bytes.length) grow(1);
    bytes[length++] = (byte) b;
  }

  void add(byte[] more) {
    if (more.length > bytes.length - length) grow(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  void add(String text) {
    for (int i = 0; i < text.length(); i++) add(text.charAt(i));
  }

  /** Appends the lower bytes of a number, the highest one first. */
  void addBig(long value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) add((int) (value >>> shift));
  }

  int length() {
    return length;
  }

  private void grow(int more) {
    long wanted = Math.max((long) length + more, 2L * bytes.length);
    if (wanted > CHECKED_FROM) call.state().reserveString(wanted - bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
