package dev.kermes.reactor;

import java.util.function.Function;

/** How a handler wants its events: order, bounds, types. Used by one thread, then forgotten. */
public final class HandlerSpec<T> {

  /** 65,536: what may wait for a handler if nothing else is said. */
  private static final int QUEUE_MAX = 64 * 1024;

  private final Reactor reactor;
  final RoutePattern pattern;
  final Class<T> type;
  Order order = Order.KEYED;
  Function<? super Event<T>, ?> keyOf = Event::key;
  boolean runsOnCaller;
  int queueMax = QUEUE_MAX;
  Overflow overflow = Overflow.WAIT;

  HandlerSpec(Reactor reactor, RoutePattern pattern, Class<T> type) {
    this.reactor = reactor;
    this.pattern = pattern;
    this.type = type;
  }

  /** Only events whose payload is of this type. */
  public <U extends T> HandlerSpec<U> of(Class<U> subtype) {
    HandlerSpec<U> spec = new HandlerSpec<>(reactor, pattern, subtype);
    spec.order = order;
    spec.runsOnCaller = runsOnCaller;
    spec.queueMax = queueMax;
    spec.overflow = overflow;
    return spec;
  }

  /** One event at a time, in the order of emission. */
  public HandlerSpec<T> serial() {
    order = Order.SERIAL;
    return this;
  }

  /**
   * One event at a time of those with an equal key: what {@code key} makes of an event, always the
   * same, on any thread or not at all. If it throws, the event fails.
   */
  public HandlerSpec<T> keyedBy(Function<? super Event<T>, ?> key) {
    order = Order.KEYED;
    keyOf = key;
    return this;
  }

  /** All events at once. */
  public HandlerSpec<T> parallel() {
    order = Order.PARALLEL;
    return this;
  }

  /** On the thread that emits, which may be an event loop: for handlers that never block. */
  public HandlerSpec<T> onCaller() {
    runsOnCaller = true;
    return this;
  }

  /** How many events may wait or be in the handler, and what happens to one more. */
  public HandlerSpec<T> queue(int max, Overflow whenFull) {
    if (max < 1) throw new IllegalArgumentException("queue too short: max=" + max);
    queueMax = max;
    overflow = whenFull;
    return this;
  }

  /** Registers the handler. */
  public Registration handle(Handler<T> handler) {
    return reactor.add(new HandlerRegistration<>(reactor, this, handler));
  }

  /** Registers a function whose results answer calls. */
  public Registration answer(Function<? super Event<T>, ?> function) {
    return handle(event -> event.reply(function.apply(event)));
  }
}
