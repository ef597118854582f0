package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A key and its value in one byte array: a string of the keyspace, a field of a hash, or a member
 * of a set (with an empty value).
 *
 * <pre>
 *   |flags 1|access 3|key length 4|expiry 8, if flagged|key|value|
 * </pre>
 *
 * There is one object per key, with the value next to the key: a hit touches one place in memory
 * instead of three.
 */
public final class Record {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HAS_EXPIRY = 1;
  private static final int HEADER = 8;
  private static final int EXPIRY = 8;
  private static final int ACCESS_MASK = 0xffffff;

  private Record() {}

  public static byte[] of(byte[] key, byte[] value) {
    return of(key, 0, key.length, value, 0, value.length, Value.NEVER);
  }

  /** Copies key and value into a new record; {@code expireAtMillis} may be {@link Value#NEVER}. */
  public static byte[] of(Slice key, Slice value, long expireAtMillis) {
    return of(
        key.array(),
        key.offset(),
        key.length(),
        value.array(),
        value.offset(),
        value.length(),
        expireAtMillis);
  }

  public static byte[] of(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long expireAtMillis) {
    byte[] record = withRoom(key, keyOffset, keyLength, valueLength, expireAtMillis);
    System.arraycopy(value, valueOffset, record, record.length - valueLength, valueLength);
    return record;
  }

  /** A record whose value, at its end, is still to be written. */
  public static byte[] withRoom(
      byte[] key, int keyOffset, int keyLength, int valueLength, long expireAtMillis) {
    int header = expireAtMillis == Value.NEVER ? HEADER : HEADER + EXPIRY;
    byte[] record = new byte[header + keyLength + valueLength];
    INT.set(record, 4, keyLength);
    if (expireAtMillis != Value.NEVER) {
      record[0] = HAS_EXPIRY;
      LONG.set(record, HEADER, expireAtMillis);
    }
    System.arraycopy(key, keyOffset, record, header, keyLength);
    return record;
  }

  /**
   * A record of the same key and value with another expiry time; the same record if it has room.
   */
  public static byte[] withExpiry(byte[] record, long expireAtMillis) {
    if (hasExpiry(record) && expireAtMillis != Value.NEVER) {
      LONG.set(record, HEADER, expireAtMillis);
      return record;
    }
    byte[] copy =
        of(
            record,
            keyOffset(record),
            keyLength(record),
            record,
            valueOffset(record),
            valueLength(record),
            expireAtMillis);
    access(copy, access(record));
    return copy;
  }

  public static boolean hasExpiry(byte[] record) {
    return (record[0] & HAS_EXPIRY) != 0;
  }

  public static long expireAtMillis(byte[] record) {
    return hasExpiry(record) ? (long) LONG.get(record, HEADER) : Value.NEVER;
  }

  public static int keyLength(byte[] record) {
    return (int) INT.get(record, 4);
  }

  public static int keyOffset(byte[] record) {
    return HEADER + ((record[0] & HAS_EXPIRY) << 3);
  }

  public static int valueOffset(byte[] record) {
    return keyOffset(record) + keyLength(record);
  }

  public static int valueLength(byte[] record) {
    return record.length - valueOffset(record);
  }

  public static byte[] key(byte[] record) {
    int from = keyOffset(record);
    return Arrays.copyOfRange(record, from, from + keyLength(record));
  }

  public static byte[] value(byte[] record) {
    return Arrays.copyOfRange(record, valueOffset(record), record.length);
  }

  /** The access clock or LFU counter, 24 bits. */
  public static int access(byte[] record) {
    return (int) INT.get(record, 0) >>> 8;
  }

  public static void access(byte[] record, int clock) {
    INT.set(record, 0, (clock & ACCESS_MASK) << 8 | record[0] & 0xff);
  }
}
