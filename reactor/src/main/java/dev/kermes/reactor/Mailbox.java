package dev.kermes.reactor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The events of one key, of which one at a time is handled. Whoever puts the first one into an idle
 * mailbox has it run; who runs it takes all that is there and turns it around:
 *
 * <pre>
 *   head   null        idle
 *          BUSY        somebody runs it, nothing waits
 *          e3 -> e2 -> e1 [-> BUSY]   events, the last one first
 *          CLOSED      out of use: look for another one
 * </pre>
 *
 * Per event: one compare-and-set to add, no lock. Any thread adds, one at a time runs.
 */
final class Mailbox implements Runnable {

  /** What mailboxes are made of: events, and the marks. */
  static class Node extends Inbox.Node {
    /** What was added before it. */
    @Nullable Node next;
  }

  private static final Node BUSY = new Node();
  private static final Node CLOSED = new Node();

  /** 256: then others have their turn. */
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

  /** What was taken and is not handled yet, the first one first; the runner's own. */
  private @Nullable Node taken;

  Mailbox(HandlerRegistration<?> registration, Object key) {
    this.registration = registration;
    this.key = key;
  }

  /** What {@link #add} found. */
  enum Added {
    /** It was idle: the caller must have it run. */
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

  /** Makes it busy if it is idle: who holds it must {@link #run} it. */
  boolean hold() {
    return HEAD.compareAndSet(this, null, BUSY);
  }

  /** Handles what is there, then leaves it idle or has it run again later. */
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

  /** All that waits, in the order that it came in. */
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

  /** Takes it out of use if it is idle. */
  boolean close() {
    return HEAD.compareAndSet(this, null, CLOSED);
  }
}
