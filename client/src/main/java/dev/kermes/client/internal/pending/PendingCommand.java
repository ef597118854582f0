package dev.kermes.client.internal.pending;

import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.command.ServerWait;
import dev.kermes.net.LendableLoop;
import dev.kermes.resp.ReplyReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way and the replies that it waits for. It is itself the node of the
 * connection's queue, so a call allocates no object besides its future:
 *
 * <pre>
 *   done -> ... -> [head] -> in flight -> ... -> [sent] -> not yet written -> ... -> [tail]
 * </pre>
 *
 * <p>Any thread may write {@link #next}, once. After the command has been queued, the other fields
 * belong to the event loop.
 */
public abstract class PendingCommand {
  static final VarHandle NEXT;
  private static final VarHandle PERMITS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(PendingCommand.class, "next", PendingCommand.class);
      PERMITS = lookup.findVarHandle(PendingCommand.class, "permits", QueuePermits.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Nullable PendingCommand next;

  /**
   * How long this command may take, from the moment the loop sees it. Long.MAX_VALUE means no
   * limit.
   */
  public long timeoutNanos;

  /** When it must be done, on the loop's clock; 0 until the loop has seen it. */
  long deadlineNanos;

  /** Whether its bytes went to the connection, so that replies will come for it. */
  boolean isWritten;

  /** Whether its queue permits have already been released. */
  boolean hasNoPermits;

  /** The semaphore that its permits belong to, until they are released early; set on sending. */
  @Nullable QueuePermits permits;

  /**
   * The event loop that will complete it, if a waiting caller may run that loop; set on sending.
   */
  @Nullable LendableLoop loop;

  /** Notified when the caller gives up, or null. */
  private volatile @Nullable Claim claim;

  /** A resource that a pending command occupies outside its queue. */
  public interface Claim {
    /** The caller of {@code pending} has given up. Any thread. */
    void abandonedBy(PendingCommand pending);
  }

  /**
   * Notes who will complete it and how long it may take; called on sending, before it is in a
   * queue.
   *
   * @param loop the loop that a waiting caller may run, or null
   * @param timeoutNanos counted from the moment when the loop sees it; Long.MAX_VALUE for no limit
   */
  public final void onSend(@Nullable LendableLoop loop, long timeoutNanos) {
    this.loop = loop;
    this.timeoutNanos = timeoutNanos;
  }

  /** Sets the loop that a waiting caller may run. */
  public final void setLoop(@Nullable LendableLoop loop) {
    this.loop = loop;
  }

  public final @Nullable LendableLoop loop() {
    return loop;
  }

  /** Notes the semaphore that its permits were taken from. */
  public final void setPermits(QueuePermits permits) {
    this.permits = permits;
  }

  public final long timeoutNanos() {
    return timeoutNanos;
  }

  public final void setTimeoutNanos(long nanos) {
    timeoutNanos = nanos;
  }

  /** When it must be done, on the loop's clock; 0 until the loop has seen it. */
  public final long deadlineNanos() {
    return deadlineNanos;
  }

  public final void setDeadlineNanos(long nanos) {
    deadlineNanos = nanos;
  }

  /** Appends the request, and notes whether replies will come for it. */
  public final void write(RequestOutput out) {
    isWritten = expectsReply();
    writeTo(out);
  }

  /** The command if this is a single one, or null for several. */
  public @Nullable EncodedCommand<?> command() {
    return null;
  }

  /** Sets the resource that it occupies from now on, or none. */
  public void setClaim(@Nullable Claim claim) {
    this.claim = claim;
  }

  final @Nullable Claim claim() {
    return claim;
  }

  /** The dedicated connection it runs on, or null on the shared one. */
  public final @Nullable Lease lease() {
    return claim instanceof Lease lease ? lease : null;
  }

  /**
   * The number of queue permits that it needs: one, and one more for each KiB of its request, so
   * that the queue bounds memory too.
   */
  public int permitCount() {
    return 1;
  }

  /** The longest of its commands' own timeouts; 0 if none has one. */
  public long ownTimeoutNanos() {
    EncodedCommand<?> command = command();
    return command == null ? 0 : command.timeoutNanos();
  }

  /** Whether it was ended by the caller of {@link #releasePermitsEarly}. Valid once it is done. */
  boolean hasReleasedPermitsEarly() {
    return false;
  }

  /**
   * How long the server may wait before it replies: 0 for not at all, Long.MAX_VALUE without limit.
   */
  public long serverWaitNanos() {
    EncodedCommand<?> command = command();
    return command == null ? 0 : ServerWait.nanos(command);
  }

  /**
   * Whether the server may delay the reply on purpose, so that silence is not a sign of a dead
   * peer.
   */
  public boolean mayWait() {
    EncodedCommand<?> command = command();
    return command != null && command.isBlocking();
  }

  /** Whether replies will come. SUBSCRIBE, for example, is answered by pushes instead. */
  boolean expectsReply() {
    return true;
  }

  /**
   * Frees its resource after the caller has given up, although replies may still come: closes its
   * dedicated connection, or removes it from the borrowers that wait for one.
   */
  public final void abandon() {
    Claim held = claim;
    if (held != null) held.abandonedBy(this);
  }

  /**
   * Releases its permits before its turn in the queue; called once, on cancellation. Any thread.
   */
  final void releasePermitsEarly() {
    QueuePermits left = takePermits();
    if (left != null) left.release(permitCount());
  }

  /** Takes the semaphore, so that only one thread releases the permits. */
  final @Nullable QueuePermits takePermits() {
    return (QueuePermits) PERMITS.getAndSet(this, null);
  }

  /** Whether it has ended: by a result, a failure, a timeout or cancellation. Any thread. */
  public abstract boolean isDone();

  /** Appends the request. */
  public abstract void writeTo(RequestOutput out);

  /**
   * Takes one reply, even after the caller has given up. Must not throw. A single {@link #command}
   * gets an error reply through {@link #fail} instead.
   *
   * @return whether this was the last reply of this command
   */
  public abstract boolean onReply(ReplyReader in, CallbackBatch callbacks);

  /**
   * Called on the loop when it has ended before all its replies have come.
   *
   * @return the number of replies to drop without it; 0 if it has to take them itself
   */
  public int dropReplies() {
    return 0;
  }

  /** Ends it without a result, unless it is done already. */
  public abstract void fail(RedisException failure, CallbackBatch callbacks);

  /** Starts its timeout before it is in a queue; a waiting caller may run {@code loop}. */
  public final void start(@Nullable LendableLoop loop, Duration timeout) {
    this.loop = loop;
    EncodedCommand<?> command = command();
    long own = command == null ? 0 : command.timeoutNanos();
    this.timeoutNanos = own != 0 ? own : timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
  }

  /** Fails it; user code runs on the calling thread. */
  public final void failHere(RedisException failure) {
    CallbackBatch here = new CallbackBatch(Runnable::run);
    fail(failure, here);
    here.dispatch();
  }

  /**
   * Ends a single command with a result, for example one joined from the replies of other commands.
   */
  public void answer(@Nullable Object result, CallbackBatch callbacks) {
    throw new IllegalStateException("not one command: " + this);
  }

  /** Ends it with the decoded reply to {@code command}, or with its decoder's exception. */
  final void take(EncodedCommand<?> command, ReplyReader in, CallbackBatch callbacks) {
    Object result;
    try {
      result = command.decoder().decode(in);
    } catch (Throwable e) { // even an Error must affect only its own command
      fail(EncodedCommand.undecodable(command.name(), e), callbacks);
      return;
    }
    answer(result, callbacks);
  }

  public final @Nullable PendingCommand nextAcquire() {
    return (PendingCommand) NEXT.getAcquire(this);
  }
}
