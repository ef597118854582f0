package dev.kermes.server.rdb;

import dev.kermes.resp.Decimals;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.stream.StreamId;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the format of {@link RdbOutput} from an array or a stream. A length in the input is not
 * trusted until its bytes have arrived: a length beyond the end is an error, not an allocation. If
 * the input may end at any time, an array grows only as its bytes arrive.
 */
public final class RdbInput {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_LITTLE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int BUFFER = 1 << 16;

  /** The longest string whose length takes one byte, which is the length itself. */
  private static final int SHORT_MAX = 63;

  /** Three bytes of LZF expand to at most 264. */
  private static final int COMPRESSION_MAX = 88;

  private static final int STRING_MAX = Integer.MAX_VALUE - 8;

  /** 16 MB: the most bytes of a stream to allocate before they have arrived. */
  private static final int UNSEEN_MAX = 1 << 24;

  private final InputStream in;
  private final long end;
  private final long unseenMax;

  /** Whether the buffer is the whole input, which does not change. */
  private final boolean isWhole;

  private byte[] buffer;
  private int at;
  private int limit;

  /** The number of bytes before the buffer's first one. */
  private long before;

  /** Space for short-lived bytes: a key, or a pack that was compressed. */
  private byte[] scratch = {};

  private final Slice ahead = new Slice();

  /** The pack that was read last. */
  private final ListPack pack = new ListPack();

  private long checksum;
  private int summedTo;

  /** Reads {@code size} bytes from {@code in}, which must have that many. */
  public RdbInput(InputStream in, long size) {
    this(in, size, Long.MAX_VALUE);
  }

  private RdbInput(InputStream in, long size, long unseenMax) {
    this.in = in;
    end = size;
    this.unseenMax = unseenMax;
    isWhole = false;
    buffer = new byte[(int) Math.min(BUFFER, Math.max(16, size))];
  }

  /** Reads at most {@code size} bytes from {@code in}, which may end at any time. */
  public static RdbInput arriving(InputStream in, long size) {
    return new RdbInput(in, size, UNSEEN_MAX);
  }

  /** Reads {@code length} bytes of an array. */
  public RdbInput(byte[] bytes, int offset, int length) {
    in = InputStream.nullInputStream();
    unseenMax = Long.MAX_VALUE;
    isWhole = true;
    buffer = bytes;
    at = offset;
    summedTo = offset;
    before = -offset;
    limit = offset + length;
    end = length;
  }

  /** The number of bytes read so far. */
  public long offset() {
    return before + at;
  }

  /** The number of bytes up to the end. */
  public long remaining() {
    return end - offset();
  }

  /**
   * The number of bytes up to the end to rely on: at most 16 MB if the input may end at any time.
   */
  long likely() {
    return Math.min(remaining(), unseenMax);
  }

  /** The checksum of all bytes read so far. */
  long checksum() {
    checksum = Crc64.update(checksum, buffer, summedTo, at);
    summedTo = at;
    return checksum;
  }

  RdbException wrong(String message) {
    return new RdbException(message, offset());
  }

  /** Makes sure that the buffer has {@code count} bytes, at most 16, from {@link #at} on. */
  private void need(int count) throws IOException {
    if (limit - at >= count) return;
    if (remaining() < count) throw wrong("ends too early");
    refill();
    while (limit < count) fill(limit);
  }

  private void refill() {
    long unused = checksum();
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    before += at;
    limit -= at;
    at = 0;
    summedTo = 0;
  }

  private void fill(int from) throws IOException {
    int count = in.read(buffer, from, buffer.length - from);
    if (count < 0) throw new RdbException("ends too early", before + from);
    limit = from + count;
  }

  public int get() throws IOException {
    need(1);
    return buffer[at++] & 0xff;
  }

  private int peek() throws IOException {
    need(1);
    return buffer[at] & 0xff;
  }

  /** Reads 8 bytes, the least significant first: a time, a double, a checksum. */
  long getLong() throws IOException {
    need(8);
    at += 8;
    return (long) LONG_LITTLE.get(buffer, at - 8);
  }

  int getInt() throws IOException {
    need(4);
    at += 4;
    return (int) INT_LITTLE.get(buffer, at - 4);
  }

  double getDouble() throws IOException {
    return Double.longBitsToDouble(getLong());
  }

  StreamId getId() throws IOException {
    need(16);
    at += 16;
    return new StreamId((long) LONG.get(buffer, at - 16), (long) LONG.get(buffer, at - 8));
  }

  /** Reads an unsigned number. */
  long getLength() throws IOException {
    int first = get();
    switch (RdbFormat.lengthType(first)) {
      case RdbFormat.LEN_6_BIT:
        return first;
      case RdbFormat.LEN_14_BIT:
        return (first & 0x3fL) << 8 | get();
      case 2:
        if (first == RdbFormat.LEN_32_BIT) {
          need(4);
          at += 4;
          return (int) INT.get(buffer, at - 4) & 0xffff_ffffL;
        }
        if (first == RdbFormat.LEN_64_BIT) {
          need(8);
          at += 8;
          return (long) LONG.get(buffer, at - 8);
        }
        throw wrong("not a length: first byte=" + first);
      default:
        throw wrong("a string instead of a length");
    }
  }

  /** Reads the count of elements that follow, which take {@code bytesMin} or more each. */
  int getCount(int bytesMin) throws IOException {
    long count = getLength();
    if (count < 0 || count > STRING_MAX) {
      throw wrong("too many elements: count=" + Long.toUnsignedString(count));
    }
    if (count > remaining() / bytesMin) {
      throw wrong("ends too early: count=" + count + ", bytes left=" + remaining());
    }
    return (int) count;
  }

  /** Reads a number that fits an int. */
  int getNumber() throws IOException {
    long number = getLength();
    if (number < 0 || number > Integer.MAX_VALUE) throw wrong("a number that is too high");
    return (int) number;
  }

  StreamId getLengths() throws IOException {
    long millis = getLength();
    return new StreamId(millis, getLength());
  }

  public byte[] getString() throws IOException {
    int first = peek();
    if (RdbFormat.lengthType(first) != RdbFormat.ENC_VAL) return getBytes(getCount(1));
    at++;
    return first == RdbFormat.ENC_LZF ? getCompressed() : text(getInteger(first));
  }

  /** Reads a string into a slice; it stays where it lies if the whole input is in an array. */
  void getLasting(Slice string) throws IOException {
    int first = isWhole && at < limit ? buffer[at] : -1;
    if (first < 0 || first > SHORT_MAX || first >= limit - at) {
      getLongerLasting(string);
      return;
    }
    string.wrap(buffer, at + 1, first);
    at += 1 + first;
  }

  private void getLongerLasting(Slice string) throws IOException {
    int length = isWhole ? lengthAt(at) : -1;
    if (length < 0) {
      string.wrap(getString());
      return;
    }
    at += headerAt(at) + length;
    string.wrap(buffer, at - length, length);
  }

  /** The bytes that are in the buffer; valid until anything else is read. */
  Slice ahead() {
    return ahead.wrap(buffer, at, limit - at);
  }

  /** Continues where the slice of {@link #ahead} begins now. */
  void skipToAhead() {
    at = ahead.offset();
  }

  /** Reads the integer that encodes a string of digits. */
  private long getInteger(int encoding) throws IOException {
    return switch (encoding) {
      case RdbFormat.ENC_INT8 -> (byte) get();
      case RdbFormat.ENC_INT16 -> (short) (get() | get() << 8);
      case RdbFormat.ENC_INT32 -> getInt();
      default -> throw wrong("unknown encoding of a string: first byte=" + encoding);
    };
  }

  /**
   * Reads a key and its string. Uncompressed bytes in the buffer are copied directly into the
   * record.
   */
  Record getRecord(long expireAtMillis) throws IOException {
    int keyLength = lengthAt(at);
    if (keyLength < 0) {
      byte[] key = getString();
      return getRecord(key, key.length, expireAtMillis);
    }
    int keyAt = at + headerAt(at);
    int length = lengthAt(keyAt + keyLength);
    if (length < 0) {
      byte[] key = scratch(keyLength);
      System.arraycopy(buffer, keyAt, key, 0, keyLength);
      at = keyAt + keyLength;
      return getRecord(key, keyLength, expireAtMillis);
    }
    int valueAt = keyAt + keyLength + headerAt(keyAt + keyLength);
    at = valueAt + length;
    return Record.of(buffer, keyAt, keyLength, buffer, valueAt, length, expireAtMillis);
  }

  private Record getRecord(byte[] key, int keyLength, long expireAtMillis) throws IOException {
    if (RdbFormat.lengthType(peek()) == RdbFormat.ENC_VAL)
      return getPackedRecord(key, keyLength, expireAtMillis);
    int length = getCount(1);
    if (length > unseenMax) {
      return Record.of(key, 0, keyLength, getBytes(length), 0, length, expireAtMillis);
    }
    byte[] own = Record.withRoom(key, 0, keyLength, length, expireAtMillis);
    getBytes(own, own.length - length);
    return Record.of(own);
  }

  /** Reads a string that is compressed or written as an integer. */
  private Record getPackedRecord(byte[] key, int keyLength, long expireAtMillis)
      throws IOException {
    int first = get();
    if (first == RdbFormat.ENC_LZF) {
      int size = getCount(1);
      int length = getDecompressedLength(size);
      byte[] compressed = seen(size);
      byte[] own = Record.withRoom(key, 0, keyLength, length, expireAtMillis);
      decompress(compressed, size, own, own.length - length, own.length);
      return Record.of(own);
    }
    long value = getInteger(first);
    int length = Decimals.length(value);
    byte[] own = Record.withRoom(key, 0, keyLength, length, expireAtMillis);
    int unused = Decimals.put(own, own.length - length, value);
    return Record.of(own);
  }

  /**
   * The length of the uncompressed string at a position if the buffer has all of it; otherwise -1.
   */
  private int lengthAt(int position) {
    if (limit - position < 2) return -1;
    int first = buffer[position] & 0xff;
    int type = RdbFormat.lengthType(first);
    if (type > RdbFormat.LEN_14_BIT) return -1;
    int length =
        type == RdbFormat.LEN_6_BIT ? first : (first & 0x3f) << 8 | buffer[position + 1] & 0xff;
    return length <= limit - position - headerAt(position) ? length : -1;
  }

  /** The number of bytes that a length below 16,384 takes. */
  private int headerAt(int position) {
    return RdbFormat.lengthType(buffer[position]) == RdbFormat.LEN_6_BIT ? 1 : 2;
  }

  private static byte[] text(long value) {
    byte[] text = new byte[Decimals.length(value)];
    int unused = Decimals.put(text, 0, value);
    return text;
  }

  private byte[] getCompressed() throws IOException {
    int size = getCount(1);
    int length = getDecompressedLength(size);
    byte[] compressed = seen(size);
    byte[] bytes = new byte[length];
    decompress(compressed, size, bytes, 0, length);
    return bytes;
  }

  private int getDecompressedLength(int size) throws IOException {
    long length = getLength();
    if (length < 0 || length > Math.min((long) COMPRESSION_MAX * size, STRING_MAX)) {
      throw wrong("impossible compression: from=" + Long.toUnsignedString(length) + ", to=" + size);
    }
    return (int) length;
  }

  /**
   * Reads {@code size} compressed bytes before any space for the decompressed ones is allocated.
   * Returns the buffer, in which they end at {@link #at}, or an array of their own.
   */
  private byte[] seen(int size) throws IOException {
    if (size > limit - at) return getBytes(size);
    at += size;
    return buffer;
  }

  /** Decompresses the bytes that {@link #seen} returned into a part of an array. */
  private void decompress(byte[] compressed, int size, byte[] bytes, int from, int to)
      throws IOException {
    int offset = compressed == buffer ? at - size : 0;
    try {
      Lzf.decompress(compressed, offset, size, bytes, from, to);
    } catch (IndexOutOfBoundsException e) {
      throw wrong("string not decompressible");
    }
  }

  /** An array of at least that length, valid until the next call. */
  private byte[] scratch(int length) {
    if (length > scratch.length && length <= BUFFER) scratch = new byte[2 * length];
    return length <= scratch.length ? scratch : new byte[length];
  }

  /** Reads a string that is a list pack; the pack is valid until anything else is read. */
  ListPack getPack() throws IOException {
    int length = lengthAt(at);
    if (length >= 0) {
      at += headerAt(at) + length;
      return pack.readRedis(buffer, at - length, length);
    }
    if (peek() != RdbFormat.ENC_LZF) return pack.readRedis(getString());
    at++;
    int size = getCount(1);
    length = getDecompressedLength(size);
    byte[] compressed = seen(size);
    byte[] bytes = scratch(length);
    decompress(compressed, size, bytes, 0, length);
    return pack.readRedis(bytes, 0, length);
  }

  public byte[] getBytes(int count) throws IOException {
    if (count > remaining()) throw wrong("ends too early");
    byte[] bytes = new byte[(int) Math.min(count, unseenMax)];
    getBytes(bytes, 0);
    while (bytes.length < count) {
      int from = bytes.length;
      bytes = Arrays.copyOf(bytes, (int) Math.min(count, 2L * from));
      getBytes(bytes, from);
    }
    return bytes;
  }

  /** Fills an array from {@code from} on. */
  private void getBytes(byte[] bytes, int from) throws IOException {
    int to = from + Math.min(bytes.length - from, limit - at);
    System.arraycopy(buffer, at, bytes, from, to - from);
    at += to - from;
    while (to < bytes.length) {
      refill();
      fill(0);
      int part = Math.min(bytes.length - to, limit);
      System.arraycopy(buffer, 0, bytes, to, part);
      at = part;
      to += part;
    }
  }
}
