package dev.kermes.server.migrate;

import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to targets. A connection is kept for a while after use, since keys are often
 * moved to the same target one after the other. Any thread.
 */
public final class TargetConnections {

  private static final int KEPT_MAX = 64;
  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private record Idle(TargetConnection connection, long sinceNanos) {}

  private final Clock clock;
  private final Map<Target, Idle> idle = new LinkedHashMap<>();
  private final Set<TargetConnection> used = new HashSet<>();
  private boolean isClosed;

  public TargetConnections(Clock clock) {
    this.clock = clock;
  }

  /** The number of connections that are kept but not in use. */
  public synchronized int idleCount() {
    return idle.size();
  }

  /** Takes a kept connection to the target; null if there is none. */
  public synchronized @Nullable TargetConnection take(Target target) {
    Idle kept = idle.remove(target);
    if (kept == null) return null;
    used.add(kept.connection());
    return kept.connection();
  }

  /** Opens a new connection, which is not logged in yet. */
  public TargetConnection open(Target target, long timeoutMillis) throws IOException {
    TargetConnection connection = TargetConnection.open(target, timeoutMillis);
    if (add(connection)) return connection;
    close(connection);
    throw new IOException("the server ends");
  }

  private synchronized boolean add(TargetConnection connection) {
    used.add(connection);
    return !isClosed;
  }

  /** Keeps a connection for the next caller with the same target. */
  public synchronized void giveBack(Target target, TargetConnection connection) {
    used.remove(connection);
    Idle other = idle.put(target, new Idle(connection, clock.nanos()));
    if (other != null) closeQuietly(other.connection());
    if (idle.size() > KEPT_MAX) closeFirst();
    if (isClosed) closeFirst();
  }

  private void closeFirst() {
    Iterator<Idle> first = idle.values().iterator();
    closeQuietly(first.next().connection());
    first.remove();
  }

  /** Closes a connection that is no longer needed. */
  public synchronized void close(TargetConnection connection) {
    used.remove(connection);
    closeQuietly(connection);
  }

  /** Closes the connections that were unused for a while; to be called periodically. */
  public synchronized void closeIdle() {
    long oldest = clock.nanos() - IDLE_NANOS_MAX;
    while (!idle.isEmpty() && idle.values().iterator().next().sinceNanos() - oldest < 0) {
      closeFirst();
    }
  }

  /** Closes all connections and prevents new ones: the server is shutting down. */
  public synchronized void close() {
    isClosed = true;
    for (TargetConnection each : used) closeQuietly(each);
    while (!idle.isEmpty()) closeFirst();
  }

  public synchronized boolean isClosed() {
    return isClosed;
  }

  private static void closeQuietly(TargetConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // The connection is no longer needed.
    }
  }
}
