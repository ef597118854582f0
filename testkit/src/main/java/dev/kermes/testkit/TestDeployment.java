package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;

/**
 * The Redis of a test: a {@link TestServer}, a {@link KermesCluster} or a {@link KermesSentinel}.
 *
 * <p>Any thread; {@link #reset} and {@link #close} while no other thread uses it.
 */
public sealed interface TestDeployment extends AutoCloseable permits TestServer, NodeDeployment {

  /** The URL for our client. */
  String url();

  /** A client of it, which ends with it. Its commands meet the faults, too. */
  RedisClient client();

  /**
   * The faults that clients meet.
   *
   * @throws IllegalStateException if it was started without them
   */
  Faults faults();

  /**
   * The clock of its servers.
   *
   * @throws IllegalStateException if a test cannot move it
   */
  ManualClock clock();

  /**
   * Returns it to its state at the start, except for its clock.
   *
   * @throws IllegalStateException if that is impossible
   */
  void reset();

  /** The last commands since the reset with their replies and faults, and the keys; many lines. */
  String report();

  /** Adds the report to the failure of a test, below which tools show it; returns the report. */
  default String reportTo(Throwable failure) {
    String report = report();
    failure.addSuppressed(new RedisReport(report));
    return report;
  }

  /** Ends it; returns when its threads are gone. */
  @Override
  void close();
}
