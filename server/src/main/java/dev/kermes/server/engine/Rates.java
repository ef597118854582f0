package dev.kermes.server.engine;

/** The rates that INFO shows, sampled by the clock work. Guarded by the keyspace lock. */
public final class Rates {

  private static final long INTERVAL_NANOS = 100_000_000;

  public final Rate commands = new Rate();
  public final Rate inputBytes = new Rate();
  public final Rate outputBytes = new Rate();
  public final Rate replicationInputBytes = new Rate();
  public final Rate replicationOutputBytes = new Rate();
  public final Rate turns = new Rate();
  public final Rate turnNanos = new Rate();

  private final Engine engine;
  private long lastNanos;

  Rates(Engine engine) {
    this.engine = engine;
    lastNanos = engine.clock().nanos();
    sampleAll(lastNanos);
  }

  /** Samples, unless that was done less than 100 milliseconds ago. */
  public void sample() {
    long now = engine.clock().nanos();
    if (now - lastNanos < INTERVAL_NANOS) return;
    lastNanos = now;
    sampleAll(now);
  }

  private void sampleAll(long now) {
    Statistics statistics = engine.statistics();
    commands.sample(now, statistics.commands);
    inputBytes.sample(now, statistics.inputBytes);
    outputBytes.sample(now, statistics.outputBytes);
    replicationInputBytes.sample(now, statistics.replicationInputBytes);
    replicationOutputBytes.sample(now, statistics.replicationOutputBytes.get());
    turns.sample(now, engine.keyspaceLock().turns());
    turnNanos.sample(now, engine.keyspaceLock().heldNanos());
  }
}
