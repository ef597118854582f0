package dev.kermes.reactor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * All events of a handler, in the order that they were emitted. One worker at a time goes through
 * them and handles each where it stands: while handlers are quick no key needs a queue of its own,
 * and emitters and worker share nothing but the links between events.
 *
 * <pre>
 *   e1 -> e2 -> e3 -> e4
 *   ^ current         ^ tail; null: idle, and who adds the first one has the inbox run
 * </pre>
 *
 * <p>A worker that is stuck in a handler loses the inbox to another one ({@link #detectStall}),
 * which goes on behind that event; what comes for its key waits in a {@link Mailbox}, and the first
 * worker sees to that when its handler has ended. Where handlers are slow as a rule ({@link HandlerLatencyClassifier})
 * every event goes through the mailbox of its key, so that many are handled at once.
 *
 * <p>Per event: one exchange to add, one compare-and-set to go on, no lock. Any thread adds, one at
 * a time runs.
 */
final class Inbox implements Runnable {

  /** What an inbox is made of. */
  static class Node {
    /** What was added behind it. */
    @Nullable Event<?> following;
  }

  /** 4,096: then others have their turn. */
  private static final int TURN_MAX = 4096;

  /** 64: the clock is asked after so many events. */
  private static final int TIMED_EVENTS = 64;

  /** 50 looks, a microsecond or two: so long it waits for more before it becomes idle. */
  private static final int SPINS = 50;

  /** Slots 128 bytes apart: emitters and worker must not disturb each other. */
  private static final int TAIL = 32;

  /** What a worker is handling; it has the inbox as long as nobody else changes this. */
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

  /** Where the next run begins; who has it run writes it before. */
  private @Nullable Event<?> upcoming;

  /** What was current at the last look; the onlooker's own. */
  private @Nullable Event<?> seen;

  Inbox(HandlerRegistration<?> registration) {
    this.registration = registration;
  }

  /** Whether it was idle: the caller must have it run. */
  boolean add(Event<?> event) {
    Event<?> before = ends.getAndSet(TAIL, event);
    if (before == null) {
      upcoming = event;
      return true;
    }
    FOLLOWING.setRelease(before, event);
    return false;
  }

  /** Handles what is there, then leaves it idle or has it run again later. */
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

  /** What comes behind an event that is through; null if nothing does, and then it is idle. */
  private @Nullable Event<?> following(Event<?> event) {
    Event<?> following = (Event<?>) FOLLOWING.getAcquire(event);
    for (int i = 0; following == null && i < SPINS; i++) {
      Thread.onSpinWait();
      following = (Event<?>) FOLLOWING.getAcquire(event);
    }
    if (following == null) {
      if (ends.compareAndSet(TAIL, event, null)) return null;
      do { // somebody is between the two steps of adding
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

  /** Takes the inbox from a worker that is in the same handler as at the last look. */
  void detectStall() {
    Event<?> event = ends.get(CURRENT);
    boolean isStuck = event != null && event == seen;
    seen = isStuck ? null : event;
    if (isStuck) takeOver(event);
  }

  /** The mailbox of its key is held first, so that what comes for it waits there from now on. */
  private void takeOver(Event<?> event) {
    Mailbox mailbox = registration.holdMailbox(event);
    if (mailbox == null) return;
    if (!ends.compareAndSet(CURRENT, event, null)) {
      registration.runLater(mailbox); // it was not stuck after all
      return;
    }
    registration.latency().recordStall();
    upcoming = following(event);
    if (upcoming != null) registration.runLater(this);
  }
}
