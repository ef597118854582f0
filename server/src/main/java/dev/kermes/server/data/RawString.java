package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A string that is modified in place (APPEND, SETRANGE, SETBIT). It is an array with room to grow,
 * where a {@link Record} would have to be copied whole at each step. Or it is two arrays, so that a
 * large string is not copied when it is first modified, and not when it grows.
 *
 * <pre>
 *   |bytes: length                 |room|
 *   |head: a record's value, or what a client sent| |bytes: the rest    |room|
 * </pre>
 *
 * A large string is never copied for a reply. Its arrays are lent to the reply, and a write copies
 * only the array that it changes. A record's value counts as lent.
 */
public final class RawString extends Value {

  private static final byte[] EMPTY = {};

  /** 1 MB: a copy of this size takes about 0.1 ms, during which other clients wait. */
  public static final int LARGE_LENGTH_MIN = 1 << 20;

  private byte[] head = EMPTY;
  private int headOffset;
  private int headLength;
  private boolean isHeadLent;

  /** Whether a connection still has the head as its input. */
  private boolean isHeadInput;

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

  private RawString(byte[] head, int headOffset, int headLength, boolean isHeadLent, byte[] rest) {
    this.head = head;
    this.isHeadLent = isHeadLent;
    this.headOffset = headOffset;
    this.headLength = headLength;
    bytes = rest;
    length = headLength + rest.length;
  }

  /** A string that begins with a part of an array that others use as well. */
  public static RawString after(byte[] head, int offset, int length) {
    return new RawString(head, offset, length, true, EMPTY);
  }

  /**
   * A string with the bytes of a slice.
   *
   * @param room an array for them that no other code uses, with any content; or null
   */
  public static RawString copyOf(Slice source, byte @Nullable [] room) {
    if (room == null) return owning(source.copy());
    System.arraycopy(source.array(), source.offset(), room, 0, source.length());
    Arrays.fill(room, source.length(), room.length, (byte) 0); // the room to grow is zero
    RawString raw = owning(room);
    raw.length = source.length();
    return raw;
  }

  /** A string that is a whole array, which no other code uses from now on. */
  public static RawString owning(byte[] bytes) {
    return new RawString(EMPTY, 0, 0, false, bytes);
  }

  /**
   * A string in a part of a connection's input, which no other code changes from now on. The caller
   * says by {@link #arrived()} when the connection has left that array.
   */
  public static RawString within(Slice part) {
    RawString raw = new RawString(part.array(), part.offset(), part.length(), false, EMPTY);
    raw.isHeadInput = true;
    return raw;
  }

  /** Notes that a string made by {@link #within} has its array for itself. */
  public void arrived() {
    isHeadInput = false;
  }

  /**
   * The capacity fits at first; it doubles while small, then grows by a megabyte at a time, as in
   * Redis.
   */
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
    return 24L + (isHeadLent ? headLength : head.length) + bytes.length;
  }

  @Override
  public RawString copy() {
    boolean isWholeArray = headLength == 0 && bytes.length == length; // nothing is appended to it
    if (isWholeArray && length >= RespWriter.SHARED_LENGTH_MIN) return after(lendRest(), 0, length);
    isHeadLent = true;
    return new RawString(head, headOffset, headLength, true, Arrays.copyOf(bytes, restLength()));
  }

  /** The array whose first {@link #length()} bytes are the string. */
  public byte[] bytes() {
    if (headLength > 0) join();
    return bytes;
  }

  public int length() {
    return length;
  }

  /** The array, if it is exactly the string and no other code reads it; otherwise null. */
  public byte @Nullable [] ownArray() {
    return headLength == 0 && bytes.length == length && !isLent ? bytes : null;
  }

  /** The only array of a string that is about to be dropped, if no other code uses it; or null. */
  public byte @Nullable [] spareArray() {
    if (headLength == 0) return isLent ? null : bytes;
    return headLength == length && !isHeadLent && !isHeadInput ? head : null;
  }

  /**
   * Like {@link #spareArray()}, for a caller that keeps the array, whose {@link #length()} bytes
   * from {@link #offset()} on are the string.
   */
  public byte @Nullable [] takeSpareArray() {
    byte[] spare = spareArray();
    isHeadLent = true;
    isLent = true;
    return spare;
  }

  // In two parts

  /**
   * The array that has the whole string from {@link #offset()} on, for callers that only read it.
   */
  public byte[] array() {
    return headLength == length ? head : bytes();
  }

  public int offset() {
    return headLength == length ? headOffset : 0;
  }

  /** Like {@link #lendHead}, for callers that use the bytes at once. */
  public byte[] head() {
    return head;
  }

  /**
   * An array whose {@link #headLength()} bytes from {@link #headOffset()} on do not change from now
   * on.
   */
  public byte[] lendHead() {
    isHeadLent = true;
    return head;
  }

  public int headOffset() {
    return headOffset;
  }

  public int headLength() {
    return headLength;
  }

  /** The {@link #restLength()} bytes after the head, which do not change from now on. */
  public byte[] lendRest() {
    isLent = true;
    return bytes;
  }

  /** Like {@link #lendRest}, for callers that use the bytes at once. */
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
    headOffset = 0;
    headLength = 0;
    isLent = false;
  }

  /** The byte at an index. */
  public byte at(int index) {
    return index < headLength ? head[headOffset + index] : bytes[index - headLength];
  }

  /** A copy of {@code count} bytes. */
  public byte[] range(int from, int count) {
    byte[] copy = new byte[count];
    int ofHead = partInHead(from, count);
    if (ofHead > 0) System.arraycopy(head, headOffset + from, copy, 0, ofHead);
    if (ofHead < count) {
      System.arraycopy(bytes, from + ofHead - headLength, copy, ofHead, count - ofHead);
    }
    return copy;
  }

  private int partInHead(int from, int count) {
    return Math.max(0, Math.min(count, headLength - from));
  }

  // Writing

  /** Must be called before existing bytes of {@link #bytes()} are changed. */
  public void own() {
    if (isLent) bytes = bytes.clone();
    isLent = false;
  }

  private void ownHead() {
    if (!isHeadLent) return;
    head = Arrays.copyOfRange(head, headOffset, headOffset + headLength);
    headOffset = 0;
    isHeadLent = false;
  }

  /** Appends bytes without copying the existing ones, unless there is no room. */
  public void append(Slice source) {
    int count = source.length();
    int restLength = restLength();
    if (restLength + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, capacityFor(bytes.length, restLength + count));
      isLent = false;
    }
    System.arraycopy(source.array(), source.offset(), bytes, restLength, count);
    length += count;
  }

  /** Overwrites from {@code at} on, growing with zero bytes as needed. */
  public void write(int at, Slice source) {
    int count = source.length();
    int ofHead = partInHead(at, count);
    if (ofHead > 0) ownHead();
    if (ofHead < count && Math.max(at, headLength) < length) own();
    growTo(at + count);
    ofHead = partInHead(at, count); // growing may have created a head
    int from = source.offset();
    if (ofHead > 0) System.arraycopy(source.array(), from, head, headOffset + at, ofHead);
    if (ofHead < count) {
      int to = at + ofHead - headLength;
      System.arraycopy(source.array(), from + ofHead, bytes, to, count - ofHead);
    }
  }

  /** Overwrites one byte, growing with zero bytes as needed. */
  public void put(int at, byte value) {
    if (at < headLength) {
      ownHead();
      head[headOffset + at] = value;
    } else {
      if (at < length) own();
      growTo(at + 1);
      bytes[at - headLength] = value;
    }
  }

  /** Replaces {@code count} bytes by room for {@code newCount} bytes of any content. */
  public void splice(int at, int count, int newCount) {
    int tail = length - at - count;
    growTo(length + newCount - count);
    System.arraycopy(bytes(), at + count, bytes, at + newCount, tail);
    length = at + newCount + tail;
  }

  /** Makes the string at least {@code newLength} bytes long; new bytes are zero. */
  public void growTo(int newLength) {
    if (newLength <= length) return;
    if (newLength - headLength > bytes.length) growRoom(newLength);
    length = newLength;
  }

  /** Grows the array; a large string continues in a second one. */
  private void growRoom(int newLength) {
    if (headLength == 0 && length >= LARGE_LENGTH_MIN) {
      byte[] rest = new byte[capacityFor(1, newLength - length)];
      head = bytes;
      headOffset = 0;
      headLength = length;
      isHeadLent = isLent;
      bytes = rest;
    } else {
      bytes = Arrays.copyOf(bytes, capacityFor(bytes.length, newLength - headLength));
    }
    isLent = false;
  }
}
