package dev.kermes.reactor;

import dev.kermes.reactor.internal.mapping.AnnotatedHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
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

  /** Half a millisecond between two checks of {@link #awaitIdle}. */
  private static final long WAIT_NANOS = 500_000;

  /** The state of a reactor that accepts events and has no sinks; others are bits. */
  private static final int OPEN = 0;

  private static final int HAS_SINKS = 1;

  /** Only handlers may emit. */
  private static final int DRAINING = 2;

  private static final int CLOSED = 4;

  private final PatternIndex<HandlerRegistration<?>> index = new PatternIndex<>();

  private final Registrations registrations = new Registrations();
  private final Workers workers = new Workers();
  private final StallDetector stallDetector = new StallDetector(registrations);

  private final Map<String, Executor> executors = new ConcurrentHashMap<>();
  private final Hooks hooks = new Hooks();
  private final Sinks sinks = new Sinks(hooks);
  private volatile Conversion conversion = Conversion.standard();

  /** Sources that have not been stopped. */
  private final Set<RunningSource> sources = ConcurrentHashMap.newKeySet();

  /** {@link #OPEN}, or other bits: all that a plain emit must know before it looks for handlers. */
  private volatile int gate = OPEN;

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
   * Registers a function of Groovy, Clojure, Scala, Kotlin or Java, also a suspending one; its
   * result answers calls. A {@link java.util.concurrent.Future} or a {@link
   * java.util.concurrent.CompletionStage} ends the handler when it ends itself, and is cancelled
   * when the handler is interrupted. With one parameter it gets the {@link Event}; with two, the
   * payload and the {@link EventMeta}; with three, the key, the payload and the metadata.
   *
   * @throws IllegalArgumentException if the pattern is bad, or the object is not a function
   */
  public Registration onFunction(String pattern, Object function) {
    return on(pattern, Functions.handlerOf(function));
  }

  /**
   * Registers the annotated public methods of an object. The annotations may be {@link On}, those
   * of JAX-RS, or those of Spring Messaging. The object may be a proxy that extends an annotated
   * class or implements an annotated interface.
   *
   * @throws IllegalArgumentException if there is no such method, or one cannot be a handler
   */
  public List<Registration> register(Object object) {
    return register(object, EventStrategy.standard());
  }

  /**
   * Registers methods of an object. The first strategy that recognises a method determines its
   * handlers.
   *
   * @throws IllegalArgumentException if there is no such method, or one cannot be a handler
   */
  public List<Registration> register(Object object, List<EventStrategy> strategies) {
    return register(object, object.getClass(), strategies);
  }

  /**
   * Registers methods of a proxy by the annotations of another class: the target of a JDK proxy
   * whose interfaces carry none.
   *
   * @throws IllegalArgumentException if there is no such method, if one cannot be a handler, or if
   *     the proxy does not have it
   */
  public List<Registration> register(
      Object proxy, Class<?> annotated, List<EventStrategy> strategies) {
    return new AnnotatedHandlers(this, proxy, annotated, strategies, conversion).register();
  }

  /** Sets the conversion of parts of keys and of headers for methods that are registered later. */
  public Reactor conversion(Conversion texts) {
    conversion = texts;
    return this;
  }

  /**
   * Starts a source whose events go to the handlers of this reactor; {@link #drain} and {@link
   * #close} stop it.
   *
   * @throws IllegalStateException if the reactor is closed
   */
  public RunningSource from(Source source) {
    requireOpen();
    RunningSource running = new RunningSource(this, source);
    sources.add(running);
    return running;
  }

  void forget(RunningSource source) {
    sources.remove(source);
  }

  /**
   * Sends all events that are emitted with matching keys to a sink instead of the handlers; of
   * several sinks, the one with the most specific pattern. Close the result to end this.
   *
   * @throws IllegalArgumentException if the pattern is bad
   */
  public AutoCloseable to(String pattern, Sink sink) {
    RoutePattern route = RoutePattern.of(pattern);
    sinks.add(route, sink);
    set(HAS_SINKS);
    return () -> sinks.remove(route, sink);
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
    requireOpen();
    registrations.add(registration);
    index.add(registration.pattern(), registration);
    return registration;
  }

  private void requireOpen() {
    if ((gate & (DRAINING | CLOSED)) != 0) throw new IllegalStateException("reactor is closed");
  }

  private synchronized void set(int bit) {
    gate |= bit;
  }

  /** Sets the hook for exceptions of handlers, called on their threads. The default logs them. */
  public Reactor onError(BiConsumer<? super Event<?>, ? super Throwable> hook) {
    hooks.onError(hook);
    return this;
  }

  /** Sets the hook for events that did not reach a handler. The default does nothing. */
  public Reactor onDropped(DroppedHook hook) {
    hooks.onDropped(hook);
    return this;
  }

  /** Adds an observer of handlers. */
  public Reactor observe(ReactorObserver observer) {
    hooks.add(observer);
    return this;
  }

  // ---- executors

  /** Names an executor, for handlers and continuations; replaces one of the same name. */
  public Reactor executor(String name, Executor executor) {
    executors.put(name, executor);
    return this;
  }

  /**
   * The executor of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Executor executor(String name) {
    Executor executor = executors.get(name);
    if (executor == null) throw new IllegalArgumentException("no such executor: name=" + name);
    return executor;
  }

  /**
   * Returns a future that completes as {@code future} does, but on the executor of this name, for
   * continuations that must run on the thread that began, such as an event loop:
   *
   * <pre>{@code
   * reactor.returnTo("ui", reactor.call("price/book", "", timeout)).thenAccept(this::show);
   * }</pre>
   *
   * <p>Its methods whose names end with {@code Async} use that executor, too. A continuation that
   * is added without {@code Async} after the completion runs on the thread that adds it.
   *
   * @throws IllegalArgumentException if there is no such executor
   */
  public <T> CompletableFuture<T> returnTo(String executorName, CompletableFuture<T> future) {
    ReturningFuture<T> returning = new ReturningFuture<>(executor(executorName));
    returning.completeAs(future);
    return returning;
  }

  // ---- events

  /**
   * Hands an event to all matching handlers; they may run later.
   *
   * @return how many handlers accepted the event; 0 is not a success: none matches, or each has
   *     dropped it, and the hook for dropped events has been called with the reason. For a key that
   *     has a {@link Sink}, 1 if the sink has taken the event
   * @throws RejectedEventException if the reactor is closed, or the queue of a handler with {@link
   *     Overflow#REJECT} is full. Handlers before that one have accepted the event.
   */
  public int emit(String key, Object payload) {
    return emit(key, payload, (Delivery) null);
  }

  /** Hands an event with metadata to all matching handlers, like {@link #emit(String, Object)}. */
  public int emit(String key, Object payload, EventMeta meta) {
    return emit(key, payload, Delivery.ofEmit(key, meta));
  }

  /**
   * Hands an event to all matching handlers. The future completes when all of them have ended: with
   * their number, at least 1, if they have all succeeded. It fails with {@link NoHandlerException}
   * if no handler matches, with {@link DeliveryFailedException} if one failed or its queue was
   * full, and with {@link RejectedEventException} if the reactor is closed. For a key that has a
   * {@link Sink}, it ends when the sink has accepted the event.
   */
  public CompletableFuture<Integer> deliver(String key, Object payload) {
    return deliver(key, payload, EventMeta.none());
  }

  /** Hands over an event with metadata, like {@link #deliver(String, Object)}. */
  public CompletableFuture<Integer> deliver(String key, Object payload, EventMeta meta) {
    Sink sink = sinkOf(key);
    if (sink != null) return sinks.send(sink, key, payload, meta);
    Delivery delivery = Delivery.of(key, meta);
    deliver(delivery, key, payload);
    return delivery;
  }

  void deliver(Delivery delivery, String key, Object payload) {
    try {
      requireAccepting(key);
      int unused = offer(key, payload, delivery).accepted;
    } catch (RuntimeException e) { // rejected, or a hook has thrown
      delivery.completeExceptionally(e);
    }
    delivery.handlerEnded();
  }

  /**
   * Sends a request and returns the first {@link Event#reply} of all handlers. The future fails
   * with the exception of a handler, at once with {@link NoHandlerException} if no handler matches,
   * or with {@link java.util.concurrent.TimeoutException} after {@code timeout}. A handler that has
   * not begun by then is not called.
   */
  public CompletableFuture<Object> call(String key, Object request, Duration timeout) {
    return call(key, request, timeout, EventMeta.none());
  }

  /**
   * Sends a request with metadata, like {@link #call(String, Object, Duration)}. If its deadline is
   * earlier than the timeout, that counts: a handler can pass on the time that it was given.
   */
  public CompletableFuture<Object> call(
      String key, Object request, Duration timeout, EventMeta meta) {
    boolean isSooner = meta.remaining().compareTo(timeout) < 0;
    EventMeta bounded = isSooner ? meta : meta.within(timeout);
    Sink sink = sinkOf(key);
    if (sink == null) return callHandlers(key, request, bounded);
    return bounded(sink.call(key, request, bounded), bounded);
  }

  CompletableFuture<Object> callHandlers(String key, Object request, EventMeta meta) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    try {
      requireAccepting(key);
      Emission emission = offer(key, request, Delivery.ofCall(key, meta, answer));
      if (emission.wanted == 0) answer.completeExceptionally(new NoHandlerException(key));
      else if (emission.accepted == 0) {
        answer.completeExceptionally(RejectedEventException.queueFull(key));
      }
    } catch (RejectedEventException e) {
      answer.completeExceptionally(e);
    }
    return bounded(answer, meta);
  }

  private static CompletableFuture<Object> bounded(
      CompletableFuture<Object> answer, EventMeta meta) {
    if (answer.isDone() || !meta.hasDeadline()) return answer;
    return answer.orTimeout(meta.remaining().toNanos(), TimeUnit.NANOSECONDS);
  }

  private int emit(String key, Object payload, @Nullable Delivery delivery) {
    if (gate != OPEN) {
      requireAccepting(key);
      Sink sink = sinkOf(key);
      if (sink != null) {
        EventMeta meta = delivery == null ? EventMeta.none() : delivery.meta();
        return sinks.send(sink, key, payload, meta).isCompletedExceptionally() ? 0 : 1;
      }
    }
    return offer(key, payload, delivery).accepted;
  }

  private void requireAccepting(String key) {
    if (!isAccepting()) throw new RejectedEventException("reactor is closed: key=" + key);
  }

  private boolean isAccepting() {
    int state = gate;
    return (state & CLOSED) == 0 && ((state & DRAINING) == 0 || HandlerRegistration.isInHandler());
  }

  private Emission offer(String key, Object payload, @Nullable Delivery delivery) {
    Emission emission = new Emission(key, payload, delivery);
    index.find(key, emission);
    if (emission.wanted == 0) hooks.onDropped(key, payload, DropReason.NO_HANDLER);
    return emission;
  }

  /** Offers one event to the handlers that the index finds, and counts them. */
  private static final class Emission implements Predicate<HandlerRegistration<?>> {
    private final String key;
    private final Object payload;
    private final @Nullable Delivery delivery;
    private int wanted;
    private int accepted;

    Emission(String key, Object payload, @Nullable Delivery delivery) {
      this.key = key;
      this.payload = payload;
      this.delivery = delivery;
    }

    /** Offers the event to one handler; false so that the search continues. */
    @Override
    public boolean test(HandlerRegistration<?> registration) {
      if (!registration.wants(payload)) return false;
      if (delivery != null && !delivery.isFor(registration.name())) return false;
      wanted++;
      if (delivery != null && delivery.isAwaited()) offerAwaited(registration, delivery);
      else if (registration.offer(key, payload, delivery)) accepted++;
      return false;
    }

    /** The refusal of one handler fails the delivery, and the others still get the event. */
    private void offerAwaited(HandlerRegistration<?> registration, Delivery awaited) {
      try {
        if (registration.offer(key, payload, awaited)) accepted++;
        else awaited.handlerRefused(registration.name(), RejectedEventException.queueFull(key));
      } catch (RejectedEventException e) {
        awaited.handlerRefused(registration.name(), e);
      }
    }
  }

  // ---- sinks

  private @Nullable Sink sinkOf(String key) {
    return (gate & HAS_SINKS) != 0 && isAccepting() ? sinks.find(key) : null;
  }

  Workers workers() {
    return workers;
  }

  StallDetector stallDetector() {
    return stallDetector;
  }

  Hooks hooks() {
    return hooks;
  }

  Registrations registrations() {
    return registrations;
  }

  // ---- the end

  /** The number of events that wait for handlers or are being handled. */
  public int pending() {
    return registrations.pending();
  }

  /**
   * Waits until no event waits or is being handled. Events emitted in the meantime count as well.
   *
   * @return false if the timeout expired or the thread was interrupted before that
   */
  public boolean awaitIdle(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!registrations.isIdle()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) return false;
      LockSupport.parkNanos(this, WAIT_NANOS);
    }
    return true;
  }

  /**
   * Closes the reactor in this order: sources stop reading; handlers end, which may still emit
   * while other threads may not; the acknowledgements of the sources are flushed, their ownership
   * is released, and they are closed.
   *
   * @return how many events were left when the timeout expired: handlers of events from sources are
   *     interrupted then, others continue
   */
  public int drain(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    set(DRAINING);
    sources.forEach(RunningSource::pause);
    sources.forEach(RunningSource::endRetries);
    int left = awaitIdle(timeout) ? 0 : pending();
    for (RunningSource source : sources) {
      int unused = source.finish(deadline);
    }
    set(CLOSED);
    return left;
  }

  /** Rejects new events and stops sources; accepted events are still handled. */
  @Override
  public void close() {
    set(CLOSED);
    for (RunningSource source : sources) {
      int unused = source.stop(Duration.ZERO);
    }
  }
}
