package dev.kermes.server.client;

import dev.kermes.server.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs clients that are closed because of their behaviour or their memory. Since an attack may
 * close thousands of clients a second, only some lines of each second are written, and the others
 * are counted. Any thread.
 */
public final class Closings {

  private static final Logger LOG = LoggerFactory.getLogger(Closings.class);

  private static final int LINES_PER_SECOND = 10;

  private final Clock clock;
  private long secondStart;
  private int lines;
  private long leftOut;

  /** Creates a log that writes to the program's log. */
  public Closings(Clock clock) {
    this.clock = clock;
    secondStart = clock.nanos();
  }

  /** Logs why a client is closed, which may not have a session yet. */
  public void warn(@Nullable Session session, String reason) {
    if (isWritten()) LOG.warn("closing {}: {}", session == null ? "connection" : session, reason);
  }

  /** Logs that a client is closed because of a fault of ours. */
  public void warn(@Nullable Session session, Throwable fault) {
    if (isWritten()) LOG.warn("closing {}", session, fault);
  }

  /** Logs how many lines were left out, once the second is over; called now and then. */
  public synchronized void look() {
    if (clock.nanos() - secondStart < TimeUnit.SECONDS.toNanos(1)) return;
    secondStart = clock.nanos();
    lines = 0;
    if (leftOut > 0) LOG.warn("closed {} more connections without a line for each", leftOut);
    leftOut = 0;
  }

  private synchronized boolean isWritten() {
    look();
    if (lines++ < LINES_PER_SECOND) return true;
    leftOut++;
    return false;
  }
}
