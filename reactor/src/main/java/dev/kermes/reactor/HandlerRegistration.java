package dev.kermes.reactor;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A handler with its pattern, its queue and its order. The order decides the way of an event:
 *
 * <pre>
 *   SERIAL           inbox
 *   KEYED            inbox; a mailbox per key if the handler is slow or the key is busy
 *   KEYED, onCaller  a mailbox per key
 *   PARALLEL         a task of its own
 * </pre>
 *
 * <p>Any thread.
 */
final class HandlerRegistration<T> implements Registration {

  /** How many times its bound a queue may grow by events that handlers emit. */
  static final int BEYOND = 16;

  /** 16,384 idle mailboxes are kept for onCaller handlers; beyond that they are created anew. */
  private static final int MAILBOXES_MAX = 16 * 1024;

  /** 50 microseconds between two attempts of an emitter that waits for a full queue. */
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
  private final String name;
  private final @Nullable Retry retry;
  private final Executor executor;
  private final Handler<T> handler;

  private final InFlightCounter inFlight;

  /** Whether the stall detector may take the inbox from a worker that is blocked in the handler. */
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
    name = spec.name;
    retry = spec.retry;
    executor = executor(reactor.workers(), spec.executor);
    inFlight = new InFlightCounter(queueMax);
    isWatched = order == Order.KEYED && !runsOnCaller;
  }

  private static Executor executor(Workers workers, @Nullable Executor given) {
    return given == null ? workers : new HandlerExecutor(given, workers);
  }

  /** Marks this thread as one that runs handlers, which must not wait for their queues. */
  static void enterHandlers() {
    IN_HANDLER.set(true);
  }

  /** Whether this thread runs handlers. */
  static boolean isInHandler() {
    return IN_HANDLER.get();
  }

  @Override
  public RoutePattern pattern() {
    return pattern;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int pending() {
    return inFlight.pending();
  }

  /** The number of events accepted so far. */
  long accepted() {
    return inFlight.accepted();
  }

  @Override
  public void close() {
    reactor.off(this);
  }

  /** Marks the handler as removed; the reactor drops it when no event waits any more. */
  void retire() {
    isOff = true;
    if (inFlight.pending() == 0) reactor.registrations().remove(this);
  }

  boolean wants(Object payload) {
    return type.isInstance(payload);
  }

  // ---- emitting

  /**
   * Queues an event whose payload the handler {@link #wants}; returns false if it is dropped.
   *
   * @throws RejectedEventException if the queue is full and the handler declared {@link
   *     Overflow#REJECT}, or the emitting thread runs handlers or is interrupted
   */
  boolean offer(String key, Object payload, @Nullable Delivery delivery) {
    Event<T> event = new Event<>(key, type.cast(payload), this, delivery);
    if (!admit(event)) {
      reactor.hooks().onDropped(event.key(), event.payload(), DropReason.OVERFLOW);
      return false;
    }
    if (delivery != null) delivery.addHandler();
    switch (order) {
      case SERIAL -> addToInbox(event);
      case KEYED -> {
        if (runsOnCaller) addToMailboxOrFail(event);
        else addToInbox(event);
      }
      case PARALLEL -> runSoon(() -> run(event));
    }
    return true;
  }

  /** Admits an event at once, or after waiting until the queue is no longer full. */
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

  /** Hands work to the executor, or runs it on this thread if the handler is declared onCaller. */
  private void runSoon(Runnable work) {
    if (runsOnCaller) runAsHandler(work);
    else executor.execute(work);
  }

  /** Runs work on this thread, which must not wait for the queues of handlers until it ends. */
  static void runAsHandler(Runnable work) {
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

  // ---- mailboxes: for onCaller handlers of all keys, otherwise of the keys that are busy

  private void addToMailboxOrFail(Event<T> event) {
    Object key;
    try {
      key = keyOf.apply(event);
    } catch (RuntimeException e) {
      completed(event, e, false);
      return;
    }
    addToMailbox(event, key);
  }

  private void addToMailbox(Event<T> event, Object key) {
    while (true) {
      Mailbox mailbox = mailboxes.get(key);
      if (mailbox == null) mailbox = mailboxes.computeIfAbsent(key, this::newMailbox);
      if (add(mailbox, event)) return;
      mailboxes.remove(key, mailbox);
    }
  }

  /** Adds an event to a mailbox; false if the mailbox is retired. */
  private boolean add(Mailbox mailbox, Event<?> event) {
    Mailbox.Added added = mailbox.add(event);
    if (added == Mailbox.Added.FIRST) runSoon(mailbox);
    return added != Mailbox.Added.CLOSED;
  }

  private Mailbox newMailbox(Object key) {
    return new Mailbox(this, key);
  }

  /**
   * Moves an event from the inbox to the mailbox of its key if the inbox's worker must not handle
   * it itself: the handler is slow, or an event of that key is being handled by another worker.
   * Returns whether it did.
   */
  boolean divert(Event<?> any) {
    if (!isWatched || latency.isQuick() && mailboxes.isEmpty()) return false;
    Event<T> event = own(any);
    try {
      if (!latency.isQuick()) {
        addToMailbox(event, keyOf.apply(event));
        return true;
      }
      Mailbox mailbox = mailboxes.get(keyOf.apply(event));
      return mailbox != null && add(mailbox, event);
    } catch (RuntimeException e) {
      completed(event, e, true); // the event has no key, so its order is unknown: it fails
      return true;
    }
  }

  /** Whether the inbox is checked for stalls and the handler's latency is measured. */
  boolean isWatched() {
    return isWatched;
  }

  boolean isBusy() {
    return isWatched && !inbox.isIdle();
  }

  void detectStall() {
    if (isWatched) inbox.detectStall();
  }

  /**
   * Makes the mailbox of an event's key busy on behalf of the event that is being handled; null if
   * the mailbox is busy already, or the key cannot be computed.
   */
  @Nullable Mailbox holdMailbox(Event<?> event) {
    try {
      Mailbox mailbox = mailboxes.computeIfAbsent(keyOf.apply(own(event)), this::newMailbox);
      return mailbox.hold() ? mailbox : null;
    } catch (RuntimeException e) {
      return null; // the event fails for the same reason when its worker asks for the key
    }
  }

  /** Called when a stalled handler has ended: runs the mailbox that was held for its event. */
  void finishStalled(Event<?> event, @Nullable Throwable error) {
    completed(event, error, false);
    Mailbox mailbox = mailboxes.get(keyOf.apply(own(event)));
    Objects.requireNonNull(mailbox, "held").run();
  }

  HandlerLatencyClassifier latency() {
    return latency;
  }

  void runLater(Runnable work) {
    executor.execute(work);
  }

  /** Discards an idle mailbox; called by its runner, although another may have started by now. */
  void releaseIdle(Mailbox mailbox, Object key) {
    if (runsOnCaller && mailboxes.size() <= MAILBOXES_MAX) return;
    if (mailbox.close()) mailboxes.remove(key, mailbox);
  }

  // ---- handling

  @SuppressWarnings("unchecked") // inbox and mailboxes hold this registration's events only
  private Event<T> own(Event<?> event) {
    return (Event<T>) event;
  }

  /** Handles an event outside the inbox. */
  void run(Event<?> event) {
    completed(event, handle(event), false);
  }

  /** Calls the handler, again if it declared so; returns its last exception, or null. */
  @Nullable Throwable handle(Event<?> any) {
    Event<T> event = own(any);
    Delivery delivery = event.delivery();
    if (delivery == null) return attempts(event);
    Throwable refusal = delivery.enter();
    if (refusal != null) return refusal;
    Throwable error = attempts(event);
    delivery.leave();
    return error;
  }

  private @Nullable Throwable attempts(Event<T> event) {
    Retry policy = retry;
    if (policy == null && !reactor.hooks().isObserved()) return attempt(event);
    try {
      return policy == null ? observedAttempt(event) : attempts(event, policy);
    } catch (RuntimeException e) { // of an observer, or of the condition for retries
      return e;
    }
  }

  private @Nullable Throwable attempt(Event<T> event) {
    try {
      handler.handle(event);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private @Nullable Throwable observedAttempt(Event<T> event) {
    ReactorObserver.Observation[] observations = reactor.hooks().onStart(this, event);
    Throwable error = attempt(event);
    for (ReactorObserver.Observation each : observations) each.onEnd(error);
    return error;
  }

  /** Calls the handler until it succeeds or gives up, and keeps its lane busy while it waits. */
  private @Nullable Throwable attempts(Event<T> event, Retry policy) {
    Throwable error = observedAttempt(event);
    for (int failed = 1; error != null && policy.allows(failed, error); failed++) {
      long nanos = policy.waitNanos(failed);
      HandlerFailure.record(this, event, error, true);
      reactor.hooks().onRetry(this, event, error, nanos);
      if (!waitBeforeRetry(event.delivery(), nanos)) return error;
      event.countRetry();
      error = observedAttempt(event);
    }
    return error;
  }

  /** Waits on this thread; false if another attempt makes no sense any more. */
  private static boolean waitBeforeRetry(@Nullable Delivery delivery, long nanos) {
    long due = System.nanoTime() + nanos;
    if (delivery != null && delivery.meta().remaining().toNanos() < nanos) return false;
    while (delivery == null || delivery.mayRetry()) {
      long left = due - System.nanoTime();
      if (left <= 0) return true;
      if (Thread.currentThread().isInterrupted()) return false;
      LockSupport.parkNanos(left);
    }
    return false;
  }

  /** Called when the handler has ended; {@code hasInbox} if this worker owns the inbox. */
  void completed(Event<?> event, @Nullable Throwable error, boolean hasInbox) {
    if (error != null) {
      HandlerFailure.record(this, event, error, false);
      reactor.hooks().failed(event, error);
    }
    if (hasInbox) inFlight.handledInInbox();
    else inFlight.handledElsewhere();
    if (isOff && inFlight.pending() == 0) reactor.registrations().remove(this);
    event.handled(error);
  }
}
