package dev.kermes.client.internal.routing;

import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.QueuePermits;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait to be retried because no server can execute them right now: a failover is
 * under way, a slot is moving, or no server is known yet. Bounded like a connection's queue. Owned
 * by the event loop.
 */
final class RetryQueue {
  private static final long TICK_MILLIS = 10;
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(200);

  private record Entry(RetryAttempt retry, long untilNanos) {}

  private final EventLoop loop;
  private final int permitsMax;
  private final QueuePermits permits;
  private final CallbackBatch callbacks;
  private final Consumer<RetryAttempt> sender;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private boolean isTicking;
  private @Nullable RedisException end;

  RetryQueue(
      EventLoop loop, int permitsMax, CallbackBatch callbacks, Consumer<RetryAttempt> sender) {
    this.loop = loop;
    this.permitsMax = permitsMax;
    this.permits = new QueuePermits(permitsMax);
    this.callbacks = callbacks;
    this.sender = sender;
  }

  /** The delay before attempt {@code attempt}, counted from 1; doubles each time, with jitter. */
  static long delayNanos(int attempt) {
    long bound = Math.min(DELAY_NANOS_MAX, DELAY_NANOS << Math.min(attempt - 1, 10));
    return ThreadLocalRandom.current().nextLong(bound / 2, bound + 1);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Keeps {@code retry} for {@code delayNanos} or until {@link #release}. */
  void add(RetryAttempt retry, long delayNanos) {
    if (end != null) {
      fail(retry, end);
      return;
    }
    if (!permits.tryAcquire(retry.permitCount())) {
      String message = "too many commands wait for a server: max=" + permitsMax;
      fail(retry, new QueueFullException(message, null));
      return;
    }
    entries.add(new Entry(retry, System.nanoTime() + delayNanos));
    startTicking();
  }

  private void fail(RetryAttempt retry, RedisException failure) {
    retry.fail(failure, callbacks);
    callbacks.dispatch();
  }

  /** Sends all queued commands now. */
  void release() {
    for (int left = entries.size(); left > 0; left--) sender.accept(removeFirst().retry());
  }

  private Entry removeFirst() {
    Entry entry = entries.remove();
    permits.release(entry.retry().permitCount());
    return entry;
  }

  /** Fails all queued commands and all added later. */
  void close(RedisException cause) {
    end = cause;
    for (Entry entry : entries) entry.retry().fail(cause, callbacks);
    entries.clear();
    callbacks.dispatch();
  }

  private void putBack(Entry entry) {
    entries.add(entry);
    permits.release(-entry.retry().permitCount());
  }

  private void startTicking() {
    if (isTicking) return;
    isTicking = true;
    loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    isTicking = false;
    long now = System.nanoTime();
    for (int left = entries.size(); left > 0; left--) {
      Entry entry = removeFirst();
      RetryAttempt retry = entry.retry();
      if (retry.isDone()) continue;
      if (retry.leftNanos() <= 0) retry.fail(retry.late(), callbacks);
      else if (entry.untilNanos() - now <= 0) sender.accept(retry);
      else putBack(entry);
    }
    callbacks.dispatch();
    if (!entries.isEmpty()) startTicking();
  }
}
