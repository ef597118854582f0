package dev.kermes.resp;

/**
 * The capacity of the array in which a bulk arrives that begins at a position; its length is
 * negative if there is none.
 */
final class BulkRoom {

  /**
   * 16 MiB: for a longer bulk, the extra capacity for the bytes after it is less than a hundredth.
   */
  private static final int VERY_LONG_BULK = 16 << 20;

  /** 32 KiB: the room after a long bulk, so that what arrives with its end causes no copy of it. */
  private static final int ROOM_AFTER = 32 * 1024;

  /** 4 KiB: arrays for bulks of one length are alike, whatever comes before the bulk. */
  private static final int LONG_UNIT = 4 * 1024;

  private BulkRoom() {}

  /** Whether an array is too short for a bulk that gets its whole array, with input to an end. */
  static boolean isOutgrown(int capacity, int position, int bulkLength, int end) {
    return isLong(bulkLength)
        && capacity < (long) position + bulkLength
        && getsWhole(position, bulkLength, end);
  }

  /** The capacity of a spare array for the bulk; 0 if none should be used. */
  static int ofSpareArray(int position, int bulkLength) {
    boolean isUsual = isLong(bulkLength) && bulkLength < VERY_LONG_BULK;
    return isUsual ? (int) wholeBulk(position, bulkLength) : 0;
  }

  /**
   * Twice the capacity, but no more than the long bulk that is arriving needs, and all of that once
   * an eighth has arrived: growing then copies less than a quarter of the bulk, and a client that
   * only announces a long one gets no memory for it.
   */
  static long grown(int capacity, int position, int bulkLength, int end, int length) {
    long doubled = capacity * 2L;
    if (bulkLength < 0 || bulkEnd(position, bulkLength) <= end) return doubled;
    long whole =
        isLong(bulkLength) ? wholeBulk(position, bulkLength) : bulkEnd(position, bulkLength);
    return getsWhole(position, bulkLength, end + length) ? whole : Math.min(doubled, whole);
  }

  private static boolean isLong(int bulkLength) {
    return bulkLength >= SpareArrays.LENGTH_MIN;
  }

  /** Whether an eighth of the bulk is there when input up to {@code end} has arrived. */
  private static boolean getsWhole(int position, int bulkLength, int end) {
    return bulkLength < VERY_LONG_BULK && end >= bulkEnd(position, bulkLength) / 8;
  }

  private static long bulkEnd(int position, int bulkLength) {
    return (long) position + bulkLength + 2;
  }

  /** The capacity for the long bulk that is arriving and for input that may come with its end. */
  private static long wholeBulk(int position, int bulkLength) {
    return (bulkEnd(position, bulkLength) + ROOM_AFTER + LONG_UNIT) & -LONG_UNIT;
  }
}
