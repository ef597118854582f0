package dev.kermes.client;

import dev.kermes.net.LendableLoop;
import dev.kermes.resp.ReplyReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way and the replies it waits for. It is the node of the link's queue, so that
 * a call costs no object besides its future:
 *
 * <pre>
 *   done -> ... -> [head] -> in flight -> ... -> [sent] -> not yet written -> ... -> [tail]
 * </pre>
 *
 * <p>{@link #next} is written by any thread, once; the other fields belong to the event loop after
 * the exchange has been queued.
 */
abstract class PendingCommand {
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
   * How long this exchange may take, from the moment the loop sees it. Long.MAX_VALUE: for ever.
   */
  long timeoutNanos;

  /** When it must be done, on the loop's clock; 0 until the loop has seen it. */
  long deadlineNanos;

  /** Whether its bytes went to the connection, so that replies will come for it. */
  boolean isWritten;

  /** Whether its places in the queue have been given back already. */
  boolean hasNoPermits;

  /** Where its places are, until they are given back ahead of its turn; set when it is sent. */
  @Nullable QueuePermits permits;

  /** The event loop that will complete it, if whoever waits may run that; set when it is sent. */
  @Nullable LendableLoop loop;

  /** What a caller who gives up has to tell of it, or null. */
  private volatile @Nullable Claim claim;

  /** What an exchange keeps occupied outside of its queue. */
  interface Claim {
    /** The caller of {@code pending} has given up. Any thread. */
    void abandonedBy(PendingCommand pending);
  }

  /** The one command that this is, or null for several. */
  @Nullable Command<?> command() {
    return null;
  }

  /** What it occupies from now on, or nothing. */
  void claims(@Nullable Claim claim) {
    this.claim = claim;
  }

  final @Nullable Claim claim() {
    return claim;
  }

  /** The dedicated connection it runs on, or null on the shared one. */
  final DedicatedPool.@Nullable PooledConnection lease() {
    return claim instanceof DedicatedPool.PooledConnection pooled ? pooled : null;
  }

  /**
   * How many places of a queue it takes: one, and one more for each KiB of its request, so that a
   * queue bounds memory too.
   */
  int permitCount() {
    return 1;
  }

  /** The longest timeout that its commands have of their own; 0 when none has one. */
  long ownTimeoutNanos() {
    Command<?> command = command();
    return command == null ? 0 : command.timeoutNanos();
  }

  /** Whether it was ended by {@link #releasePermitsEarly}'s caller. To be asked when it is done. */
  boolean hasReleasedPermitsEarly() {
    return false;
  }

  /** How long the server may wait before it replies: 0 for not at all, Long.MAX_VALUE for ever. */
  long serverWaitNanos() {
    Command<?> command = command();
    return command == null ? 0 : ServerWait.nanos(command);
  }

  /** Whether the server may keep the reply back on purpose, so that its silence says nothing. */
  boolean mayWait() {
    Command<?> command = command();
    return command != null && command.isBlocking();
  }

  /** Whether replies will come; a SUBSCRIBE is answered by pushes. */
  boolean expectsReply() {
    return true;
  }

  /**
   * The caller does not wait any more although replies may come: frees a dedicated connection by
   * closing it, or the place among those who wait for one.
   */
  final void abandoned() {
    Claim held = claim;
    if (held != null) held.abandonedBy(this);
  }

  /** Gives its places back ahead of its turn: to be called once it is cancelled. Any thread. */
  final void releasePermitsEarly() {
    QueuePermits left = takePermits();
    if (left != null) left.release(permitCount());
  }

  /** The room, for the one who gives the places back to it. */
  final @Nullable QueuePermits takePermits() {
    return (QueuePermits) PERMITS.getAndSet(this, null);
  }

  /** Whether nobody waits any more: done, failed, timed out or cancelled. Any thread. */
  abstract boolean isDone();

  /** Appends the request. */
  abstract void writeTo(RequestOutput out);

  /**
   * Takes one reply, also when nobody waits any more. Must not throw. What is one {@link #command}
   * takes its error through {@link #fail} instead.
   *
   * @return whether this was the last reply of this exchange
   */
  abstract boolean onReply(ReplyReader in, CallbackBatch callbacks);

  /** Ends the exchange without a result, unless it is done already. */
  abstract void fail(RedisException failure, CallbackBatch callbacks);

  /** It is on its way, though in no queue yet: who waits may run {@code loop}. */
  final void start(@Nullable LendableLoop loop, Duration timeout) {
    this.loop = loop;
    Command<?> command = command();
    long own = command == null ? 0 : command.timeoutNanos();
    timeoutNanos = own != 0 ? own : timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
  }

  /** As {@link #fail}; user code runs here. */
  final void failHere(RedisException failure) {
    CallbackBatch here = new CallbackBatch(Runnable::run);
    fail(failure, here);
    here.dispatch();
  }

  /**
   * Ends an exchange for one command with a result that other commands' replies were put together
   * to.
   */
  void answer(@Nullable Object result, CallbackBatch callbacks) {
    throw new IllegalStateException("not one command: " + this);
  }

  /** Ends with the reply to {@code command}, or with what its decoder threw. */
  final void take(Command<?> command, ReplyReader in, CallbackBatch callbacks) {
    Object result;
    try {
      result = command.decoder().decode(in);
    } catch (Throwable e) { // also an Error must stay with its own command
      fail(undecodable(command.name(), e), callbacks);
      return;
    }
    answer(result, callbacks);
  }

  final @Nullable PendingCommand nextAcquire() {
    return (PendingCommand) NEXT.getAcquire(this);
  }

  /** The failure for a decoder that threw. */
  static DecodeException undecodable(String command, Throwable cause) {
    return new DecodeException(
        "reply not decodable: command=" + command + ", " + cause.getMessage(), cause);
  }
}
