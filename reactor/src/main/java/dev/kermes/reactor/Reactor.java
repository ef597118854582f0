package dev.kermes.reactor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches events to the handlers whose patterns match their keys.
 *
 * <pre>{@code
 * Reactor reactor = Reactor.create();
 * reactor.on("orders/{id}", event -> store(event.param("id"), event.payload()));
 * reactor.emit("orders/42", order);
 * }</pre>
 *
 * <p>Every handler whose pattern matches gets the event. Each handler has its own queue and order,
 * and runs on virtual threads, so that it may block. Events that one thread emits with one key
 * reach a handler in that order and one at a time, unless it declared {@link Order#PARALLEL}.
 * Delivery is best effort: an accepted event is handled once, provided that the process lives. Any
 * thread.
 */
public final class Reactor implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Reactor.class.getName());

  /** Half a millisecond between two checks of {@link #awaitIdle}. */
  private static final long WAIT_NANOS = 500_000;

  private final PatternIndex<HandlerRegistration<?>> index = new PatternIndex<>();

  /** All registered handlers, and removed ones that still have events. */
  private final Set<HandlerRegistration<?>> registrations = ConcurrentHashMap.newKeySet();

  private final Workers workers = new Workers();
  private final StallDetector stallDetector = new StallDetector(registrations);

  /** Events accepted by handlers no longer in the set; guarded by {@link #registrations}. */
  private long acceptedBefore;

  private volatile BiConsumer<? super Event<?>, ? super Throwable> onError = Reactor::logError;
  private volatile DroppedHook onDropped = (key, payload, reason) -> {};
  private volatile boolean isClosed;

  /** Called for events that did not reach a handler. */
  @FunctionalInterface
  public interface DroppedHook {
    /** Called on the emitting thread. */
    void dropped(String key, Object payload, DropReason reason);
  }

  private Reactor() {}

  /** Creates a reactor; it has no threads until an event is emitted. */
  public static Reactor create() {
    return new Reactor();
  }

  // ---- handlers

  /**
   * Registers a handler for all events of a pattern, ordered by key.
   *
   * @throws IllegalArgumentException if the pattern is bad
   */
  public Registration on(String pattern, Handler<Object> handler) {
    return at(pattern).handle(handler);
  }

  /**
   * Registers a function of Groovy, Clojure, Scala, Kotlin or Java; its result answers calls.
   *
   * @throws IllegalArgumentException if the pattern is bad, or the object is not a function
   */
  public Registration onFunction(String pattern, Object function) {
    Functions.Invocable invocable = Functions.of(function);
    return on(
        pattern,
        event -> {
          Object answer = invocable.invoke(event);
          if (answer != null) event.reply(answer);
        });
  }

  /**
   * Registers the public methods of an object that carry {@link On}.
   *
   * @throws IllegalArgumentException if there is no such method, or one cannot be a handler
   */
  public List<Registration> register(Object object) {
    return AnnotatedHandlers.register(this, object);
  }

  /** Starts a source that emits into this reactor; close the result to stop it. */
  public AutoCloseable from(Source source) {
    return source.start(this);
  }

  /** Starts the registration of a handler with options. */
  public HandlerSpec<Object> at(String pattern) {
    return new HandlerSpec<>(this, RoutePattern.of(pattern), Object.class);
  }

  /** Removes a handler; like {@link Registration#close}. */
  public void off(Registration registration) {
    if (registration instanceof HandlerRegistration<?> handler) {
      index.remove(handler.pattern(), handler);
      handler.retire();
    }
  }

  Registration add(HandlerRegistration<?> registration) {
    if (isClosed) throw new IllegalStateException("reactor is closed");
    registrations.add(registration);
    index.add(registration.pattern(), registration);
    return registration;
  }

  /** Drops a removed handler that has no events left. */
  void forget(HandlerRegistration<?> registration) {
    synchronized (registrations) {
      if (registrations.remove(registration)) acceptedBefore += registration.accepted();
    }
  }

  /** Sets the hook for exceptions of handlers, called on their threads. The default logs them. */
  public Reactor onError(BiConsumer<? super Event<?>, ? super Throwable> hook) {
    onError = hook;
    return this;
  }

  /** Sets the hook for events that did not reach a handler. The default does nothing. */
  public Reactor onDropped(DroppedHook hook) {
    onDropped = hook;
    return this;
  }

  // ---- events

  /**
   * Hands an event to all matching handlers; they may run later.
   *
   * @return how many handlers accepted the event; if 0, the hook for dropped events has been called
   * @throws RejectedEventException if the reactor is closed, or the queue of a handler with {@link
   *     Overflow#REJECT} is full. Handlers before that one have accepted the event.
   */
  public int emit(String key, Object payload) {
    return emit(key, payload, null, null);
  }

  /**
   * Hands an event to all matching handlers, like {@link #emit}. The future completes when all of
   * them have ended: with their number, or with the last exception that one of them threw.
   */
  public CompletableFuture<Integer> deliver(String key, Object payload) {
    Delivery delivery = new Delivery();
    try {
      int unused = emit(key, payload, null, delivery);
      delivery.handlerEnded(null);
    } catch (RejectedEventException e) {
      delivery.handlerEnded(e);
    }
    return delivery.done();
  }

  /**
   * Sends a request and returns the first {@link Event#reply} of all handlers. The future fails
   * with the exception of a handler, at once with {@link NoHandlerException} if no handler matches,
   * or with {@link java.util.concurrent.TimeoutException} after {@code timeout}.
   */
  public CompletableFuture<Object> call(String key, Object request, Duration timeout) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    try {
      if (emit(key, request, answer, null) == 0) {
        answer.completeExceptionally(new NoHandlerException(key));
      }
    } catch (RejectedEventException e) {
      answer.completeExceptionally(e);
    }
    return answer.isDone() ? answer : answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private int emit(
      String key,
      Object payload,
      @Nullable CompletableFuture<Object> call,
      @Nullable Delivery delivery) {
    if (isClosed) throw new RejectedEventException("reactor is closed: key=" + key);
    Emission emission = new Emission(key, payload, call, delivery);
    index.find(key, emission);
    if (emission.wanted == 0) onDropped.dropped(key, payload, DropReason.NO_HANDLER);
    return emission.accepted;
  }

  /** Offers one event to the handlers that the index finds, and counts them. */
  private static final class Emission implements Predicate<HandlerRegistration<?>> {
    private final String key;
    private final Object payload;
    private final @Nullable CompletableFuture<Object> call;
    private final @Nullable Delivery delivery;
    private int wanted;
    private int accepted;

    Emission(
        String key,
        Object payload,
        @Nullable CompletableFuture<Object> call,
        @Nullable Delivery delivery) {
      this.key = key;
      this.payload = payload;
      this.call = call;
      this.delivery = delivery;
    }

    /** Offers the event to one handler; false so that the search continues. */
    @Override
    public boolean test(HandlerRegistration<?> registration) {
      if (!registration.wants(payload)) return false;
      wanted++;
      if (registration.offer(key, payload, call, delivery)) accepted++;
      return false;
    }
  }

  Workers workers() {
    return workers;
  }

  StallDetector stallDetector() {
    return stallDetector;
  }

  void dropped(Event<?> event) {
    onDropped.dropped(event.key(), event.payload(), DropReason.OVERFLOW);
  }

  /** Calls the error hook; an exception of the hook must not stop the worker. */
  void failed(Event<?> event, Throwable error) {
    try {
      onError.accept(event, error);
    } catch (RuntimeException e) {
      logError(event, e);
    }
  }

  private static void logError(Event<?> event, Throwable error) {
    LOG.log(System.Logger.Level.ERROR, "handler failed: key=" + event.key(), error);
  }

  // ---- the end

  /** The number of events that wait for handlers or are being handled. */
  public int pending() {
    int pending = 0;
    for (HandlerRegistration<?> registration : registrations) pending += registration.pending();
    return pending;
  }

  /**
   * Waits until no event waits or is being handled. Events emitted in the meantime count as well.
   *
   * @return false if the timeout expired or the thread was interrupted before that
   */
  public boolean awaitIdle(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isIdle()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) return false;
      LockSupport.parkNanos(this, WAIT_NANOS);
    }
    return true;
  }

  /**
   * Reads one queue after the other, so it also checks that no event was added between the reads.
   */
  private boolean isIdle() {
    long before = accepted();
    return pending() == 0 && accepted() == before;
  }

  private long accepted() {
    synchronized (registrations) {
      long accepted = acceptedBefore;
      for (HandlerRegistration<?> registration : registrations) accepted += registration.accepted();
      return accepted;
    }
  }

  /**
   * Closes the reactor and waits until all accepted events have been handled.
   *
   * @return how many events were left when the timeout expired; their handlers continue
   */
  public int drain(Duration timeout) {
    isClosed = true;
    return awaitIdle(timeout) ? 0 : pending();
  }

  /** Rejects new events; accepted ones are still handled. */
  @Override
  public void close() {
    isClosed = true;
  }
}
