package dev.kermes.events;

import java.time.Duration;

/**
 * How long events wait in Redis whose handlers failed in spite of their own retries. Such an event
 * is parked, and with it its key: later events of the key wait behind it, all others continue. The
 * owner of the partition tries the event again and again, until it succeeds or its time is over;
 * then it is a dead letter, and the next event of the key begins. Immutable: methods with an
 * argument return a copy.
 *
 * <pre>{@code
 * Parking.upTo(Duration.ofHours(24)).backoff(Duration.ofSeconds(10), Duration.ofMinutes(10))
 * }</pre>
 *
 * @param age how long after its first failure an event is tried again; zero for never
 * @param backoffFirst the wait before the first attempt; each next wait is twice as long
 * @param backoffMax the longest wait
 * @param lengthMax how many events of a key may wait; further ones are dead letters at once
 */
public record Parking(Duration age, Duration backoffFirst, Duration backoffMax, int lengthMax) {

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration MAX = Duration.ofMinutes(10);
  private static final int LENGTH_MAX = 10_000;

  private static final Parking NONE = new Parking(Duration.ZERO, FIRST, MAX, LENGTH_MAX);

  /** Checks the ranges. */
  public Parking {
    boolean isOrdered = backoffFirst.toMillis() > 0 && backoffMax.compareTo(backoffFirst) >= 0;
    if (age.isNegative() || !isOrdered || lengthMax < 1) {
      throw new IllegalArgumentException(
          "out of range: age=%s, backoffFirst=%s, backoffMax=%s, lengthMax=%d"
              .formatted(age, backoffFirst, backoffMax, lengthMax));
    }
  }

  /** Events that fail are dead letters at once. */
  public static Parking none() {
    return NONE;
  }

  /** For this time, with waits from 10 seconds to 10 minutes, and up to 10,000 events of a key. */
  public static Parking upTo(Duration age) {
    return new Parking(age, FIRST, MAX, LENGTH_MAX);
  }

  /** The same with other waits, of at least a millisecond. */
  public Parking backoff(Duration first, Duration max) {
    return new Parking(age, first, max, lengthMax);
  }

  /** The same with another number of events of a key. */
  public Parking lengthMax(int events) {
    return new Parking(age, backoffFirst, backoffMax, events);
  }

  /** Whether events are parked at all. */
  boolean isOn() {
    return !age.isZero();
  }
}
