package dev.kermes.client;

/**
 * How much a subscription keeps for a reader who is slow, and what happens then. Immutable.
 *
 * @param bufferMax events kept; 1,024 by default
 * @param overflow what happens to the event after that; the oldest goes by default
 */
public record SubscriptionOptions(int bufferMax, Overflow overflow) {
  /** What happens when the buffer is full. */
  public enum Overflow {
    /** The oldest message goes; {@link SubscriptionEvent.Dropped} stands in its place. */
    DROP_OLDEST,
    /** The new message goes; {@link SubscriptionEvent.Dropped} stands in its place. */
    DROP_NEWEST,
    /**
     * The subscription ends: after what it has kept comes {@link SubscriptionEvent.Lost} with a
     * {@link QueueFullException}.
     */
    CLOSE
  }

  /** Rejects a buffer without room. */
  public SubscriptionOptions {
    if (bufferMax < 1) throw new IllegalArgumentException("out of range: bufferMax=" + bufferMax);
  }

  /** 1,024 events, of which the oldest go. */
  public SubscriptionOptions() {
    this(1024, Overflow.DROP_OLDEST);
  }

  /** So many events, of which the oldest go. */
  public static SubscriptionOptions ofBuffer(int bufferMax) {
    return new SubscriptionOptions(bufferMax, Overflow.DROP_OLDEST);
  }
}
