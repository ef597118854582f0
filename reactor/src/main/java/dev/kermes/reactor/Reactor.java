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
 * Brings events to handlers by patterns of their keys.
 *
 * <pre>{@code
 * Reactor reactor = Reactor.create();
 * reactor.on("orders/{id}", event -> store(event.param("id"), event.payload()));
 * reactor.emit("orders/42", order);
 * }</pre>
 *
 * <p>Every handler whose pattern matches gets the event, each with a queue, an order and threads of
 * its own: virtual ones, so that it may block. What one thread emits with one key a handler gets in
 * that order, one at a time, unless it declared {@link Order#PARALLEL}. Delivery is best effort: an
 * event that was accepted is handled once, if the process lives. Any thread.
 */
public final class Reactor implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Reactor.class.getName());

  /** Half a millisecond between two looks of {@link #awaitIdle}. */
  private static final long WAIT_NANOS = 500_000;

  private final PatternIndex<HandlerRegistration<?>> index = new PatternIndex<>();

  /** Those that are registered, and those that were and still have events. */
  private final Set<HandlerRegistration<?>> registrations = ConcurrentHashMap.newKeySet();

  private final Workers workers = new Workers();
  private final StallDetector stallDetector = new StallDetector(registrations);

  /** The events of those that are forgotten; with {@link #registrations} as its lock. */
  private long acceptedBefore;

  private volatile BiConsumer<? super Event<?>, ? super Throwable> onError = Reactor::logError;
  private volatile DroppedHook onDropped = (key, payload, reason) -> {};
  private volatile boolean isClosed;

  /** Hears of events that did not get to a handler. */
  @FunctionalInterface
  public interface DroppedHook {
    /** On the thread that emitted it. */
    void dropped(String key, Object payload, DropReason reason);
  }

  private Reactor() {}

  /** Makes one; it has no threads until something is emitted. */
  public static Reactor create() {
    return new Reactor();
  }

  // ---- handlers

  /**
   * Registers a handler of everything that comes for a pattern, ordered by key.
   *
   * @throws IllegalArgumentException if the pattern is bad
   */
  public Registration on(String pattern, Handler<Object> handler) {
    return at(pattern).handle(handler);
  }

  /**
   * Registers a function of Groovy, Clojure, Scala, Kotlin or Java; what it returns answers calls.
   *
   * @throws IllegalArgumentException if the pattern is bad, or it is no function that we know
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
   * Registers the public methods of an object that have {@link On}.
   *
   * @throws IllegalArgumentException if there is none, or one cannot be a handler
   */
  public List<Registration> register(Object object) {
    return AnnotatedHandlers.register(this, object);
  }

  /** Lets the events of a source come in; closing what it returns ends that. */
  public AutoCloseable from(Source source) {
    return source.start(this);
  }

  /** Begins to say how a handler wants the events of a pattern. */
  public HandlerSpec<Object> at(String pattern) {
    return new HandlerSpec<>(this, RoutePattern.of(pattern), Object.class);
  }

  /** Takes a handler off; as {@link Registration#close}. */
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

  /** Nothing waits for it any more, and nothing will. */
  void forget(HandlerRegistration<?> registration) {
    synchronized (registrations) {
      if (registrations.remove(registration)) acceptedBefore += registration.accepted();
    }
  }

  /** Hears of what handlers throw, on their threads; by default it is logged. */
  public Reactor onError(BiConsumer<? super Event<?>, ? super Throwable> hook) {
    onError = hook;
    return this;
  }

  /** Hears of events that did not get to a handler; by default nobody does. */
  public Reactor onDropped(DroppedHook hook) {
    onDropped = hook;
    return this;
  }

  // ---- events

  /**
   * Hands an event to all handlers that want it; they may run later.
   *
   * @return how many accepted it; after 0 the hook for dropped events has been told
   * @throws RejectedEventException if the reactor is closed, or the queue of a handler that
   *     declared it is full: those before it have the event
   */
  public int emit(String key, Object payload) {
    return emit(key, payload, null, null);
  }

  /**
   * The same; the result comes when all handlers have ended: how many they were, or the last error
   * of those that failed.
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
   * Asks for an answer: the first {@link Event#reply} of all handlers. It fails with what the
   * handler threw, with {@link NoHandlerException} at once, or with {@link
   * java.util.concurrent.TimeoutException} when the time is over; then nothing of it is left.
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

  /** One event on its way to its handlers. */
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

    /** Offers it to a handler; there may be more of them. */
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

  /** A hook that throws must not stop the others' events. */
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

  /** How many events wait for handlers or are in them. */
  public int pending() {
    int pending = 0;
    for (HandlerRegistration<?> registration : registrations) pending += registration.pending();
    return pending;
  }

  /**
   * Waits until nothing waits or is handled any more; false if the time is over before. What others
   * emit meanwhile counts.
   */
  public boolean awaitIdle(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isIdle()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) return false;
      LockSupport.parkNanos(this, WAIT_NANOS);
    }
    return true;
  }

  /** The queues are not seen all at once: nothing may have come meanwhile. */
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
   * Closes it and waits until what was accepted has been handled.
   *
   * @return how many events were left when the time was over; their handlers go on
   */
  public int drain(Duration timeout) {
    isClosed = true;
    return awaitIdle(timeout) ? 0 : pending();
  }

  /** Accepts nothing any more; what was accepted is still handled. */
  @Override
  public void close() {
    isClosed = true;
  }
}
