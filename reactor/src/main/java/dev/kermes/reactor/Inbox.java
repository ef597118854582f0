package dev.kermes.reactor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The queue of all events of a handler, in the order of emission: a linked list through the events
 * themselves. One worker at a time walks the list and handles each event in place. While handlers
 * are quick, no key needs a queue of its own, and emitters and the worker share only the links
 * between events.
 *
 * <pre>
 *   e1 -> e2 -> e3 -> e4
 *   ^ current         ^ tail; null means idle: the emitter that adds the first event
 *                             must have the inbox run
 * </pre>
 *
 * <p>A worker whose handler blocks loses the inbox to another worker ({@link #detectStall}), which
 * continues behind the blocked event. From then on, events with the same key wait in a {@link
 * Mailbox}, and the first worker runs that mailbox when its handler has ended; so the order per key
 * is kept. If a handler is usually slow ({@link HandlerLatencyClassifier}), every event goes
 * through the mailbox of its key, so that events of different keys are handled in parallel.
 *
 * <p>The slot CURRENT decides who owns the inbox: a worker stores the event there before it calls
 * the handler and takes it out with a compare-and-set afterwards. The stall detector takes the
 * inbox over with the same compare-and-set, so exactly one of the two succeeds.
 *
 * <p>Cost per event: one atomic exchange to add and one compare-and-set to continue, no lock. Any
 * thread adds; one worker at a time runs.
 */
final class Inbox implements Runnable {

  /** A list node: the superclass of events. */
  static class Node {
    /** The event added after this one. */
    @Nullable Event<?> following;
  }

  /** 4,096 events per run, then other handlers get the worker. */
  private static final int TURN_MAX = 4096;

  /** 64: the clock is read once per this many events. */
  private static final int TIMED_EVENTS = 64;

  /** 50 spins, one or two microseconds: how long a worker waits for more before it goes idle. */
  private static final int SPINS = 50;

  /** Index of the tail; 128 bytes from {@link #CURRENT}, against false sharing. */
  private static final int TAIL = 32;

  /**
   * Index of the event being handled; its worker owns the inbox until another thread changes it.
   */
  private static final int CURRENT = 64;

  private static final VarHandle FOLLOWING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FOLLOWING = lookup.findVarHandle(Node.class, "following", Event.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final HandlerRegistration<?> registration;
  private final AtomicReferenceArray<@Nullable Event<?>> ends = new AtomicReferenceArray<>(96);

  /** The event at which the next run begins; written by the thread that schedules the run. */
  private @Nullable Event<?> upcoming;

  /** The current event at the last check; owned by the stall detector. */
  private @Nullable Event<?> seen;

  Inbox(HandlerRegistration<?> registration) {
    this.registration = registration;
  }

  /** Appends an event; returns true if the inbox was idle, and the caller must have it run. */
  boolean add(Event<?> event) {
    Event<?> before = ends.getAndSet(TAIL, event);
    if (before == null) {
      upcoming = event;
      return true;
    }
    FOLLOWING.setRelease(before, event);
    return false;
  }

  /** Handles the events in the list, then goes idle or schedules another run. */
  @Override
  public void run() {
    HandlerLatencyClassifier latency = registration.latency();
    long began = System.nanoTime();
    int timed = 0;
    Event<?> event = upcoming;
    for (int count = 1; event != null; count++) {
      if (!registration.divert(event)) {
        ends.setRelease(CURRENT, event);
        Throwable error = registration.handle(event);
        timed++;
        if (!ends.compareAndSet(CURRENT, event, null)) {
          registration.finishStalled(event, error);
          return;
        }
        registration.completed(event, error, true);
      }
      event = following(event);
      if (timed == TIMED_EVENTS || event == null) {
        long now = System.nanoTime();
        latency.recordRun(timed, now - began);
        began = now;
        timed = 0;
      }
      if (event != null && count == TURN_MAX) {
        upcoming = event;
        registration.runLater(this);
        return;
      }
    }
  }

  /** The event after one that is done; null if there is none, and the inbox is idle then. */
  private @Nullable Event<?> following(Event<?> event) {
    Event<?> following = (Event<?>) FOLLOWING.getAcquire(event);
    for (int i = 0; following == null && i < SPINS; i++) {
      Thread.onSpinWait();
      following = (Event<?>) FOLLOWING.getAcquire(event);
    }
    if (following == null) {
      if (ends.compareAndSet(TAIL, event, null)) return null;
      do { // an emitter has set the tail but not yet the link
        Thread.onSpinWait();
        following = (Event<?>) FOLLOWING.getAcquire(event);
      } while (following == null);
    }
    event.following = null;
    return following;
  }

  boolean isIdle() {
    return ends.get(TAIL) == null;
  }

  /** Takes the inbox from a worker that is handling the same event as at the last check. */
  void detectStall() {
    Event<?> event = ends.get(CURRENT);
    boolean isStuck = event != null && event == seen;
    seen = isStuck ? null : event;
    if (isStuck) takeOver(event);
  }

  /** Holds the mailbox of the event's key first, so that later events of the key wait there. */
  private void takeOver(Event<?> event) {
    Mailbox mailbox = registration.holdMailbox(event);
    if (mailbox == null) return;
    if (!ends.compareAndSet(CURRENT, event, null)) {
      registration.runLater(mailbox); // the handler has ended in the meantime
      return;
    }
    registration.latency().recordStall();
    upcoming = following(event);
    if (upcoming != null) registration.runLater(this);
  }
}
