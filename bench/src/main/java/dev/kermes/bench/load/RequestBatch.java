package dev.kermes.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Requests of one connection, built from templates in one array.
 *
 * <pre>
 *   *3 $3 SET $len memtier-key $size value     sets of them, then
 *   *2 $3 GET $len memtier-key                 gets of them, and again
 * </pre>
 *
 * No allocation per request. Owned by the connection's thread.
 */
final class RequestBatch implements Requests {

  private static final byte[] GET = ascii("*2\r\n$3\r\nGET\r\n");
  private static final byte[] SET = ascii("*3\r\n$3\r\nSET\r\n");
  private static final byte[] PREFIX = ascii("memtier-");
  private static final int DIGITS_MAX = 19;

  private final byte[] value;
  private final int sets;
  private final int cycle;
  private final long keys;
  private final byte[] bytes;
  private int length;
  private int position;
  private long random;

  RequestBatch(MemtierRequests settings, int requestsMax, long seed) {
    value = ascii("$" + settings.dataSize() + "\r\n" + "x".repeat(settings.dataSize()) + "\r\n");
    sets = settings.sets();
    cycle = settings.sets() + settings.gets();
    keys = settings.keyMaximum() + 1;
    random = mix(seed);
    bytes = new byte[requestsMax * (SET.length + PREFIX.length + DIGITS_MAX + 8 + value.length)];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void fill(int count) {
    length = 0;
    for (int i = 0; i < count; i++) {
      if (position < sets) set(nextKey());
      else get(nextKey());
      if (++position == cycle) position = 0;
    }
  }

  void clear() {
    length = 0;
  }

  void get(long key) {
    put(GET);
    putKey(key);
  }

  void set(long key) {
    put(SET);
    putKey(key);
    put(value);
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int length() {
    return length;
  }

  private void put(byte[] part) {
    System.arraycopy(part, 0, bytes, length, part.length);
    length += part.length;
  }

  private void putKey(long key) {
    int digits = digits(key);
    bytes[length++] = '$';
    putNumber(PREFIX.length + digits, digits(PREFIX.length + digits));
    putLine();
    put(PREFIX);
    putNumber(key, digits);
    putLine();
  }

  private void putLine() {
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  private void putNumber(long number, int digits) {
    long rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private static int digits(long number) {
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) digits++;
    return digits;
  }

  /** SplitMix64, scaled to the range by its high half. */
  private long nextKey() {
    random += 0x9E3779B97F4A7C15L;
    return Math.unsignedMultiplyHigh(mix(random), keys);
  }

  private static long mix(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
