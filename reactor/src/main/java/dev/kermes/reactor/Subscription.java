package dev.kermes.reactor;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A handler with its pattern, its queue and its order. Any thread. */
final class Subscription<T> implements Registration {

  /** How many times its bound a queue may grow by what handlers emit. */
  static final int BEYOND = 16;

  /** 16,384: as many idle mailboxes are kept; with more keys they are made anew. */
  private static final int MAILBOXES_MAX = 16 * 1024;

  /** 50 microseconds between two looks of somebody who waits for room. */
  private static final long WAIT_NANOS = 50_000;

  private static final ThreadLocal<Boolean> IN_HANDLER = ThreadLocal.withInitial(() -> false);

  private final Reactor reactor;
  private final KeyPattern pattern;
  private final Class<T> type;
  private final Order order;
  private final Function<? super Event<T>, ?> keyOf;
  private final boolean runsOnCaller;
  private final int queueMax;
  private final Overflow overflow;
  private final Handler<T> handler;

  private final AtomicInteger pending = new AtomicInteger();
  private final Map<Object, Mailbox> mailboxes = new ConcurrentHashMap<>();
  private volatile boolean isOff;
  private final Mailbox only = new Mailbox(this, null);

  Subscription(Reactor reactor, HandlerSpec<T> spec, Handler<T> handler) {
    this.reactor = reactor;
    this.handler = handler;
    pattern = spec.pattern;
    type = spec.type;
    order = spec.order;
    keyOf = spec.keyOf;
    runsOnCaller = spec.runsOnCaller;
    queueMax = spec.queueMax;
    overflow = spec.overflow;
  }

  /** From now on this thread runs handlers: it must not wait for their queues. */
  static void enterHandlers() {
    IN_HANDLER.set(true);
  }

  @Override
  public KeyPattern pattern() {
    return pattern;
  }

  @Override
  public int pending() {
    return pending.get();
  }

  @Override
  public void close() {
    reactor.off(this);
  }

  /** Taken off: it is forgotten when nothing waits for it any more. */
  void ended() {
    isOff = true;
    if (pending.get() == 0) reactor.forget(this);
  }

  boolean wants(Object payload) {
    return type.isInstance(payload);
  }

  // ---- emitting

  /** Queues an event whose payload it {@link #wants}, or drops it; RejectedEventException. */
  boolean offer(
      String key,
      Object payload,
      @Nullable CompletableFuture<Object> call,
      @Nullable Delivery delivery) {
    Event<T> event = new Event<>(key, type.cast(payload), this, call, delivery);
    if (!admit(event)) {
      reactor.dropped(event);
      return false;
    }
    reactor.accepted();
    if (delivery != null) delivery.added();
    switch (order) {
      case SERIAL -> post(only, event);
      case KEYED -> postKeyed(event);
      case PARALLEL -> runSoon(() -> handle(event));
    }
    return true;
  }

  /** Counts it in if there is room, or there is in the end. */
  private boolean admit(Event<T> event) {
    while (pending.getAndIncrement() >= queueMax) {
      if (overflow == Overflow.WAIT && IN_HANDLER.get() && pending.get() <= BEYOND * queueMax) {
        return true;
      }
      pending.decrementAndGet();
      if (overflow == Overflow.DROP) return false;
      if (overflow == Overflow.REJECT || IN_HANDLER.get()) {
        throw new RejectedEventException(
            "queue full: pattern=" + pattern + ", max=" + queueMax + ", key=" + event.key());
      }
      LockSupport.parkNanos(this, WAIT_NANOS);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new RejectedEventException(
            "interrupted while the queue was full: key=" + event.key());
      }
    }
    return true;
  }

  private void postKeyed(Event<T> event) {
    Object key = keyOf.apply(event);
    while (true) {
      Mailbox mailbox = mailboxes.get(key);
      if (mailbox == null) mailbox = mailboxes.computeIfAbsent(key, this::newMailbox);
      Mailbox.Added added = mailbox.add(event);
      if (added == Mailbox.Added.FIRST) runSoon(mailbox);
      if (added != Mailbox.Added.CLOSED) return;
      mailboxes.remove(key, mailbox);
    }
  }

  private Mailbox newMailbox(Object key) {
    return new Mailbox(this, key);
  }

  private void post(Mailbox mailbox, Event<T> event) {
    if (mailbox.add(event) == Mailbox.Added.FIRST) runSoon(mailbox);
  }

  /** On the caller's thread only work that nobody else does: a mailbox is run by one thread. */
  private void runSoon(Runnable work) {
    if (!runsOnCaller) {
      reactor.workers().submit(work);
      return;
    }
    boolean before = IN_HANDLER.get();
    IN_HANDLER.set(true);
    try {
      work.run();
    } finally {
      IN_HANDLER.set(before);
    }
  }

  // ---- handling

  void runLater(Mailbox mailbox) {
    reactor.workers().submit(mailbox);
  }

  /** Called by who ran it; somebody else may run it again by now. */
  void idle(Mailbox mailbox, @Nullable Object key) {
    if (key == null || mailboxes.size() <= MAILBOXES_MAX) return;
    if (mailbox.close()) mailboxes.remove(key, mailbox);
  }

  void handle(Event<?> any) {
    @SuppressWarnings("unchecked") // mailboxes hold this subscription's events only
    Event<T> event = (Event<T>) any;
    Throwable error = null;
    try {
      handler.handle(event);
    } catch (Throwable e) {
      error = e;
      reactor.failed(event, e);
    } finally {
      if (pending.decrementAndGet() == 0 && isOff) reactor.forget(this);
      event.handled(error);
    }
  }
}
