package dev.kermes.client.internal.pending;

import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.resp.ReplyReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one connection: commands in flight and commands that have not been written yet. It
 * outlives physical connections.
 *
 * <pre>
 *   callers --append--> [ done | in flight | not yet written ] --> server
 *                             ^head        ^sent           ^tail
 * </pre>
 *
 * <p>A linked list whose nodes are the commands themselves, so that queueing allocates nothing. Any
 * thread appends: it exchanges {@code tail} and then links the previous tail to the new node.
 * Between these two steps the new node is counted but cannot be reached yet; the loop either comes
 * back later or, when it must reach the node, spins for these few instructions. The event loop owns
 * everything else.
 *
 * <p>A reply always belongs to the first written command that is not done. Only a reply or the loss
 * of the connection takes a written command out of the queue, so that cancelling and timing out
 * cannot shift replies.
 *
 * <p>The queue is bounded by {@link QueuePermits}. Permits of retired commands are returned in
 * batches ({@link #releaseRetired}), because returning them is an operation between threads.
 *
 * <p>Hot path: {@link #append}, {@link #nextToWrite}, {@link #firstInFlight}, {@link #retire}.
 */
@SuppressWarnings("ReferenceEquality") // a command is its identity
public final class PendingQueue {
  private static final VarHandle TAIL;

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(PendingQueue.class, "tail", PendingCommand.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A node without a command: the one that an empty queue consists of, or the place of written
   * commands that have ended, whose replies it drops.
   */
  private static final class Placeholder extends PendingCommand {
    private int repliesLeft;

    Placeholder() {
      isWritten = true;
      hasNoPermits = true;
    }

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public void writeTo(RequestOutput out) {}

    @Override
    public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
      return --repliesLeft == 0;
    }

    @Override
    public void fail(RedisException failure, CallbackBatch callbacks) {}
  }

  /** Ends commands whose deadline has passed. */
  public interface Expiry {
    /** Ends {@code pending}; {@code isSent} tells whether it has been written. */
    public void expire(PendingCommand pending, boolean isSent);
  }

  private final QueuePermits permits;
  private volatile PendingCommand tail = new Placeholder();
  private PendingCommand head = tail;
  private PendingCommand sent = tail;
  private int permitsRetired;

  public PendingQueue(QueuePermits permits) {
    this.permits = permits;
  }

  /** Appends {@code pending}, for which the caller has acquired permits. Any thread. */
  public void append(PendingCommand pending) {
    PendingCommand before = (PendingCommand) TAIL.getAndSet(this, pending);
    PendingCommand.NEXT.setRelease(before, pending);
  }

  /** Whether nothing is queued or in flight. Exact on the loop; a hint on other threads. */
  public boolean isEmpty() {
    return head == tail;
  }

  // ---- not yet written

  /** Whether something was appended that has not been written, even if it cannot be reached yet. */
  public boolean hasUnsent() {
    return tail != sent;
  }

  /** The next command to write, or null if none can be reached yet. */
  public @Nullable PendingCommand nextToWrite() {
    return sent.nextAcquire();
  }

  /** Counts {@code pending}, the next command to write, as written. */
  public void markSent(PendingCommand pending) {
    sent = pending;
  }

  /** The last command that has been appended. */
  public PendingCommand last() {
    return tail;
  }

  /** Takes the next command without writing it; null after {@code last}. */
  public @Nullable PendingCommand takeUnsent(PendingCommand last) {
    if (sent == last) return null;
    PendingCommand pending = sent.nextAcquire();
    while (pending == null) { // appended, but not linked yet
      Thread.onSpinWait();
      pending = sent.nextAcquire();
    }
    sent = pending;
    return pending;
  }

  /** Drops the commands that have been taken; only after the end of the event loop. */
  public void dropTaken() {
    head = sent;
  }

  // ---- in flight

  /** The command that the next reply belongs to, or null. */
  public @Nullable PendingCommand firstInFlight() {
    retireUnwritten();
    return head == sent ? null : following(head);
  }

  /** Retires the first commands as long as they were never written. */
  public void retireUnwritten() {
    while (head != sent && !following(head).isWritten) retire(following(head));
  }

  /** Takes {@code pending}, the first command, out of the queue. */
  public void retire(PendingCommand pending) {
    head.next = null; // done commands must not keep later ones alive
    head = pending;
    retirePermits(pending);
    Lease lease = pending.lease();
    if (lease == null) return;
    pending.setClaim(null); // a later cancellation must not close the connection
    lease.giveBack();
  }

  /** Replaces the last done command of an empty queue, so that its result can be collected. */
  public void retireLast() {
    PendingCommand last = head;
    if (last != sent || last instanceof Placeholder) return;
    Placeholder empty = new Placeholder();
    if (TAIL.compareAndSet(this, last, empty)) {
      head = empty;
      sent = empty;
    }
  }

  private static PendingCommand following(PendingCommand pending) {
    PendingCommand next = pending.nextAcquire();
    if (next == null) throw new IllegalStateException("queue ends before its last sent command");
    return next;
  }

  /** Whether the first written command should have been answered by now. */
  public boolean isOwedReply() {
    for (PendingCommand pending = head; pending != sent; ) {
      pending = following(pending);
      if (pending.isWritten) return !pending.mayWait();
    }
    return false;
  }

  /** Whether a written command has a longer timeout of its own than {@code nanos}. */
  public boolean hasLongRunningCommand(long nanos) {
    for (PendingCommand pending = head; pending != sent; ) {
      pending = following(pending);
      boolean isLong = pending.ownTimeoutNanos() > nanos && !pending.mayWait();
      if (isLong && pending.isWritten && !pending.isDone()) return true;
    }
    return false;
  }

  // ---- permits

  private void retirePermits(PendingCommand pending) {
    if (!pending.hasNoPermits && !pending.hasReleasedPermitsEarly()) {
      permitsRetired += pending.permitCount();
    }
  }

  /** Retires the permits of a command that another queue takes over. */
  public void retirePermitsOfMoved(PendingCommand pending) {
    if (!pending.hasNoPermits && pending.takePermits() != null) {
      permitsRetired += pending.permitCount();
    }
    pending.hasNoPermits = true;
  }

  /** Returns the retired permits: once for many, because it is an operation between threads. */
  public void releaseRetired() {
    permits.release(permitsRetired);
    permitsRetired = 0;
  }

  // ---- time

  /**
   * Ends the commands whose deadline has passed. Also retires the permits of done commands, so that
   * the bound counts only live ones. A done command that was not written is removed; one that was
   * leaves only a count of the replies to drop, because a server that does not reply for a long
   * time would fill the heap with ended commands.
   */
  public void expire(long now, Expiry expiry) {
    boolean isSent = head != sent;
    PendingCommand before = head;
    PendingCommand pending = head.nextAcquire();
    while (pending != null) {
      if (isLate(pending, now)) expiry.expire(pending, isSent);
      PendingCommand after = pending.nextAcquire();
      boolean isLastSent = pending == sent;
      if (!pending.isDone()) {
        before = pending;
      } else {
        retirePermits(pending);
        pending.hasNoPermits = true;
        before = isLastSent || after == null ? pending : remove(pending, before, after);
      }
      if (isLastSent) isSent = false;
      pending = after;
    }
    releaseRetired();
  }

  /** Sets the deadline when the loop sees the command for the first time. */
  private static boolean isLate(PendingCommand pending, long now) {
    long timeout = pending.timeoutNanos;
    if (timeout == Long.MAX_VALUE) return false;
    if (pending.deadlineNanos == 0) {
      pending.deadlineNanos = now + timeout;
      return false;
    }
    return pending.deadlineNanos - now <= 0 && !pending.isDone();
  }

  /** Removes {@code pending}, which is done, if it can; returns the node before {@code after}. */
  private PendingCommand remove(
      PendingCommand pending, PendingCommand before, PendingCommand after) {
    PendingCommand last = before;
    if (pending.isWritten) {
      int replies = pending.mayWait() || pending.lease() != null ? 0 : pending.dropReplies();
      if (replies == 0) return pending;
      Placeholder place =
          before != head && before instanceof Placeholder open ? open : new Placeholder();
      place.repliesLeft += replies;
      if (place != before) before.next = place;
      last = place;
    }
    last.next = after;
    pending.next = null; // its caller may keep it, and must not keep later ones alive
    return last;
  }
}
