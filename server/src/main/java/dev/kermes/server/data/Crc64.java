package dev.kermes.server.data;

/** The checksum of RDB files and of what DUMP replies: CRC-64 of Jones, bits reflected. */
public final class Crc64 {

  /** The polynomial ad93d23594c935a9, its bits reversed. */
  private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;

  private static final long[] TABLE = new long[256];

  static {
    for (int i = 0; i < 256; i++) {
      long crc = i;
      for (int bit = 0; bit < 8; bit++) crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      TABLE[i] = crc;
    }
  }

  private Crc64() {}

  /** Of the first {@code length} bytes. */
  public static long of(byte[] bytes, int length) {
    return update(0, bytes, 0, length);
  }

  /** Of what {@code crc} is of, followed by the bytes between two indices; it begins with 0. */
  public static long update(long crc, byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) crc = TABLE[(int) (crc ^ bytes[i]) & 0xff] ^ crc >>> 8;
    return crc;
  }
}
