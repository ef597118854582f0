package dev.kermes.reactor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an event that its handlers share, for an event that is more than a key and a
 * payload: its metadata, the caller that waits for an answer, and the handlers that have not ended.
 * As a future it completes when all of them have ended. A plain {@code emit} has none. Any thread.
 */
final class Delivery extends CompletableFuture<Integer> {

  private final String key;
  private final EventMeta meta;

  /** Whether the emitter wants to know how it ended. */
  private final boolean isAwaited;

  private final @Nullable CompletableFuture<Object> call;

  /** The source that the event comes from, if it does. */
  private final @Nullable Inlet inlet;

  /** The names of the handlers that get the event; null for all. */
  private final @Nullable Set<String> only;

  /** Handlers that have not ended, plus one until the emitter has found all of them. */
  private int left = 1;

  private int all;
  private final List<DeliveryFailedException.Failure> failures = new ArrayList<>(0);

  /** The threads that call handlers or wait before a retry; each is in the list once per call. */
  private final List<Thread> runners = new ArrayList<>(1);

  private volatile boolean isRetryEnded;

  private Delivery(
      String key,
      EventMeta meta,
      boolean isAwaited,
      @Nullable CompletableFuture<Object> call,
      @Nullable Inlet inlet,
      @Nullable Set<String> only) {
    this.key = key;
    this.meta = meta;
    this.isAwaited = isAwaited;
    this.call = call;
    this.inlet = inlet;
    this.only = only;
  }

  /** The delivery of an event with metadata, whose end has no observer. */
  static Delivery ofEmit(String key, EventMeta meta) {
    return new Delivery(key, meta, false, null, null, null);
  }

  /** The delivery of an event whose emitter awaits the end of its handlers. */
  static Delivery of(String key, EventMeta meta) {
    return new Delivery(key, meta, true, null, null, null);
  }

  /** The delivery of a request. */
  static Delivery ofCall(String key, EventMeta meta, CompletableFuture<Object> answer) {
    return new Delivery(key, meta, false, answer, null, null);
  }

  /** The delivery of an event that a source read, to the handlers of these names or to all. */
  static Delivery from(Inlet inlet, String key, EventMeta meta, @Nullable Set<String> only) {
    return new Delivery(key, meta, true, null, inlet, only);
  }

  EventMeta meta() {
    return meta;
  }

  @Nullable CompletableFuture<Object> call() {
    return call;
  }

  boolean isAwaited() {
    return isAwaited;
  }

  boolean isFor(String handler) {
    return only == null || only.contains(handler);
  }

  // ---- the handlers

  synchronized void addHandler() {
    all++;
    left++;
  }

  /** Records that a handler did not accept the event. */
  void handlerRefused(String handler, RejectedEventException error) {
    handlerFailed(handler, 0, error, true);
  }

  synchronized void handlerFailed(String handler, int attempts, Throwable error, boolean isFinal) {
    failures.add(new DeliveryFailedException.Failure(handler, attempts, error, isFinal));
  }

  /** Records that a handler has ended, or that the emitter has found all handlers. */
  void handlerEnded() {
    synchronized (this) {
      if (--left > 0) return;
    }
    if (!failures.isEmpty()) completeExceptionally(new DeliveryFailedException(key, failures));
    else if (all == 0) completeExceptionally(new NoHandlerException(key));
    else complete(all);
    if (inlet != null) inlet.ended(this);
  }

  /**
   * Called on the thread that is about to call a handler; {@link #leave} must follow unless it
   * returns an exception.
   *
   * @return the reason why the handler must not be called, or null
   */
  synchronized @Nullable Exception enter() {
    if (isCancelled()) return new CancellationException("delivery cancelled: key=" + key);
    if (meta.isLate()) return new TimeoutException("deadline passed: key=" + key);
    runners.add(Thread.currentThread());
    return null;
  }

  /** Called on the same thread afterwards; takes back an interrupt by {@link #cancel}. */
  synchronized void leave() {
    runners.remove(Thread.currentThread());
    if (isCancelled()) {
      boolean unused = Thread.interrupted();
    }
  }

  /** Ends the delivery at once: skips handlers that have not begun, interrupts those that have. */
  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean isNow = super.cancel(mayInterrupt);
    if (isNow && mayInterrupt) interruptHandlers();
    return isNow;
  }

  /** Interrupts the handlers that run, if the delivery has been cancelled. */
  synchronized void interruptHandlers() {
    if (isCancelled()) runners.forEach(Thread::interrupt);
  }

  /** Stages derived from this future are ordinary ones. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  // ---- retries

  /** Cuts short the waits before retries; handlers that run finish their attempt. */
  void endRetries() {
    synchronized (this) {
      isRetryEnded = true;
      runners.forEach(LockSupport::unpark);
    }
  }

  /** Whether another attempt makes sense. */
  boolean mayRetry() {
    return !isRetryEnded && !isCancelled() && !meta.isLate();
  }
}
