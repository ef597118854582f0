package dev.kermes.server.data.stream;

import org.jspecify.annotations.Nullable;

/** An entry that a group delivered to a consumer and that is not acknowledged yet. */
public final class PendingEntry {

  /** The greatest count of deliveries: marks an entry that no consumer can process. */
  public static final long DELIVERIES_MAX = Long.MAX_VALUE;

  final long millis;
  final long sequence;

  private long deliveredAtMillis;
  private long deliveries;
  @Nullable Consumer consumer;

  /** Neighbours in the group's order of delivery times. */
  @Nullable PendingEntry earlier;

  @Nullable PendingEntry later;

  PendingEntry(StreamId id) {
    millis = id.millis();
    sequence = id.sequence();
  }

  public StreamId id() {
    return new StreamId(millis, sequence);
  }

  int compareTo(StreamId other) {
    int byMillis = Long.compareUnsigned(millis, other.millis());
    return byMillis != 0 ? byMillis : Long.compareUnsigned(sequence, other.sequence());
  }

  /** The consumer it was delivered to; null if it was given back to the group. */
  public @Nullable Consumer consumer() {
    return consumer;
  }

  /** The time when it was last delivered; 0 if it was given back. */
  public long deliveredAtMillis() {
    return deliveredAtMillis;
  }

  void deliveredAtMillis(long unixMillis) {
    deliveredAtMillis = unixMillis;
  }

  public long deliveries() {
    return deliveries;
  }

  public void deliveries(long count) {
    deliveries = count;
  }

  /** Counts one more delivery. */
  public void countDelivery() {
    if (deliveries != DELIVERIES_MAX) deliveries++;
  }
}
