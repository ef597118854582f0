package dev.kermes.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Channels or patterns one listens to, and a bounded buffer of what happened on them. When the
 * reader is too slow the oldest messages are dropped, and a {@link SubscriptionEvent.Dropped} says
 * how many; other subscriptions and the connection are not touched. Any thread.
 */
public final class Subscription implements AutoCloseable {
  private final PubSub pubSub;
  private final PubSub.Kind kind;
  private final List<String> channels;
  private final int bufferMax;
  private final Set<String> unconfirmed;
  private final CompletableFuture<Subscription> confirmed = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasEvent = lock.newCondition();
  private final ArrayDeque<SubscriptionEvent> events = new ArrayDeque<>();
  private long droppedInRow;
  private long dropped;
  private boolean isClosed;

  Subscription(PubSub pubSub, PubSub.Kind kind, List<String> channels, int bufferMax) {
    this.pubSub = pubSub;
    this.kind = kind;
    this.channels = List.copyOf(channels);
    this.bufferMax = bufferMax;
    this.unconfirmed = new HashSet<>(channels);
  }

  /** The channels or patterns. */
  public List<String> channels() {
    return channels;
  }

  PubSub.Kind kind() {
    return kind;
  }

  /** Completes with this subscription when the server has confirmed every channel once. */
  public CompletionStage<Subscription> confirmed() {
    return confirmed.copy();
  }

  /** The next event, or null when the subscription was closed and nothing is left. Waits. */
  public @Nullable SubscriptionEvent take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && droppedInRow == 0 && !isClosed) hasEvent.await();
      return next();
    } finally {
      lock.unlock();
    }
  }

  /** The next event, or null when there is none within {@code timeout} or ever. */
  public @Nullable SubscriptionEvent poll(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && droppedInRow == 0 && !isClosed && left > 0) {
        left = hasEvent.awaitNanos(left);
      }
      return next();
    } finally {
      lock.unlock();
    }
  }

  /** How many messages were dropped so far. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /** Stops listening; the server is told when nobody else of this client listens. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (isClosed) return;
      isClosed = true;
      hasEvent.signalAll();
    } finally {
      lock.unlock();
    }
    pubSub.remove(this);
  }

  private @Nullable SubscriptionEvent next() {
    if (droppedInRow > 0) {
      SubscriptionEvent gap = new SubscriptionEvent.Dropped(droppedInRow);
      droppedInRow = 0;
      return gap;
    }
    return events.poll();
  }

  // ---- by the event loop

  /** Appends {@code event}; the oldest message goes when there is no room. Never waits. */
  void on(SubscriptionEvent event) {
    lock.lock();
    try {
      if (isClosed) return;
      if (events.size() >= bufferMax && events.poll() instanceof SubscriptionEvent.Message) {
        dropped++;
        droppedInRow++;
      }
      events.add(event);
      hasEvent.signal();
    } finally {
      lock.unlock();
    }
  }

  void onConfirmed(String channel) {
    on(new SubscriptionEvent.Confirmed(channel));
    if (unconfirmed.remove(channel) && unconfirmed.isEmpty()) {
      confirmed.completeAsync(() -> this, pubSub.executor());
    }
  }

  /** The client was closed. */
  void end(RedisException cause) {
    on(new SubscriptionEvent.Lost(cause));
    lock.lock();
    try {
      isClosed = true;
      hasEvent.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
