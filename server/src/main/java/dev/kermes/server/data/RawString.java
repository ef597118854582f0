package dev.kermes.server.data;

import java.util.Arrays;

/**
 * A string that is being written to in place (APPEND, SETRANGE, SETBIT): an array with room to
 * grow, where a {@link Record} would have to be copied whole at each step.
 */
public final class RawString extends Value {

  private byte[] bytes;
  private int length;

  public RawString(byte[] source, int offset, int length) {
    this(source, offset, length, length);
  }

  /** A string of {@code length} bytes with room to grow to {@code newLength}. */
  public RawString(byte[] source, int offset, int length, int newLength) {
    bytes = new byte[newLength <= length ? length : capacityFor(length, newLength)];
    System.arraycopy(source, offset, bytes, 0, length);
    this.length = length;
  }

  /** Fits at first; doubles while small, then adds a megabyte at a time, as in Redis. */
  private static int capacityFor(int capacity, int newLength) {
    int spare = capacity == 0 ? 0 : Math.min(newLength, 1 << 20);
    return (int) Math.min((long) newLength + spare, Integer.MAX_VALUE - 8);
  }

  @Override
  public String type() {
    return "string";
  }

  @Override
  public String encoding() {
    return "raw";
  }

  @Override
  public long size() {
    return length;
  }

  @Override
  public long contentBytes() {
    return 24L + bytes.length;
  }

  @Override
  public RawString copy() {
    return new RawString(bytes, 0, length);
  }

  /** The array; its first {@link #length()} bytes are the string. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Overwrites from {@code at} on, growing with zero bytes as needed. */
  public void write(int at, byte[] source, int offset, int count) {
    growTo(at + count);
    System.arraycopy(source, offset, bytes, at, count);
  }

  /** Puts room for {@code newCount} bytes, of any content, in place of {@code count}. */
  public void splice(int at, int count, int newCount) {
    int tail = length - at - count;
    growTo(length + newCount - count);
    System.arraycopy(bytes, at + count, bytes, at + newCount, tail);
    length = at + newCount + tail;
  }

  /** Makes it at least {@code newLength} bytes long; new bytes are zero. */
  public void growTo(int newLength) {
    if (newLength <= length) return;
    if (newLength > bytes.length) {
      bytes = Arrays.copyOf(bytes, capacityFor(bytes.length, newLength));
    }
    length = newLength;
  }
}
