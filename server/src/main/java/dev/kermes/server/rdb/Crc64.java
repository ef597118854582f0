package dev.kermes.server.rdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The checksum of RDB files and of DUMP's replies: the CRC-64 of Jones, bits reflected. Processes
 * sixteen bytes at a time, each with a table for its place among them. Two or three parts of the
 * input in turn, combined by another table, were a tenth faster at most.
 */
public final class Crc64 {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The polynomial ad93d23594c935a9, its bits reversed. */
  private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;

  private static final int BYTES = 256;

  /** The table from {@code n * 256} on has the checksums of a byte that n zeros follow. */
  private static final long[] TABLES = new long[16 * BYTES];

  static {
    for (int i = 0; i < BYTES; i++) {
      long crc = i;
      for (int bit = 0; bit < 8; bit++) crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      TABLES[i] = crc;
    }
    for (int i = BYTES; i < TABLES.length; i++) {
      long shorter = TABLES[i - BYTES];
      TABLES[i] = TABLES[(int) shorter & 0xff] ^ shorter >>> 8;
    }
  }

  private Crc64() {}

  /** The checksum of the first {@code length} bytes. */
  public static long of(byte[] bytes, int length) {
    return update(0, bytes, 0, length);
  }

  /** Extends the checksum {@code crc}, which is 0 initially, by the bytes between two indices. */
  public static long update(long crc, byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - 16; i += 16) {
      crc = eight(crc ^ (long) LONG.get(bytes, i), 8) ^ eight((long) LONG.get(bytes, i + 8), 0);
    }
    for (; i < to; i++) crc = TABLES[(int) (crc ^ bytes[i]) & 0xff] ^ crc >>> 8;
    return crc;
  }

  /** The checksum of eight bytes followed by {@code zeros} zeros. */
  private static long eight(long word, int zeros) {
    int first = zeros * BYTES;
    return TABLES[first + 7 * BYTES + ((int) word & 0xff)]
        ^ TABLES[first + 6 * BYTES + ((int) (word >>> 8) & 0xff)]
        ^ TABLES[first + 5 * BYTES + ((int) (word >>> 16) & 0xff)]
        ^ TABLES[first + 4 * BYTES + ((int) (word >>> 24) & 0xff)]
        ^ TABLES[first + 3 * BYTES + ((int) (word >>> 32) & 0xff)]
        ^ TABLES[first + 2 * BYTES + ((int) (word >>> 40) & 0xff)]
        ^ TABLES[first + BYTES + ((int) (word >>> 48) & 0xff)]
        ^ TABLES[first + (int) (word >>> 56)];
  }
}
