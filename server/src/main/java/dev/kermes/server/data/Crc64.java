package dev.kermes.server.data;

/** The checksum at the end of what DUMP replies: CRC-64 of Jones, bits reflected. */
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
    long crc = 0;
    for (int i = 0; i < length; i++) crc = TABLE[(int) (crc ^ bytes[i]) & 0xff] ^ crc >>> 8;
    return crc;
  }
}
