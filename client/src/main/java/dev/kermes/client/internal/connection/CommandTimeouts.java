package dev.kermes.client.internal.connection;

import dev.kermes.client.internal.pending.PendingQueue;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Enforces the deadlines of the commands of one connection, and has the peer's health checked. One
 * timer per connection checks all its commands every 10 ms while there are any, so that a command
 * costs no timer of its own. Owned by the event loop.
 */
final class CommandTimeouts {
  private static final long TICK_MILLIS = 10;

  private final PipelinedConnection connection;
  private final EventLoop loop;
  private final PendingQueue queue;
  private final PeerHealth health;
  private boolean isTicking;

  CommandTimeouts(
      PipelinedConnection connection, EventLoop loop, PendingQueue queue, PeerHealth health) {
    this.connection = connection;
    this.loop = loop;
    this.queue = queue;
    this.health = health;
  }

  /** Starts ticking if there are commands. To be called after commands were appended. */
  void start() {
    if (isTicking || queue.isEmpty()) return;
    health.start(System.nanoTime());
    scheduleTick();
  }

  private void scheduleTick() {
    isTicking = true;
    loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    isTicking = false;
    connection.checkTime(System.nanoTime());
    if (!queue.isEmpty()) scheduleTick();
  }

  /** The nanoseconds of {@code timeout}, of which zero means none. */
  static long nanosOrForever(Duration timeout) {
    return timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
  }
}
