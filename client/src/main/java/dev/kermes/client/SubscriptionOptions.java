package dev.kermes.client;

/**
 * The size of a subscription's buffer, and what happens when a slow reader lets it overflow.
 * Immutable.
 *
 * @param bufferMax the number of events kept; 1,024 by default
 * @param overflow what happens when the buffer is full; the oldest message is dropped by default
 */
public record SubscriptionOptions(int bufferMax, Overflow overflow) {
  /** The treatment of events when the buffer is full. */
  public enum Overflow {
    /** Drops the oldest message; {@link SubscriptionEvent.Dropped} takes its place. */
    DROP_OLDEST,
    /** Drops the new message; {@link SubscriptionEvent.Dropped} takes its place. */
    DROP_NEWEST,
    /**
     * Ends the subscription: after the buffered events comes {@link SubscriptionEvent.Lost} with a
     * {@link QueueFullException}.
     */
    CLOSE
  }

  /** Rejects a buffer of less than one event. */
  public SubscriptionOptions {
    if (bufferMax < 1) throw new IllegalArgumentException("out of range: bufferMax=" + bufferMax);
  }

  /** A buffer of 1,024 events that drops the oldest messages. */
  public SubscriptionOptions() {
    this(1024, Overflow.DROP_OLDEST);
  }

  /** A buffer of {@code bufferMax} events that drops the oldest messages. */
  public static SubscriptionOptions ofBuffer(int bufferMax) {
    return new SubscriptionOptions(bufferMax, Overflow.DROP_OLDEST);
  }
}
