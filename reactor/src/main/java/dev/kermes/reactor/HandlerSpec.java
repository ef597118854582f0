package dev.kermes.reactor;

import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a handler's registration: its order, queue bound and payload type. Owned by the thread
 * that builds it.
 */
public final class HandlerSpec<T> {

  /** 65,536 events: the default bound of a handler's queue. */
  private static final int QUEUE_MAX = 64 * 1024;

  private final Reactor reactor;
  final RoutePattern pattern;
  final Class<T> type;
  Order order = Order.KEYED;
  Function<? super Event<T>, ?> keyOf = Event::key;
  boolean runsOnCaller;
  int queueMax = QUEUE_MAX;
  Overflow overflow = Overflow.WAIT;
  String name;
  @Nullable Retry retry;
  @Nullable Executor executor;

  HandlerSpec(Reactor reactor, RoutePattern pattern, Class<T> type) {
    this.reactor = reactor;
    this.pattern = pattern;
    this.type = type;
    name = pattern.toString();
  }

  /** Restricts the handler to events whose payload is of this type. */
  public <U extends T> HandlerSpec<U> of(Class<U> subtype) {
    HandlerSpec<U> spec = new HandlerSpec<>(reactor, pattern, subtype);
    spec.order = order;
    spec.keyOf = ofSubtype(keyOf);
    spec.runsOnCaller = runsOnCaller;
    spec.queueMax = queueMax;
    spec.overflow = overflow;
    spec.name = name;
    spec.retry = retry;
    spec.executor = executor;
    return spec;
  }

  /** A function of events also takes events whose payload is of a subtype: they are read only. */
  @SuppressWarnings("unchecked")
  private static <T, U extends T> Function<? super Event<U>, ?> ofSubtype(
      Function<? super Event<T>, ?> function) {
    return (Function<? super Event<U>, ?>) (Function<?, ?>) function;
  }

  /** Handles one event at a time, in the order of emission. */
  public HandlerSpec<T> serial() {
    order = Order.SERIAL;
    return this;
  }

  /**
   * Handles events with equal keys one at a time, and others in parallel.
   *
   * @param key computes the key of an event. It must be a pure function: any thread may call it,
   *     more than once or not at all. If it throws, the event fails with that exception.
   */
  public HandlerSpec<T> keyedBy(Function<? super Event<T>, ?> key) {
    order = Order.KEYED;
    keyOf = key;
    return this;
  }

  /** Handles all events in parallel, in no order. */
  public HandlerSpec<T> parallel() {
    order = Order.PARALLEL;
    return this;
  }

  /**
   * Runs the handler on the emitting thread, which may be an event loop. Only for handlers that
   * never block.
   */
  public HandlerSpec<T> onCaller() {
    runsOnCaller = true;
    return this;
  }

  /**
   * Runs the handler on this executor instead of the reactor's virtual threads. Order and mutual
   * exclusion hold whatever it is; waits before retries block its threads. It must not run work on
   * the calling thread, see {@link #onCaller} for that. If it refuses work, the reactor's threads
   * run the handler.
   */
  public HandlerSpec<T> on(Executor threads) {
    executor = threads;
    return this;
  }

  /**
   * Runs the handler on the executor of this name; see {@link Reactor#executor(String, Executor)}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public HandlerSpec<T> on(String executorName) {
    return on(reactor.executor(executorName));
  }

  /**
   * Bounds the queue.
   *
   * @param max how many events may wait or be in the handler
   * @param whenFull the policy for an event beyond that
   */
  public HandlerSpec<T> queue(int max, Overflow whenFull) {
    if (max < 1) throw new IllegalArgumentException("queue too short: max=" + max);
    queueMax = max;
    overflow = whenFull;
    return this;
  }

  /**
   * Names the handler, for metrics and for sources that repeat an event for the handlers that
   * failed. Such a source may store the name, so it should stay the same over releases.
   */
  public HandlerSpec<T> named(String handlerName) {
    name = handlerName;
    return this;
  }

  /**
   * Calls the handler again if it fails. Later events with the same key, or all if it is serial,
   * wait until it has succeeded or given up.
   */
  public HandlerSpec<T> retry(Retry policy) {
    retry = policy;
    return this;
  }

  /**
   * Registers the handler.
   *
   * @throws IllegalArgumentException if it has retries, which wait, but runs on the caller
   */
  public Registration handle(Handler<T> handler) {
    if (retry != null && runsOnCaller) {
      throw new IllegalArgumentException("retries would block the caller: handler=" + name);
    }
    return reactor.add(new HandlerRegistration<>(reactor, this, handler));
  }

  /**
   * Registers a function of Groovy, Clojure, Scala, Kotlin or Java; see {@link Reactor#onFunction}.
   *
   * @throws IllegalArgumentException if the object is not a function, or if it has retries but runs
   *     on the caller
   */
  public Registration handleFunction(Object function) {
    return handle(Functions.handlerOf(function));
  }

  /** Registers a function whose result answers a call. */
  public Registration answer(Function<? super Event<T>, ?> function) {
    return handle(event -> event.reply(function.apply(event)));
  }
}
