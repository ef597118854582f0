package dev.kermes.client.internal.stream;

/** Compares ids of stream entries: {@code milliseconds-sequence}, two unsigned numbers. */
final class StreamIds {

  private StreamIds() {}

  /** Negative, zero or positive as the first id is less, equal or greater. */
  static int compare(String first, String second) {
    int byTime = Long.compareUnsigned(part(first, 0), part(second, 0));
    return byTime != 0 ? byTime : Long.compareUnsigned(part(first, 1), part(second, 1));
  }

  /** A sequence that is left out is 0. */
  private static long part(String id, int index) {
    int dash = id.indexOf('-');
    if (index == 0) return Long.parseUnsignedLong(dash < 0 ? id : id.substring(0, dash));
    return dash < 0 ? 0 : Long.parseUnsignedLong(id.substring(dash + 1));
  }
}
