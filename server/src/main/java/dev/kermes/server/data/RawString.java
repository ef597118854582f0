package dev.kermes.server.data;

import java.util.Arrays;

/**
 * A string that is being written to in place (APPEND, SETRANGE, SETBIT): an array with room to
 * grow, where a {@link Record} would have to be copied whole at each step.
 *
 * <pre>
 *   |bytes: length                 |room|
 *   |head: a record's value, as long as nothing but APPEND has come| |bytes: the rest    |room|
 * </pre>
 *
 * A large string is never copied to be replied: its arrays are lent to the reply, and the one that
 * may change is copied by the next write, in {@link #own()}.
 */
public final class RawString extends Value {

  private static final byte[] EMPTY = {};

  private byte[] head = EMPTY;
  private int headOffset;
  private int headLength;
  private byte[] bytes;
  private int length;
  private boolean isLent;

  public RawString(byte[] source, int offset, int length) {
    this(source, offset, length, length);
  }

  /** A string of {@code length} bytes with room to grow to {@code newLength}. */
  public RawString(byte[] source, int offset, int length, int newLength) {
    bytes = new byte[newLength <= length ? length : capacityFor(length, newLength)];
    System.arraycopy(source, offset, bytes, 0, length);
    this.length = length;
  }

  private RawString(byte[] head, int headOffset, int headLength, byte[] rest) {
    this.head = head;
    this.headOffset = headOffset;
    this.headLength = headLength;
    bytes = rest;
    length = headLength + rest.length;
  }

  /** A string that begins with bytes that never change, and is appended to. */
  public static RawString after(byte[] head, int offset, int length) {
    return new RawString(head, offset, length, EMPTY);
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
    return 24L + headLength + bytes.length;
  }

  @Override
  public RawString copy() {
    return new RawString(head, headOffset, headLength, Arrays.copyOf(bytes, restLength()));
  }

  /** The array; its first {@link #length()} bytes are the string. */
  public byte[] bytes() {
    if (headLength > 0) join();
    return bytes;
  }

  public int length() {
    return length;
  }

  // In two parts

  /** An array in which {@link #headLength()} bytes from {@link #headOffset()} on never change. */
  public byte[] head() {
    return head;
  }

  public int headOffset() {
    return headOffset;
  }

  public int headLength() {
    return headLength;
  }

  /** What follows the head, {@link #restLength()} bytes, which do not change from now on. */
  public byte[] lendRest() {
    isLent = true;
    return bytes;
  }

  /** The same for those who use it at once. */
  public byte[] rest() {
    return bytes;
  }

  public int restLength() {
    return length - headLength;
  }

  private void join() {
    byte[] whole = new byte[capacityFor(headLength, length)];
    System.arraycopy(head, headOffset, whole, 0, headLength);
    System.arraycopy(bytes, 0, whole, headLength, restLength());
    bytes = whole;
    head = EMPTY;
    headLength = 0;
    isLent = false;
  }

  // Writing

  /** Must be called before bytes that are there may change. */
  public void own() {
    if (isLent) bytes = bytes.clone();
    isLent = false;
  }

  /** Appends, without a copy of what is there. */
  public void append(byte[] source, int offset, int count) {
    int restLength = restLength();
    if (restLength + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, capacityFor(bytes.length, restLength + count));
      isLent = false;
    }
    System.arraycopy(source, offset, bytes, restLength, count);
    length += count;
  }

  /** Overwrites from {@code at} on, growing with zero bytes as needed. */
  public void write(int at, byte[] source, int offset, int count) {
    growTo(at + count);
    System.arraycopy(source, offset, bytes(), at, count);
  }

  /** Puts room for {@code newCount} bytes, of any content, in place of {@code count}. */
  public void splice(int at, int count, int newCount) {
    int tail = length - at - count;
    growTo(length + newCount - count);
    System.arraycopy(bytes(), at + count, bytes, at + newCount, tail);
    length = at + newCount + tail;
  }

  /** Makes it at least {@code newLength} bytes long; new bytes are zero. */
  public void growTo(int newLength) {
    if (newLength <= length) return;
    if (newLength > bytes().length) {
      bytes = Arrays.copyOf(bytes, capacityFor(bytes.length, newLength));
      isLent = false;
    }
    length = newLength;
  }
}
