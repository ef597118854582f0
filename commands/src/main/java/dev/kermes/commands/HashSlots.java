package dev.kermes.commands;

/**
 * The hash slots of a cluster: CRC16 (XMODEM) of a key, or of its hash tag, modulo 16,384.
 *
 * <pre>
 *   user:{42}:name    only what is between the first { and the next } counts, unless it is nothing
 * </pre>
 */
public final class HashSlots {
  /** The number of hash slots. */
  public static final int COUNT = 16_384;

  private static final short[] CRC = crcTable();

  private HashSlots() {}

  private static short[] crcTable() {
    short[] table = new short[256];
    for (int i = 0; i < 256; i++) {
      int crc = i << 8;
      for (int bit = 0; bit < 8; bit++) crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
      table[i] = (short) crc;
    }
    return table;
  }

  /** The slot of the key in bytes [offset, offset + length). */
  public static int of(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int open = indexOf(bytes, '{', offset, end);
    int close = open < 0 ? -1 : indexOf(bytes, '}', open + 1, end);
    return close > open + 1 ? hash(bytes, open + 1, close) : hash(bytes, offset, end);
  }

  /** The slot of {@code key}. */
  public static int of(byte[] key) {
    return of(key, 0, key.length);
  }

  private static int indexOf(byte[] bytes, char wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == wanted) return i;
    }
    return -1;
  }

  private static int hash(byte[] bytes, int from, int to) {
    int crc = 0;
    for (int i = from; i < to; i++) crc = crc << 8 ^ CRC[(crc >> 8 ^ bytes[i]) & 0xff];
    return crc & COUNT - 1;
  }
}
