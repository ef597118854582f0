package dev.kermes.client.internal.command;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Converts durations, instants, scores and ranks to the numbers and texts of the protocol. Times
 * are rounded up, so that nothing ends too early.
 */
public final class Units {
  private static final double NANOS_PER_SECOND = 1e9;

  private Units() {}

  public static long seconds(Duration duration) {
    Duration truncated = duration.truncatedTo(ChronoUnit.SECONDS);
    return truncated.toSeconds() + (truncated.compareTo(duration) < 0 ? 1 : 0);
  }

  public static long milliseconds(Duration duration) {
    Duration truncated = duration.truncatedTo(ChronoUnit.MILLIS);
    return truncated.toMillis() + (truncated.compareTo(duration) < 0 ? 1 : 0);
  }

  /** Returns zero, which means to wait without limit, only for zero. */
  public static double fractionalSeconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / NANOS_PER_SECOND;
  }

  public static long seconds(Instant time) {
    return seconds(Duration.between(Instant.EPOCH, time));
  }

  public static long milliseconds(Instant time) {
    return milliseconds(Duration.between(Instant.EPOCH, time));
  }

  public static String score(double score) {
    if (Double.isInfinite(score)) return score > 0 ? "inf" : "-inf";
    return Double.toString(score);
  }

  public static String rank(long rank) {
    return Long.toString(rank);
  }
}
