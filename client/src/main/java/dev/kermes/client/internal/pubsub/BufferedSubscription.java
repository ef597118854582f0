package dev.kermes.client.internal.pubsub;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import dev.kermes.client.internal.routing.Topic;
import dev.kermes.client.internal.scan.PagePublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link Subscription}: the events wait in an {@link EventBuffer}. */
public final class BufferedSubscription implements Subscription {
  private final PubSub pubSub;
  private final Topic.Kind kind;
  private final List<String> names;
  private final SubscriptionOptions options;
  private final CompletableFuture<Subscription> confirmed = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasEvent = lock.newCondition();
  private final EventBuffer events;
  private @Nullable CompletableFuture<List<SubscriptionEvent>> asking;
  private boolean isClosed;

  /** Owned by the event loop. */
  private final Set<String> unconfirmed;

  /** Owned by the event loop. */
  private boolean isLost;

  BufferedSubscription(
      PubSub pubSub, Topic.Kind kind, List<String> names, SubscriptionOptions options) {
    this.pubSub = pubSub;
    this.kind = kind;
    this.names = List.copyOf(names);
    this.options = options;
    this.events = new EventBuffer(options);
    this.unconfirmed = new HashSet<>(names);
  }

  @Override
  public List<String> channels() {
    return names;
  }

  List<Topic> topics() {
    List<Topic> topics = new ArrayList<>();
    for (String name : names) topics.add(new Topic(kind, name));
    return topics;
  }

  @Override
  public CompletionStage<Subscription> confirmed() {
    return confirmed.copy();
  }

  // ---- reading

  @Override
  public @Nullable SubscriptionEvent take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && !isClosed) hasEvent.await();
      return events.poll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable SubscriptionEvent poll(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && !isClosed && left > 0) left = hasEvent.awaitNanos(left);
      return events.poll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CompletionStage<List<SubscriptionEvent>> next() {
    lock.lock();
    try {
      if (asking != null) throw new IllegalStateException("another call of next() is pending");
      CompletableFuture<List<SubscriptionEvent>> future = new CompletableFuture<>();
      if (events.isEmpty() && !isClosed) asking = future;
      else future.complete(takeAll());
      return future;
    } finally {
      lock.unlock();
    }
  }

  private List<SubscriptionEvent> takeAll() {
    List<SubscriptionEvent> all = new ArrayList<>();
    for (SubscriptionEvent e = events.poll(); e != null; e = events.poll()) all.add(e);
    return all;
  }

  @Override
  public Flow.Publisher<SubscriptionEvent> publisher() {
    return new PagePublisher<>(this::next, this::close, pubSub.executor());
  }

  @Override
  public long dropped() {
    lock.lock();
    try {
      return events.dropped();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    if (!finish(null)) return;
    pubSub.remove(this);
    endConfirmation(new ClientClosedException("subscription closed: channels=" + names, null));
  }

  /** Returns whether it was open. */
  private boolean finish(@Nullable SubscriptionEvent last) {
    lock.lock();
    try {
      if (isClosed) return false;
      if (last != null) events.addLast(last);
      isClosed = true;
      wake();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the waiting reader: there is an event, or there will be none any more. */
  private void wake() {
    hasEvent.signalAll();
    CompletableFuture<List<SubscriptionEvent>> waiting = asking;
    if (waiting == null) return;
    asking = null;
    List<SubscriptionEvent> all = takeAll();
    pubSub.executor().execute(() -> waiting.complete(all));
  }

  // ---- by the event loop

  /** Appends {@code event}. Never waits. */
  void onEvent(SubscriptionEvent event) {
    boolean hasRoom;
    lock.lock();
    try {
      if (isClosed) return;
      hasRoom = events.add(event);
      if (hasRoom) wake();
    } finally {
      lock.unlock();
    }
    if (!hasRoom) closeForSlowness();
  }

  private void closeForSlowness() {
    String message = "reader too slow: bufferMax=" + options.bufferMax() + ", channels=" + names;
    end(new QueueFullException(message, null));
    pubSub.remove(this);
  }

  void onConfirmed(String name) {
    onEvent(new SubscriptionEvent.Confirmed(name));
    if (!unconfirmed.remove(name) || !unconfirmed.isEmpty()) return;
    confirmed.completeAsync(() -> this, pubSub.executor());
    if (isLost) onEvent(new SubscriptionEvent.Resumed());
    isLost = false;
  }

  void onLost(String name, RedisException cause) {
    unconfirmed.add(name);
    if (isLost) return;
    isLost = true;
    onEvent(new SubscriptionEvent.Lost(cause));
  }

  void onRefused(String name, ServerErrorException error) {
    unconfirmed.remove(name);
    onEvent(new SubscriptionEvent.Refused(name, error));
    endConfirmation(error);
  }

  /** Ends with {@code cause} as the last event: the reader is too slow, or the client is closed. */
  void end(RedisException cause) {
    finish(new SubscriptionEvent.Lost(cause));
    endConfirmation(cause);
  }

  /** Ends because the client is closed, without a {@link SubscriptionEvent.Lost}. */
  void endWith(ClientClosedException cause) {
    finish(null);
    endConfirmation(cause);
  }

  /** Fails the confirmation, on the executor. */
  private void endConfirmation(RedisException cause) {
    if (confirmed.isDone()) return;
    pubSub.executor().execute(() -> confirmed.completeExceptionally(cause));
  }
}
