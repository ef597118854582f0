package dev.kermes.reactor;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The way of a source's events into the reactor. It knows which of them are still with handlers, so
 * that the source is closed only after them. Events go to handlers, never to sinks. Any thread.
 */
public final class Inlet {

  /** Half a millisecond between two checks of {@link #awaitIdle}. */
  private static final long WAIT_NANOS = 500_000;

  private final Reactor reactor;
  private final Set<Delivery> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  Inlet(Reactor reactor) {
    this.reactor = reactor;
  }

  /**
   * Hands an event to all matching handlers. If the queue of one is full, this waits, or the
   * handler is among the failures, as it declared.
   *
   * <p>The future completes with the number of handlers when all of them have succeeded; only then
   * may the event be acknowledged. It fails with {@link NoHandlerException} if no handler matches,
   * with {@link DeliveryFailedException} if one did not succeed, or with {@link
   * RejectedEventException} if the reactor is closed. Cancelling it ends the delivery: handlers
   * that have not begun are skipped, and those that run are interrupted.
   */
  public CompletableFuture<Integer> deliver(String key, Object payload, EventMeta meta) {
    return deliver(Delivery.from(this, key, meta, null), key, payload);
  }

  /**
   * Hands an event to those of the matching handlers that have one of these names: the ones that
   * failed when the source delivered the event before.
   */
  public CompletableFuture<Integer> deliver(
      String key, Object payload, EventMeta meta, Set<String> handlers) {
    return deliver(Delivery.from(this, key, meta, Set.copyOf(handlers)), key, payload);
  }

  private CompletableFuture<Integer> deliver(Delivery delivery, String key, Object payload) {
    open.add(delivery);
    reactor.deliver(delivery, key, payload);
    if (isEnding) delivery.endRetries();
    return delivery;
  }

  /**
   * Asks the handlers of this JVM on behalf of a caller elsewhere, like {@link Reactor#call}. The
   * time limit is the deadline in {@code meta}.
   */
  public CompletableFuture<Object> call(String key, Object request, EventMeta meta) {
    return reactor.callHandlers(key, request, meta);
  }

  /** The number of events that have been delivered and are still with handlers. */
  public int inFlight() {
    return open.size();
  }

  /** Called when the last handler of an event has ended, after the future's dependents have run. */
  void ended(Delivery delivery) {
    open.remove(delivery);
  }

  /** Cuts short the waits before retries, now and of later deliveries. */
  void endRetries() {
    isEnding = true;
    open.forEach(Delivery::endRetries);
  }

  /**
   * Ends all deliveries: handlers that run are interrupted, after all others have been skipped, so
   * that none begins when the handler before it ends.
   */
  void cancelAll() {
    for (Delivery delivery : open) {
      boolean unused = delivery.cancel(false);
    }
    open.forEach(Delivery::interruptHandlers);
  }

  /** Waits until no event is with a handler; false if the timeout expires before. */
  boolean awaitIdle(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!open.isEmpty()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) return false;
      LockSupport.parkNanos(this, WAIT_NANOS);
    }
    return true;
  }
}
