package dev.kermes.server.stats;

import dev.kermes.server.time.Clock;
import java.util.function.LongSupplier;

/** The rates that INFO shows, sampled by the cron. Guarded by the keyspace lock. */
public final class Rates {

  private static final long INTERVAL_NANOS = 100_000_000;

  public final Rate commands = new Rate();
  public final Rate inputBytes = new Rate();
  public final Rate outputBytes = new Rate();
  public final Rate replicationInputBytes = new Rate();
  public final Rate replicationOutputBytes = new Rate();
  public final Rate turns = new Rate();
  public final Rate turnNanos = new Rate();

  private final Clock clock;
  private final Statistics statistics;
  private final LongSupplier turnCount;
  private final LongSupplier heldNanos;
  private long lastNanos;

  /**
   * Takes the first samples.
   *
   * @param turnCount the number of turns so far
   * @param heldNanos the time for which they held the keyspace lock
   */
  public Rates(Clock clock, Statistics statistics, LongSupplier turnCount, LongSupplier heldNanos) {
    this.clock = clock;
    this.statistics = statistics;
    this.turnCount = turnCount;
    this.heldNanos = heldNanos;
    lastNanos = clock.nanos();
    sampleAll(lastNanos);
  }

  /** Takes samples, unless the last ones are less than 100 milliseconds old. */
  public void sample() {
    long now = clock.nanos();
    if (now - lastNanos < INTERVAL_NANOS) return;
    lastNanos = now;
    sampleAll(now);
  }

  private void sampleAll(long now) {
    commands.sample(now, statistics.commands);
    inputBytes.sample(now, statistics.inputBytes);
    outputBytes.sample(now, statistics.outputBytes);
    replicationInputBytes.sample(now, statistics.replicationInputBytes);
    replicationOutputBytes.sample(now, statistics.replicationOutputBytes.get());
    turns.sample(now, turnCount.getAsLong());
    turnNanos.sample(now, heldNanos.getAsLong());
  }
}
