package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Strings and integers packed into one byte array, readable from both ends. The entries are laid
 * out as in Redis's listpack, so that a dump can take them over as they are; around them there is
 * room on both sides, so that a push or pop at either end moves nothing.
 *
 * <pre>
 *   |  room  |entry|entry|…|entry|  room  |
 *            ^start              ^end
 *   entry    |encoding and length|payload|back length: size of the two before it, read backwards|
 *
 *   0xxxxxxx                 integer 0 … 127
 *   10llllll payload         string of up to 63 bytes
 *   110xxxxx 1 byte          integer of 13 bits
 *   1110llll 1 byte payload  string of up to 4095 bytes
 *   11110000 4 bytes payload string
 *   11110001 … 11110100      integer of 2, 3, 4, 8 bytes
 * </pre>
 *
 * A string that is the canonical text of a long is always kept as an integer. Positions are indices
 * into the array: valid until the next change, {@link #NONE} past either end.
 */
public final class ListPack {

  /** Past either end. */
  public static final int NONE = -1;

  /** An element of the largest bulk and some more. */
  private static final int BYTES_MAX = 1 << 30;

  /** What Redis's own form adds to the entries: a header of 6 bytes and an end byte. */
  private static final int REDIS_OVERHEAD = 7;

  /** 1024: room beyond the need; more would waste, less would copy too often. */
  private static final int ROOM_MAX = 1024;

  private static final int SHRINK_MIN = 256;

  private static final int STRING_6 = 0x80;
  private static final int INT_13 = 0xc0;
  private static final int STRING_12 = 0xe0;
  private static final int STRING_32 = 0xf0;
  private static final int INT_16 = 0xf1;
  private static final int INT_24 = 0xf2;
  private static final int INT_32 = 0xf3;
  private static final int INT_64 = 0xf4;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] EMPTY = {};

  private byte[] bytes = EMPTY;
  private int start;
  private int end;
  private int count;

  /** Whether a frozen pack reads the same array: the next change needs one of its own. */
  private boolean isShared;

  public ListPack() {}

  private ListPack(ListPack other) {
    bytes = Arrays.copyOfRange(other.bytes, other.start, other.end);
    end = bytes.length;
    count = other.count;
  }

  public ListPack copy() {
    return new ListPack(this);
  }

  /** A pack of the same elements that does not change; costs nothing until this one does. */
  ListPack freeze() {
    ListPack frozen = new ListPack();
    frozen.bytes = bytes;
    frozen.start = start;
    frozen.end = end;
    frozen.count = count;
    isShared = true;
    return frozen;
  }

  private void unshare() {
    bytes = bytes.clone();
    isShared = false;
  }

  /** Elements. */
  public int size() {
    return count;
  }

  /** Bytes of the entries. */
  public int length() {
    return end - start;
  }

  /** Bytes of the same elements in Redis's own listpack, which its thresholds are about. */
  public int redisLength() {
    return end - start + REDIS_OVERHEAD;
  }

  /** About what it takes on the heap. */
  public long heapBytes() {
    return 48L + bytes.length;
  }

  /** Whether so many bytes more are still within what one pack may hold. */
  public boolean hasRoomFor(long more) {
    return end - start + more < BYTES_MAX;
  }

  // Walking

  public int first() {
    return start == end ? NONE : start;
  }

  public int last() {
    return start == end ? NONE : before(end);
  }

  public int next(int at) {
    int next = after(at);
    return next == end ? NONE : next;
  }

  public int previous(int at) {
    return at == start ? NONE : before(at);
  }

  /** The element of that index, counted from the end if negative. O(n), from the nearer end. */
  public int seek(long index) {
    if (index < 0) index += count;
    if (index < 0 || index >= count) return NONE;
    return index <= count / 2 ? forward((int) index) : backward((int) index);
  }

  private int forward(int index) {
    int at = start;
    while (index-- > 0) at = after(at);
    return at;
  }

  private int backward(int index) {
    int at = end;
    for (int i = count; i > index; i--) at = before(at);
    return at;
  }

  private int after(int at) {
    int body = bodySize(at);
    return at + body + backLengthSize(body);
  }

  private int before(int at) {
    int body = 0;
    int i = at;
    int shift = 0;
    byte b;
    do {
      b = bytes[--i];
      body |= (b & 0x7f) << shift;
      shift += 7;
    } while (b < 0);
    return i - body;
  }

  private int bodySize(int at) {
    int head = bytes[at] & 0xff;
    if (head < STRING_6) return 1;
    if (head < INT_13) return 1 + (head & 0x3f);
    if (head < STRING_12) return 2;
    if (head < STRING_32) return 2 + stringLength(at);
    return switch (head) {
      case STRING_32 -> 5 + stringLength(at);
      case INT_16 -> 3;
      case INT_24 -> 4;
      case INT_32 -> 5;
      default -> 9;
    };
  }

  // Reading

  public boolean isInteger(int at) {
    int head = bytes[at] & 0xff;
    return head < STRING_6 || head >= INT_13 && head < STRING_12 || head > STRING_32;
  }

  /** The integer there; only where {@link #isInteger}. */
  public long integer(int at) {
    int head = bytes[at] & 0xff;
    if (head < STRING_6) return head;
    return switch (head) {
      case INT_16 -> (short) SHORT.get(bytes, at + 1);
      case INT_24 -> (bytes[at + 3] << 16) | ((short) SHORT.get(bytes, at + 1) & 0xffff);
      case INT_32 -> (int) INT.get(bytes, at + 1);
      case INT_64 -> (long) LONG.get(bytes, at + 1);
      default -> ((head << 27) >> 19) | (bytes[at + 1] & 0xff);
    };
  }

  private int stringLength(int at) {
    int head = bytes[at] & 0xff;
    if (head < INT_13) return head & 0x3f;
    if (head < STRING_32) return (head & 0x0f) << 8 | (bytes[at + 1] & 0xff);
    return (int) INT.get(bytes, at + 1);
  }

  private int stringOffset(int at) {
    int head = bytes[at] & 0xff;
    if (head < INT_13) return at + 1;
    return head < STRING_32 ? at + 2 : at + 5;
  }

  /** Bytes of the element's text. */
  public int textLength(int at) {
    return isInteger(at) ? Decimals.length(integer(at)) : stringLength(at);
  }

  /** A copy of the element's text. */
  public byte[] get(int at) {
    if (isInteger(at)) return text(integer(at));
    int from = stringOffset(at);
    return Arrays.copyOfRange(bytes, from, from + stringLength(at));
  }

  private static byte[] text(long value) {
    byte[] text = new byte[Decimals.length(value)];
    int unused = Decimals.put(text, 0, value);
    return text;
  }

  /** Shows the element's text. */
  public void visit(int at, BytesVisitor visitor) {
    if (isInteger(at)) {
      byte[] text = text(integer(at));
      visitor.visit(text, 0, text.length);
    } else {
      visitor.visit(bytes, stringOffset(at), stringLength(at));
    }
  }

  /** Writes the element as a bulk string. */
  public void write(int at, RespWriter out) {
    if (isInteger(at)) out.bulk(integer(at));
    else out.bulk(bytes, stringOffset(at), stringLength(at));
  }

  /** The 8 bytes of a string as {@link #insertRaw} took them. */
  long raw(int at) {
    return (long) LONG.get(bytes, stringOffset(at));
  }

  public boolean equals(int at, byte[] array, int offset, int length) {
    if (Decimals.isLong(array, offset, length)) {
      return equals(at, Decimals.parseLong(array, offset, length));
    }
    return equalsString(at, array, offset, length);
  }

  private boolean equals(int at, long value) {
    return isInteger(at) && integer(at) == value;
  }

  private boolean equalsString(int at, byte[] array, int offset, int length) {
    if (isInteger(at) || stringLength(at) != length) return false;
    int from = stringOffset(at);
    return Arrays.equals(bytes, from, from + length, array, offset, offset + length);
  }

  /** Compares the element's text with those bytes, unsigned, the shorter first. */
  public int compare(int at, byte[] array, int offset, int length) {
    byte[] text = bytes;
    int from = 0;
    int size;
    if (isInteger(at)) {
      text = text(integer(at));
      size = text.length;
    } else {
      from = stringOffset(at);
      size = stringLength(at);
    }
    return Arrays.compareUnsigned(text, from, from + size, array, offset, offset + length);
  }

  /** The first element with that text, looking at every {@code stride}-th from the first. O(n). */
  public int find(byte[] array, int offset, int length, int stride) {
    if (Decimals.isLong(array, offset, length)) {
      return find(Decimals.parseLong(array, offset, length), stride);
    }
    for (int at = start; at < end; at = skip(at, stride)) {
      if (equalsString(at, array, offset, length)) return at;
    }
    return NONE;
  }

  private int find(long value, int stride) {
    for (int at = start; at < end; at = skip(at, stride)) {
      if (equals(at, value)) return at;
    }
    return NONE;
  }

  private int skip(int at, int elements) {
    for (int i = 0; i < elements; i++) at = after(at);
    return at;
  }

  // Changing

  public void append(byte[] array, int offset, int length) {
    int unused = insertAt(end, array, offset, length);
  }

  public void append(long value) {
    int unused = insertAt(end, value);
  }

  public void prepend(byte[] array, int offset, int length) {
    int unused = insertAt(start, array, offset, length);
  }

  /** Inserts before the element at {@code at}, or at the end if NONE; returns the new position. */
  public int insert(int at, byte[] array, int offset, int length) {
    return insertAt(at == NONE ? end : at, array, offset, length);
  }

  /** Inserts after the element at {@code at}; returns the new position. */
  public int insertAfter(int at, byte[] array, int offset, int length) {
    return insertAt(after(at), array, offset, length);
  }

  /** Inserts an integer before the element at {@code at}, or at the end if NONE. */
  public int insert(int at, long value) {
    return insertAt(at == NONE ? end : at, value);
  }

  /** Inserts a string of 8 bytes that holds {@code bits}; it never becomes an integer. */
  int insertRaw(int at, long bits) {
    at = open(at == NONE ? end : at, 10);
    bytes[at] = (byte) (STRING_6 | 8);
    LONG.set(bytes, at + 1, bits);
    bytes[at + 9] = 9;
    count++;
    return at;
  }

  private int insertAt(int at, byte[] array, int offset, int length) {
    if (Decimals.isLong(array, offset, length)) {
      return insertAt(at, Decimals.parseLong(array, offset, length));
    }
    int head = length < 64 ? 1 : length < 4096 ? 2 : 5;
    int body = Math.addExact(head, length);
    at = open(at, body + backLengthSize(body));
    putStringHead(at, length);
    System.arraycopy(array, offset, bytes, at + head, length);
    putBackLength(at + body, body);
    count++;
    return at;
  }

  private void putStringHead(int at, int length) {
    if (length < 64) {
      bytes[at] = (byte) (STRING_6 | length);
    } else if (length < 4096) {
      bytes[at] = (byte) (STRING_12 | length >> 8);
      bytes[at + 1] = (byte) length;
    } else {
      bytes[at] = (byte) STRING_32;
      INT.set(bytes, at + 1, length);
    }
  }

  private int insertAt(int at, long value) {
    int body = integerSize(value);
    at = open(at, body + 1);
    putInteger(at, body, value);
    bytes[at + body] = (byte) body;
    count++;
    return at;
  }

  private static int integerSize(long value) {
    if (value >= 0 && value < 128) return 1;
    if (value >= -4096 && value < 4096) return 2;
    if (value == (short) value) return 3;
    if (value >= -(1 << 23) && value < 1 << 23) return 4;
    return value == (int) value ? 5 : 9;
  }

  private void putInteger(int at, int body, long value) {
    switch (body) {
      case 1 -> bytes[at] = (byte) value;
      case 2 -> {
        bytes[at] = (byte) (INT_13 | (value >> 8 & 0x1f));
        bytes[at + 1] = (byte) value;
      }
      case 3 -> {
        bytes[at] = (byte) INT_16;
        SHORT.set(bytes, at + 1, (short) value);
      }
      case 4 -> {
        bytes[at] = (byte) INT_24;
        SHORT.set(bytes, at + 1, (short) value);
        bytes[at + 3] = (byte) (value >> 16);
      }
      case 5 -> {
        bytes[at] = (byte) INT_32;
        INT.set(bytes, at + 1, (int) value);
      }
      default -> {
        bytes[at] = (byte) INT_64;
        LONG.set(bytes, at + 1, value);
      }
    }
  }

  /** Puts other text in place of the element; returns its position. */
  public int replace(int at, byte[] array, int offset, int length) {
    int old = after(at) - at;
    return dropAfter(insertAt(at, array, offset, length), old);
  }

  /** Puts an integer in place of the element; returns its position. */
  public int replace(int at, long value) {
    int old = after(at) - at;
    return dropAfter(insertAt(at, value), old);
  }

  /** Removes the entry of {@code size} bytes that follows {@code at}; returns where at is then. */
  private int dropAfter(int at, int size) {
    int fromStart = at - start;
    int unused = close(after(at), size);
    count--;
    return start + fromStart;
  }

  /** Removes the element; returns the position of the one after it, or NONE. */
  public int delete(int at) {
    return delete(at, 1);
  }

  /** Removes up to {@code elements} from {@code at} on; returns the position of the next. */
  public int delete(int at, int elements) {
    int to = at;
    for (int i = 0; i < elements && to < end; i++) {
      to = after(to);
      count--;
    }
    int next = close(at, to - at);
    return next == end ? NONE : next;
  }

  /** Moves everything from {@code at} on into a new pack. */
  public ListPack split(int at) {
    ListPack tail = new ListPack();
    tail.bytes = Arrays.copyOfRange(bytes, at, end);
    tail.end = tail.bytes.length;
    for (int i = at; i < end; i = after(i)) tail.count++;
    count -= tail.count;
    int unused = close(at, end - at);
    return tail;
  }

  /** Gives the room on both sides back. */
  public void trim() {
    if (bytes.length != end - start) resize(end - start, 0);
  }

  /** Makes {@code size} bytes of room at {@code at}; returns where it begins. */
  private int open(int at, int size) {
    if (isShared) unshare();
    int head = at - start;
    int tail = end - at;
    if (head < tail && start >= size) return openBackwards(at, size);
    if (bytes.length - end >= size) {
      System.arraycopy(bytes, at, bytes, at + size, tail);
      end += size;
      return at;
    }
    return grow(at, size);
  }

  private int openBackwards(int at, int size) {
    System.arraycopy(bytes, start, bytes, start - size, at - start);
    start -= size;
    return at - size;
  }

  private int grow(int at, int size) {
    int head = at - start;
    int tail = end - at;
    long wanted = (long) head + tail + size;
    if (wanted > BYTES_MAX) throw new IllegalStateException("list pack too long: bytes=" + wanted);
    int room = (int) Math.min(wanted / 4, ROOM_MAX) + 8;
    byte[] grown = new byte[(int) wanted + room];
    int from = head < tail ? room : 0;
    System.arraycopy(bytes, start, grown, from, head);
    System.arraycopy(bytes, at, grown, from + head + size, tail);
    bytes = grown;
    start = from;
    end = from + (int) wanted;
    return from + head;
  }

  /** Removes {@code size} bytes at {@code at}; returns the position of what followed them. */
  private int close(int at, int size) {
    if (isShared) unshare();
    int head = at - start;
    int tail = end - at - size;
    if (head < tail) {
      System.arraycopy(bytes, start, bytes, start + size, head);
      start += size;
    } else {
      System.arraycopy(bytes, at + size, bytes, at, tail);
      end -= size;
    }
    if (bytes.length > SHRINK_MIN && end - start < bytes.length / 4) resize(end - start, 8);
    return start + head;
  }

  private void resize(int length, int room) {
    byte[] resized = new byte[length + room];
    System.arraycopy(bytes, start, resized, 0, length);
    bytes = resized;
    start = 0;
    end = length;
  }

  private static int backLengthSize(int body) {
    if (body <= 127) return 1;
    if (body < 16_383) return 2;
    if (body < 2_097_151) return 3;
    return body < 268_435_455 ? 4 : 5;
  }

  private void putBackLength(int at, int body) {
    int size = backLengthSize(body);
    for (int i = at + size - 1; i > at; i--) {
      bytes[i] = (byte) (body & 0x7f | 0x80);
      body >>>= 7;
    }
    bytes[at] = (byte) body;
  }
}
