package dev.kermes.server.data.stream;

/** The ID of a stream entry, {@code millis-sequence}, both unsigned. Immutable. */
public record StreamId(long millis, long sequence) implements Comparable<StreamId> {

  public static final StreamId MIN = new StreamId(0, 0);
  public static final StreamId MAX = new StreamId(-1, -1);

  @Override
  public int compareTo(StreamId other) {
    int byMillis = Long.compareUnsigned(millis, other.millis);
    return byMillis != 0 ? byMillis : Long.compareUnsigned(sequence, other.sequence);
  }

  public boolean isBefore(StreamId other) {
    return compareTo(other) < 0;
  }

  /** The following ID; there must be one. */
  public StreamId next() {
    return sequence == -1 ? new StreamId(millis + 1, 0) : new StreamId(millis, sequence + 1);
  }

  /** The preceding ID; there must be one. */
  public StreamId previous() {
    return sequence == 0 ? new StreamId(millis - 1, -1) : new StreamId(millis, sequence - 1);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(millis) + "-" + Long.toUnsignedString(sequence);
  }
}
