package dev.kermes.server.rdb;

import dev.kermes.resp.Decimals;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.stream.StreamId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of an RDB file.
 *
 * <pre>
 *   length   00nnnnnn                          LEN_6_BIT
 *            01nnnnnn 1 byte                   LEN_14_BIT
 *            10000000 4 bytes                  LEN_32_BIT, big-endian
 *            10000001 8 bytes                  LEN_64_BIT, big-endian
 *   string   length bytes
 *            11000000 1 byte                   ENC_INT8, an integer
 *            11000001 2 bytes                  ENC_INT16, little-endian
 *            11000010 4 bytes                  ENC_INT32, little-endian
 *            11000011 length length bytes      ENC_LZF: the lengths compressed and uncompressed
 * </pre>
 */
public final class RdbOutput {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Shorter strings hardly shrink. */
  private static final int COMPRESSED_MIN = 21;

  /** The length of the longest text that is written as an integer. */
  private static final int INTEGER_LENGTH_MAX = 11;

  /**
   * 16: up to this many bytes are copied as two longs, together with bytes that the next string
   * overwrites; a call to copy them would take longer.
   */
  private static final int FEW = 2 * Long.BYTES;

  /** 64 KiB: the space for a longer list pack is not kept. */
  private static final int FORM_KEPT = 1 << 16;

  /** Null if strings are not compressed. */
  private final @Nullable Lzf compressor;

  private byte[] bytes = new byte[256];
  private int length;

  /** Space for a list pack in Redis's own form. */
  private byte[] form = {};

  /** {@code compresses}: whether to compress long strings if that makes them shorter. */
  public RdbOutput(boolean compresses) {
    compressor = compresses ? new Lzf() : null;
  }

  /** The array; its first {@link #length()} bytes have been written. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns the array and continues at the start of another one. */
  byte[] exchange(byte[] next) {
    byte[] full = bytes;
    bytes = next;
    length = 0;
    return full;
  }

  public void clear() {
    length = 0;
  }

  /** Makes room for {@code more} bytes. */
  void room(int more) {
    if (bytes.length - length >= more) return;
    long wanted = Math.max((long) length + more, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
  }

  public void put(int value) {
    room(1);
    bytes[length++] = (byte) value;
  }

  public void put(byte[] source, int offset, int count) {
    room(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Writes 8 bytes, the least significant first: a time, a double, a checksum. */
  public void putLong(long value) {
    room(8);
    LONG_LITTLE.set(bytes, length, value);
    length += 8;
  }

  /** Writes 16 bytes that sort in the same order as the IDs. */
  void putId(StreamId id) {
    room(16);
    LONG.set(bytes, length, id.millis());
    LONG.set(bytes, length + 8, id.sequence());
    length += 16;
  }

  /** Writes a length, a count, or any other unsigned number. */
  public void putLength(long value) {
    room(9);
    if (value >= 0 && value < 1 << 6) {
      bytes[length++] = (byte) value;
    } else if (value >= 0 && value < 1 << 14) {
      bytes[length++] = (byte) (RdbFormat.LEN_14_BIT << 6 | value >> 8);
      bytes[length++] = (byte) value;
    } else if (value >>> 32 == 0) {
      bytes[length] = (byte) RdbFormat.LEN_32_BIT;
      INT.set(bytes, length + 1, (int) value);
      length += 5;
    } else {
      bytes[length] = (byte) RdbFormat.LEN_64_BIT;
      LONG.set(bytes, length + 1, value);
      length += 9;
    }
  }

  void putLengths(StreamId id) {
    putLength(id.millis());
    putLength(id.sequence());
  }

  public void putString(byte[] text) {
    putString(text, 0, text.length);
  }

  /** Writes a string in its shortest form. */
  public void putString(byte[] source, int offset, int count) {
    if (count <= INTEGER_LENGTH_MAX && putInteger(source, offset, count)) return;
    if (count >= COMPRESSED_MIN && putCompressed(source, offset, count)) return;
    if (count < 1 << 6) {
      putShort(source, offset, count);
      return;
    }
    putLength(count);
    put(source, offset, count);
  }

  /** Writes a string whose length takes one byte. */
  private void putShort(byte[] source, int offset, int count) {
    room(1 + Math.max(count, FEW));
    byte[] out = bytes;
    int at = length;
    out[at] = (byte) count;
    if (count <= FEW && offset <= source.length - FEW) {
      LONG_LITTLE.set(out, at + 1, (long) LONG_LITTLE.get(source, offset));
      LONG_LITTLE.set(out, at + 9, (long) LONG_LITTLE.get(source, offset + 8));
    } else {
      System.arraycopy(source, offset, out, at + 1, count);
    }
    length = at + 1 + count;
  }

  /** Writes a list pack as a string. */
  void putPack(ListPack pack) {
    int size = pack.redisLength();
    byte[] whole = size <= form.length ? form : new byte[size];
    if (size <= FORM_KEPT) form = whole;
    pack.toRedis(whole);
    putString(whole, 0, size);
  }

  private boolean putInteger(byte[] source, int offset, int count) {
    if (!Decimals.isLong(source, offset, count)) return false;
    long value = Decimals.parseLong(source, offset, count);
    if (value != (int) value) return false;
    int size = value == (byte) value ? 1 : value == (short) value ? 2 : 4;
    put(RdbFormat.ENC_INT8 | size >> 1);
    for (int i = 0; i < size; i++) put((int) value >> 8 * i);
    return true;
  }

  private boolean putCompressed(byte[] source, int offset, int count) {
    if (compressor == null) return false;
    int compressedCount = compressor.compress(source, offset, count);
    if (compressedCount < 0) return false;
    put(RdbFormat.ENC_LZF);
    putLength(compressedCount);
    putLength(count);
    put(compressor.result(), 0, compressedCount);
    return true;
  }
}
