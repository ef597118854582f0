package dev.kermes.reactor;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A handler with its pattern, its queue and its order. Any thread. */
final class HandlerRegistration<T> implements Registration {

  /** How many times its bound a queue may grow by what handlers emit. */
  static final int BEYOND = 16;

  /** 16,384: as many idle mailboxes are kept for callers; with more keys they are made anew. */
  private static final int MAILBOXES_MAX = 16 * 1024;

  /** 50 microseconds between two looks of somebody who waits for inFlight. */
  private static final long WAIT_NANOS = 50_000;

  private static final ThreadLocal<Boolean> IN_HANDLER = ThreadLocal.withInitial(() -> false);

  private final Reactor reactor;
  private final RoutePattern pattern;
  private final Class<T> type;
  private final Order order;
  private final Function<? super Event<T>, ?> keyOf;
  private final boolean runsOnCaller;
  private final int queueMax;
  private final Overflow overflow;
  private final Handler<T> handler;

  private final InFlightCounter inFlight;

  /** Whether another key's events need not wait for a worker that is stuck. */
  private final boolean isWatched;

  private final Inbox inbox = new Inbox(this);
  private final HandlerLatencyClassifier latency = new HandlerLatencyClassifier();
  private final Map<Object, Mailbox> mailboxes = new ConcurrentHashMap<>();
  private volatile boolean isOff;

  HandlerRegistration(Reactor reactor, HandlerSpec<T> spec, Handler<T> handler) {
    this.reactor = reactor;
    this.handler = handler;
    pattern = spec.pattern;
    type = spec.type;
    order = spec.order;
    keyOf = spec.keyOf;
    runsOnCaller = spec.runsOnCaller;
    queueMax = spec.queueMax;
    overflow = spec.overflow;
    inFlight = new InFlightCounter(queueMax);
    isWatched = order == Order.KEYED && !runsOnCaller;
  }

  /** From now on this thread runs handlers: it must not wait for their queues. */
  static void enterHandlers() {
    IN_HANDLER.set(true);
  }

  @Override
  public RoutePattern pattern() {
    return pattern;
  }

  @Override
  public int pending() {
    return inFlight.pending();
  }

  /** How many events it has accepted so far. */
  long accepted() {
    return inFlight.accepted();
  }

  @Override
  public void close() {
    reactor.off(this);
  }

  /** Taken off: it is forgotten when nothing waits for it any more. */
  void retire() {
    isOff = true;
    if (inFlight.pending() == 0) reactor.forget(this);
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
    if (delivery != null) delivery.addHandler();
    switch (order) {
      case SERIAL -> addToInbox(event);
      case KEYED -> {
        if (runsOnCaller) addToMailbox(event);
        else addToInbox(event);
      }
      case PARALLEL -> runSoon(() -> run(event));
    }
    return true;
  }

  /** Counts it in if there is room, or there is in the end. */
  private boolean admit(Event<T> event) {
    while (!inFlight.tryAdmit(1)) {
      if (overflow == Overflow.WAIT && IN_HANDLER.get() && inFlight.tryAdmit(BEYOND)) return true;
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

  /** On the caller's thread only work that nobody else does: an inbox is run by one thread. */
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

  private void addToInbox(Event<T> event) {
    if (!inbox.add(event)) return;
    runSoon(inbox);
    if (isWatched) reactor.stallDetector().startIfNeeded();
  }

  // ---- mailboxes: of all keys on the caller's thread, otherwise of those that are busy elsewhere

  private void addToMailbox(Event<T> event) {
    Object key = keyOf.apply(event);
    while (true) {
      Mailbox mailbox = mailboxes.get(key);
      if (mailbox == null) mailbox = mailboxes.computeIfAbsent(key, this::newMailbox);
      if (add(mailbox, event)) return;
      mailboxes.remove(key, mailbox);
    }
  }

  /** False if it is out of use. */
  private boolean add(Mailbox mailbox, Event<?> event) {
    Mailbox.Added added = mailbox.add(event);
    if (added == Mailbox.Added.FIRST) runSoon(mailbox);
    return added != Mailbox.Added.CLOSED;
  }

  private Mailbox newMailbox(Object key) {
    return new Mailbox(this, key);
  }

  /** For the worker of the inbox: puts an event away if it must not handle it itself. */
  boolean divert(Event<?> any) {
    if (!isWatched || latency.isQuick() && mailboxes.isEmpty()) return false;
    Event<T> event = own(any);
    try {
      if (!latency.isQuick()) {
        addToMailbox(event);
        return true;
      }
      Mailbox mailbox = mailboxes.get(keyOf.apply(event));
      return mailbox != null && add(mailbox, event);
    } catch (RuntimeException e) {
      completed(event, e, true); // no key, no order: it cannot be handled
      return true;
    }
  }

  /** Whether its inbox is watched, and its pace measured. */
  boolean isWatched() {
    return isWatched;
  }

  boolean isBusy() {
    return isWatched && !inbox.isIdle();
  }

  void detectStall() {
    if (isWatched) inbox.detectStall();
  }

  /** Makes the mailbox of a key busy with an event that is being handled; null if it is already. */
  @Nullable Mailbox holdMailbox(Event<?> event) {
    try {
      Mailbox mailbox = mailboxes.computeIfAbsent(keyOf.apply(own(event)), this::newMailbox);
      return mailbox.hold() ? mailbox : null;
    } catch (RuntimeException e) {
      return null; // it will fail for that when it is its turn
    }
  }

  /** The handler has ended that a mailbox was held for. */
  void finishStalled(Event<?> event, @Nullable Throwable error) {
    completed(event, error, false);
    Mailbox mailbox = mailboxes.get(keyOf.apply(own(event)));
    Objects.requireNonNull(mailbox, "held").run();
  }

  HandlerLatencyClassifier latency() {
    return latency;
  }

  void runLater(Runnable work) {
    reactor.workers().submit(work);
  }

  /** Called by who ran it; somebody else may run it again by now. */
  void releaseIdle(Mailbox mailbox, Object key) {
    if (runsOnCaller && mailboxes.size() <= MAILBOXES_MAX) return;
    if (mailbox.close()) mailboxes.remove(key, mailbox);
  }

  // ---- handling

  @SuppressWarnings("unchecked") // inbox and mailboxes hold this registration's events only
  private Event<T> own(Event<?> event) {
    return (Event<T>) event;
  }

  /** Handles an event that is not in the inbox any more. */
  void run(Event<?> event) {
    completed(event, handle(event), false);
  }

  /** Calls the handler; returns what it has thrown. */
  @Nullable Throwable handle(Event<?> event) {
    try {
      handler.handle(own(event));
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** The handler has ended; {@code hasInbox}: of the worker that goes through the inbox. */
  void completed(Event<?> event, @Nullable Throwable error, boolean hasInbox) {
    if (error != null) reactor.failed(event, error);
    if (hasInbox) inFlight.handledInInbox();
    else inFlight.handledElsewhere();
    if (isOff && inFlight.pending() == 0) reactor.forget(this);
    event.handled(error);
  }
}
