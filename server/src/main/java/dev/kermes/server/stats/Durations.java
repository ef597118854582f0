package dev.kermes.server.stats;

/**
 * The distribution of a command's durations: counts by duration, with an error below 2 percent.
 *
 * <pre>
 *   bucket   |exponent|5 bits of mantissa|      below 64 ns: the duration itself
 * </pre>
 *
 * 8 KB per command that was called. Guarded by the keyspace lock.
 */
public final class Durations {

  private static final int MANTISSA_BITS = 5;
  private static final int EXACT = 1 << MANTISSA_BITS + 1;

  /** A second; longer durations count as this one. */
  private static final long NANOS_MAX = 1_000_000_000;

  private final int[] counts = new int[bucket(NANOS_MAX) + 1];
  private long total;

  public void add(long nanos, int count) {
    counts[bucket(Math.clamp(nanos, 1, NANOS_MAX))] += count;
    total += count;
  }

  /** The number of durations. */
  public long total() {
    return total;
  }

  /** The duration that {@code percent} percent of all do not exceed, in nanoseconds. */
  public long percentile(double percent) {
    long wanted = Math.max(1, (long) Math.ceil(total * percent / 100));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) return upperEnd(i);
    }
    return NANOS_MAX;
  }

  /** The number of calls that took at most that long. */
  public long countUpTo(long nanos) {
    long count = 0;
    for (int i = 0; i < counts.length && upperEnd(i) <= nanos; i++) count += counts[i];
    return count;
  }

  private static int bucket(long nanos) {
    if (nanos < EXACT) return (int) nanos;
    int shift = 63 - MANTISSA_BITS - Long.numberOfLeadingZeros(nanos);
    return (shift << MANTISSA_BITS) + (int) (nanos >>> shift);
  }

  private static long upperEnd(int bucket) {
    if (bucket < EXACT) return bucket;
    int shift = (bucket >>> MANTISSA_BITS) - 1;
    long mantissa = bucket - ((long) shift << MANTISSA_BITS);
    return (mantissa + 1 << shift) - 1;
  }
}
