package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Writes RESP2 or RESP3 into a byte array that grows. Owned by one thread; reused for every turn.
 *
 * <p>In RESP2, types that it does not have are written as Redis writes them: a map as a flat array,
 * a double as a bulk, a boolean as 0 or 1, a push as an array.
 *
 * <p>Per byte; no allocation beyond growth. A value of {@link #SHARED_LENGTH_MIN} bytes or more is
 * not copied but kept by reference; the sender of the output copies it later:
 *
 * <pre>
 *   bytes   |$5\r\nhello\r\n$70000\r\n|\r\n:1\r\n|
 *   shared                           ^ 70000 bytes of another array go here
 * </pre>
 */
public final class RespWriter {

  /**
   * 16,384: a shorter value is cheaper to copy than to send as a separate buffer of the socket's
   * gathering write.
   */
  public static final int SHARED_LENGTH_MIN = 16_384;

  private static final byte[] OK = "+OK\r\n".getBytes(UTF_8);
  private static final byte[] NULL_BULK = "$-1\r\n".getBytes(UTF_8);
  private static final byte[] NULL_ARRAY = "*-1\r\n".getBytes(UTF_8);
  private static final byte[] NULL = "_\r\n".getBytes(UTF_8);

  /** The longest text of a long: a sign and 19 digits. */
  private static final int LONG_DIGITS_MAX = 20;

  private byte[] bytes;
  private int size;
  private int protocol = 2;

  private Shared[] shared = new Shared[4];
  private int sharedCount;
  private long sharedLength;

  /**
   * A range of another array that belongs between two bytes of the output.
   *
   * @param isLastUse whether nothing else uses the array, so that the sender of the output may use
   *     it again once it is sent
   */
  public record Shared(int position, byte[] array, int offset, int length, boolean isLastUse) {}

  /** Creates a writer whose buffer holds {@code capacity} bytes at first. */
  public RespWriter(int capacity) {
    bytes = new byte[Math.max(64, capacity)];
  }

  /** Selects RESP version 2 or 3 for everything written afterwards. */
  public void protocol(int version) {
    protocol = version;
  }

  /** The version of the protocol that it writes: 2 or 3. */
  public int protocol() {
    return protocol;
  }

  /** The output array; valid up to {@link #size()} and until the next write. */
  public byte[] bytes() {
    return bytes;
  }

  /** The number of bytes written, without shared ones. */
  public int size() {
    return size;
  }

  /** The number of values that are written by reference. */
  public int sharedCount() {
    return sharedCount;
  }

  /** The value that is written by reference at {@code index}, in order of the output. */
  public Shared shared(int index) {
    return shared[index];
  }

  /** The number of bytes written, shared ones included. */
  public long length() {
    return size + sharedLength;
  }

  /** A copy of the output, values by reference included. */
  public byte[] toByteArray() {
    byte[] result = new byte[Math.toIntExact(length())];
    int from = 0;
    int to = 0;
    for (int i = 0; i < sharedCount; i++) {
      Shared piece = shared[i];
      System.arraycopy(bytes, from, result, to, piece.position() - from);
      to += piece.position() - from;
      System.arraycopy(piece.array(), piece.offset(), result, to, piece.length());
      to += piece.length();
      from = piece.position();
    }
    System.arraycopy(bytes, from, result, to, size - from);
    return result;
  }

  /** Notes that something else still uses an array that {@link #bulkOwned} was given. */
  public void retain(byte[] array) {
    for (int i = 0; i < sharedCount; i++) {
      Shared piece = shared[i];
      if (piece.array() != array || !piece.isLastUse()) continue;
      shared[i] = new Shared(piece.position(), array, piece.offset(), piece.length(), false);
    }
  }

  /** Discards the output; keeps the array unless it grew beyond {@code keepCapacity} bytes. */
  public void clear(int keepCapacity) {
    if (bytes.length > keepCapacity) bytes = new byte[keepCapacity];
    truncate(0);
  }

  /** Discards everything after {@code size}, the result of an earlier {@link #size()}. */
  public void truncate(int size) {
    this.size = size;
    while (sharedCount > 0 && (size == 0 || shared[sharedCount - 1].position() > size)) {
      sharedLength -= shared[--sharedCount].length();
      Arrays.fill(shared, sharedCount, sharedCount + 1, null);
    }
  }

  // Scalars

  /** Writes {@code +OK}. */
  public void ok() {
    raw(OK);
  }

  /** Writes a simple string, which must not contain CR or LF. */
  public void simple(String text) {
    line('+', text);
  }

  /** An error reply: {@code message} starts with its code, as in {@code ERR syntax error}. */
  public void error(String message) {
    line('-', message);
  }

  /** Writes an integer. */
  public void integer(long value) {
    header(':', value);
  }

  /** Writes a null bulk in RESP2, the null in RESP3. */
  public void nil() {
    raw(protocol == 3 ? NULL : NULL_BULK);
  }

  /** Writes a null array in RESP2, the null in RESP3. */
  public void nilArray() {
    raw(protocol == 3 ? NULL : NULL_ARRAY);
  }

  /** Writes a boolean; in RESP2 the integer 1 or 0. */
  public void bool(boolean value) {
    if (protocol == 3) {
      ensure(4);
      put('#');
      put(value ? 't' : 'f');
      crlf();
    } else {
      integer(value ? 1 : 0);
    }
  }

  /** Writes a double as the shortest text that parses to the same value. */
  public void decimal(double value) {
    decimal(Decimals.format(value));
  }

  /** Writes a double given as text, with the text's precision. */
  public void decimal(String text) {
    if (protocol == 3) line(',', text);
    else bulk(text);
  }

  /** Writes a big number, given as decimal digits. */
  public void bigNumber(String digits) {
    if (protocol == 3) line('(', digits);
    else bulk(digits);
  }

  /** Writes text with a three-letter format, such as {@code txt} or {@code mkd}. */
  public void verbatim(String format, String text) {
    if (protocol == 3) {
      byte[] utf8 = text.getBytes(UTF_8);
      header('=', utf8.length + 4L);
      raw(format.getBytes(UTF_8));
      ensure(1);
      put(':');
      raw(utf8);
      ensure(2);
      crlf();
    } else {
      bulk(text);
    }
  }

  // Bulk strings

  /** Writes a bulk string. */
  public void bulk(byte[] value) {
    bulk(value, 0, value.length);
  }

  /** Writes a bulk string; the bytes are copied immediately. */
  public void bulk(byte[] value, int offset, int length) {
    ensure(length + LONG_DIGITS_MAX + 5);
    int at = size;
    byte[] out = bytes;
    out[at++] = '$';
    at = Decimals.put(out, at, length);
    out[at++] = '\r';
    out[at++] = '\n';
    System.arraycopy(value, offset, out, at, length);
    at += length;
    out[at++] = '\r';
    out[at++] = '\n';
    size = at;
  }

  /**
   * Writes a bulk string whose bytes never change; a large one is kept by reference until the
   * output is sent.
   */
  public void bulkShared(byte[] value, int offset, int length) {
    if (length < SHARED_LENGTH_MIN) {
      bulk(value, offset, length);
      return;
    }
    header('$', length);
    share(new Shared(size, value, offset, length, false));
    ensure(2);
    crlf();
  }

  /**
   * Writes a bulk string from an array that nothing else uses from now on. A large one is kept by
   * reference, and the sender of the output may use the array again.
   */
  public void bulkOwned(byte[] value, int offset, int length) {
    if (length < SHARED_LENGTH_MIN) {
      bulk(value, offset, length);
      return;
    }
    header('$', length);
    share(new Shared(size, value, offset, length, true));
    ensure(2);
    crlf();
  }

  /** Writes a large bulk string in two parts; each part is kept by reference if it is large. */
  public void bulkShared(
      byte[] value, int offset, int length, byte[] rest, int restOffset, int restLength) {
    header('$', (long) length + restLength);
    share(new Shared(size, value, offset, length, false));
    if (restLength >= SHARED_LENGTH_MIN) {
      share(new Shared(size, rest, restOffset, restLength, false));
    } else {
      ensure(restLength);
      System.arraycopy(rest, restOffset, bytes, size, restLength);
      size += restLength;
    }
    ensure(2);
    crlf();
  }

  private void share(Shared piece) {
    if (sharedCount == shared.length) shared = Arrays.copyOf(shared, sharedCount * 2);
    shared[sharedCount++] = piece;
    sharedLength += piece.length();
  }

  /** Writes a bulk string, encoded in UTF-8. */
  public void bulk(String text) {
    bulk(text.getBytes(UTF_8));
  }

  /** Writes a number as a bulk string of its decimal digits. */
  public void bulk(long value) {
    ensure(2 * LONG_DIGITS_MAX + 5);
    int at = size;
    byte[] out = bytes;
    out[at++] = '$';
    at = Decimals.put(out, at, Decimals.length(value));
    out[at++] = '\r';
    out[at++] = '\n';
    at = Decimals.put(out, at, value);
    out[at++] = '\r';
    out[at++] = '\n';
    size = at;
  }

  // Aggregates: each method writes the header; the caller then writes the elements

  /** Writes the header of an array; its {@code count} elements follow. */
  public void array(int count) {
    header('*', count);
  }

  /** Starts a map of {@code pairs} keys with their values; a flat array in RESP2. */
  public void map(int pairs) {
    if (protocol == 3) header('%', pairs);
    else header('*', 2L * pairs);
  }

  /** Writes the header of a set, in RESP2 of an array; its {@code count} elements follow. */
  public void set(int count) {
    header(protocol == 3 ? '~' : '*', count);
  }

  /** Starts an out-of-band message; an array in RESP2. */
  public void push(int count) {
    header(protocol == 3 ? '>' : '*', count);
  }

  /** Starts the attributes of the value that follows; must not be called in RESP2. */
  public void attribute(int pairs) {
    header('|', pairs);
  }

  /** Writes bytes that are already RESP. */
  public void raw(byte[] encoded) {
    raw(encoded, 0, encoded.length);
  }

  /** Writes bytes that are encoded already. */
  public void raw(byte[] encoded, int offset, int length) {
    ensure(length);
    System.arraycopy(encoded, offset, bytes, size, length);
    size += length;
  }

  /**
   * Writes the output of another writer; its values by reference remain so. The other writer still
   * refers to their arrays, so that none of them may be used again.
   */
  public void append(RespWriter other) {
    int start = size;
    raw(other.bytes, 0, other.size);
    for (int i = 0; i < other.sharedCount; i++) {
      Shared piece = other.shared[i];
      int position = start + piece.position();
      share(new Shared(position, piece.array(), piece.offset(), piece.length(), false));
    }
  }

  private void line(char type, String text) {
    byte[] line = ByteText.bytes(text);
    ensure(line.length + 3);
    put(type);
    for (byte b : line) put(b == '\r' || b == '\n' ? ' ' : (char) (b & 0xff));
    crlf();
  }

  private void header(char type, long value) {
    ensure(LONG_DIGITS_MAX + 3);
    put(type);
    size = Decimals.put(bytes, size, value);
    crlf();
  }

  private void put(char b) {
    bytes[size++] = (byte) b;
  }

  private void crlf() {
    bytes[size++] = '\r';
    bytes[size++] = '\n';
  }

  private void ensure(int more) {
    if (bytes.length - size < more) grow(more);
  }

  private void grow(int more) {
    long wanted = Math.max((long) bytes.length * 2, (long) size + more);
    if ((long) size + more > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException("output too long: size=" + size + ", more=" + more);
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
  }
}
