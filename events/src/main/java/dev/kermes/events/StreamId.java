package dev.kermes.events;

/**
 * The id of a stream's entry: the server's time in milliseconds, and a number among those of the
 * same millisecond. Ids of one stream grow.
 */
record StreamId(long millis, long number) implements Comparable<StreamId> {

  /** Before the first entry. */
  static final StreamId ZERO = new StreamId(0, 0);

  /** Parses {@code 1700000000000-0}. */
  static StreamId parse(String text) {
    int dash = text.indexOf('-');
    if (dash < 0) return new StreamId(Long.parseLong(text), 0);
    return new StreamId(
        Long.parseLong(text.substring(0, dash)), Long.parseUnsignedLong(text.substring(dash + 1)));
  }

  @Override
  public int compareTo(StreamId other) {
    return millis != other.millis
        ? Long.compare(millis, other.millis)
        : Long.compareUnsigned(number, other.number);
  }

  @Override
  public String toString() {
    return millis + "-" + Long.toUnsignedString(number);
  }
}
