package dev.kermes.events;

import java.time.Duration;

/**
 * The time for which a partition is owned, by the clock of this JVM. It counts from before the
 * request that renewed it, and ends a quarter earlier than in the server, so that an owner stops
 * before another one begins. Written by the partition's thread, read by any.
 */
final class Lease {

  /** 4: the margin is a fourth of the lease. */
  private static final int MARGIN = 4;

  /** 3: a quiet partition is renewed when a third of the lease has passed. */
  private static final int RENEWALS = 3;

  private final Duration length;
  private volatile long renewedNanos;

  Lease(Duration length, long requestedNanos) {
    this.length = length;
    renewedNanos = requestedNanos;
  }

  /** The length that scripts get, in milliseconds. */
  String millis() {
    return Long.toString(length.toMillis());
  }

  /** Records that a request has renewed the lease. */
  void renewed(long requestedNanos) {
    renewedNanos = requestedNanos;
  }

  /** How long the owner may still act; not positive if it must stop. */
  long leftNanos() {
    return renewedNanos + length.toNanos() / MARGIN * (MARGIN - 1) - System.nanoTime();
  }

  /** The time until the next renewal is needed. */
  long untilRenewalNanos() {
    return renewedNanos + length.toNanos() / RENEWALS - System.nanoTime();
  }

  /** How long a request may take: the owner asks more than once before the lease ends. */
  Duration requestTimeout() {
    long third = length.toNanos() / RENEWALS;
    return Duration.ofNanos(Math.max(1_000_000, Math.min(third, leftNanos())));
  }
}
