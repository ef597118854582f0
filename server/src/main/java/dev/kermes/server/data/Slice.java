package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import java.util.Arrays;

/**
 * A part of an array, seen as a string: an argument of a command, or an element of a value.
 *
 * <pre>
 *   array   *3 $4 SADD $1 k $5 hello
 *                               ^offset, length 5
 * </pre>
 *
 * It is a view that its owner moves from string to string, so that a command allocates none. It
 * never copies; a value that keeps the bytes copies them. Not safe for use by several threads.
 */
public final class Slice {

  private static final byte[] NOTHING = {};
  private static final int RELEASED = -1;
  private static final String USED_LATE = "slice used after its command, or after it was moved";

  private byte[] array = NOTHING;
  private int offset;
  private int length;

  /** A slice that is a whole array. */
  public static Slice of(byte[] whole) {
    return new Slice().wrap(whole);
  }

  /** Moves this slice to another part of an array. */
  public Slice wrap(byte[] newArray, int newOffset, int newLength) {
    if (array != newArray) array = newArray; // a store costs a fence, see ArgumentList
    offset = newOffset;
    length = newLength;
    return this;
  }

  /** Moves this slice to a whole array. */
  public Slice wrap(byte[] whole) {
    return wrap(whole, 0, whole.length);
  }

  /** Forgets the array, which may be large. Until the next move, every use fails. */
  @SuppressWarnings("NullAway") // a store of null costs no fence
  public void release() {
    array = null;
    length = RELEASED;
  }

  public byte[] array() {
    assert length != RELEASED : USED_LATE;
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    assert length != RELEASED : USED_LATE;
    return length;
  }

  public byte at(int index) {
    return array[offset + index];
  }

  public byte[] copy() {
    return copyFrom(0);
  }

  /** A copy of the bytes from an index on. */
  public byte[] copyFrom(int index) {
    return Arrays.copyOfRange(array(), offset + index, offset + length);
  }

  public boolean equals(byte[] other, int from, int count) {
    return Arrays.equals(array(), offset, offset + length, other, from, from + count);
  }

  /** Whether it is the text of a signed 64-bit integer, as Redis prints it. */
  public boolean isLong() {
    return Decimals.isLong(array(), offset, length);
  }

  /** The integer that it is the text of. */
  public long toLong() {
    return Decimals.parseLong(array(), offset, length);
  }

  /** Writes it as a bulk string. */
  public void write(RespWriter out) {
    out.bulk(array(), offset, length);
  }
}
