package dev.kermes.client.internal.connection;

import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingQueue;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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
  private final LongSupplier clock;
  private final boolean hasOwnClock;
  private boolean isTicking;

  CommandTimeouts(
      PipelinedConnection connection,
      EventLoop loop,
      PendingQueue queue,
      PeerHealth health,
      RedisOptions options) {
    this.connection = connection;
    this.loop = loop;
    this.queue = queue;
    this.health = health;
    this.clock = options.clock();
    this.hasOwnClock = options.hasOwnClock();
  }

  /**
   * Sets the deadline of a command that is about to be queued, by a clock that is not the
   * machine's: it may move before the loop sees the command. Any thread.
   */
  void onSend(PendingCommand pending) {
    if (!hasOwnClock || pending.deadlineNanos() != 0) return;
    long timeout = pending.timeoutNanos();
    if (timeout != Long.MAX_VALUE) pending.setDeadlineNanos(clock.getAsLong() + timeout);
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
    connection.checkTime(clock.getAsLong(), System.nanoTime());
    if (!queue.isEmpty()) scheduleTick();
  }

  /** The nanoseconds of {@code timeout}, of which zero means none. */
  static long nanosOrForever(Duration timeout) {
    return timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
  }
}
