package dev.kermes.client;

import java.time.Duration;
import java.time.Instant;

/**
 * Durations, instants, scores and ranks as the numbers and texts of the protocol. Times are rounded
 * up, so that nothing ends before its time.
 */
final class Units {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private Units() {}

  static long seconds(Duration duration) {
    return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
  }

  static long milliseconds(Duration duration) {
    return duration.toMillis() + (duration.getNano() % NANOS_PER_MILLI > 0 ? 1 : 0);
  }

  /** Zero, which waits without end, only for zero. */
  static double fractionalSeconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS_PER_SECOND;
  }

  static long seconds(Instant time) {
    return time.getEpochSecond() + (time.getNano() > 0 ? 1 : 0);
  }

  static long milliseconds(Instant time) {
    return time.toEpochMilli() + (time.getNano() % NANOS_PER_MILLI > 0 ? 1 : 0);
  }

  static String score(double score) {
    if (Double.isInfinite(score)) return score > 0 ? "inf" : "-inf";
    return Double.toString(score);
  }

  static String rank(long rank) {
    return Long.toString(rank);
  }
}
