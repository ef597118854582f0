package dev.kermes.bench.commands;

/**
 * The size of a case's data.
 *
 * @param count the elements of a collection, or the repetitions of a group of words
 * @param value the bytes of a value
 * @param keys the number of keys
 */
record Size(int count, int value, int keys) {

  private static final int KEYS_MAX = 10_000;
  private static final int ELEMENTS_MAX = 50_000;
  private static final int BYTES_MAX = 32 << 20;

  /** Returns the size of data with as many keys as about the same time suffices for. */
  static Size of(int count, int value, boolean hasElements) {
    int elements = hasElements ? count : 1;
    int keys = Math.min(KEYS_MAX, Math.min(ELEMENTS_MAX, BYTES_MAX / value) / elements);
    return new Size(count, value, Math.max(2, keys));
  }

  /** Returns a number of bytes in a short form. */
  static String bytes(int bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return (bytes >> 20) + " MB";
    if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return (bytes >> 10) + " KB";
    return bytes + " B";
  }
}
