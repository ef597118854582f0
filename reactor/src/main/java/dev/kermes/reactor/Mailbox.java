package dev.kermes.reactor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The events of one key, handled one at a time: a lock-free stack. The thread that pushes the first
 * event onto an idle mailbox must have it run. The runner takes the whole stack at once and
 * reverses it, which restores the order of arrival:
 *
 * <pre>
 *   head   null        idle
 *          BUSY        a worker runs it, no event waits
 *          e3 -> e2 -> e1 [-> BUSY]   waiting events, the newest first
 *          CLOSED      retired: the emitter must create another mailbox
 * </pre>
 *
 * <p>Cost per event: one compare-and-set to add, no lock. Any thread adds; one worker at a time
 * runs.
 */
final class Mailbox implements Runnable {

  /** A list node: an event, or one of the two markers. */
  static class Node extends Inbox.Node {
    /** The node added before this one. */
    @Nullable Node next;
  }

  private static final Node BUSY = new Node();
  private static final Node CLOSED = new Node();

  /** 256 events per run, then other mailboxes get the worker. */
  private static final int TURN_MAX = 256;

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(Mailbox.class, "head", Node.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final HandlerRegistration<?> registration;
  private final Object key;
  private volatile @Nullable Node head;

  /** Events taken but not handled yet, the oldest first; owned by the runner. */
  private @Nullable Node taken;

  Mailbox(HandlerRegistration<?> registration, Object key) {
    this.registration = registration;
    this.key = key;
  }

  /** The state in which {@link #add} found the mailbox. */
  enum Added {
    /** The mailbox was idle: the caller must have it run. */
    FIRST,
    BEHIND_OTHERS,
    CLOSED
  }

  Added add(Event<?> event) {
    while (true) {
      Node before = head;
      if (before == CLOSED) return Added.CLOSED;
      event.next = before;
      if (HEAD.compareAndSet(this, before, event)) {
        return before == null ? Added.FIRST : Added.BEHIND_OTHERS;
      }
    }
  }

  /** Makes an idle mailbox busy; if this returns true, the caller must {@link #run} it later. */
  boolean hold() {
    return HEAD.compareAndSet(this, null, BUSY);
  }

  /** Handles the waiting events, then goes idle or schedules another run. */
  @Override
  public void run() {
    int count = 0;
    boolean isTimed = registration.isWatched();
    long began = isTimed ? System.nanoTime() : 0;
    while (true) {
      if (taken == null) taken = takeAll();
      for (Node event = taken; event != null; event = taken) {
        if (count++ == TURN_MAX) {
          registration.runLater(this);
          return;
        }
        taken = event.next;
        event.next = null;
        registration.run((Event<?>) event);
      }
      if (HEAD.compareAndSet(this, BUSY, null)) {
        if (isTimed) registration.latency().recordRun(count, System.nanoTime() - began);
        registration.releaseIdle(this, key);
        return;
      }
    }
  }

  /** Takes all waiting events, in the order of arrival. */
  private @Nullable Node takeAll() {
    Node first = null;
    Node event = (Node) HEAD.getAndSet(this, BUSY);
    while (event != null && event != BUSY) {
      Node following = event.next;
      event.next = first;
      first = event;
      event = following;
    }
    return first;
  }

  /** Retires the mailbox if it is idle; returns whether it did. */
  boolean close() {
    return HEAD.compareAndSet(this, null, CLOSED);
  }
}
