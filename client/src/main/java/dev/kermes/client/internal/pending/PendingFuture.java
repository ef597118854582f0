package dev.kermes.client.internal.pending;

import dev.kermes.client.CommandCancelledException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of {@link RedisFuture}. It is itself the command's node in the connection's
 * queue. A call that simply waits for its result therefore allocates no other object and never
 * passes through an executor.
 *
 * <pre>
 *   state   null -> Waiting (a thread, stages or a continuation) -> result, NIL or Failure
 * </pre>
 *
 * @param <T> the result; null where the reply may be nil
 */
@SuppressWarnings("ReferenceEquality") // states are identities
public abstract sealed class PendingFuture<T extends @Nullable Object> extends StageOverFuture<T>
    implements RedisFuture<T> permits CommandFuture, BatchFuture, TransactionFuture, FanOutFuture {
  private static final VarHandle STATE;
  private static final Object NIL = new Object();

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(PendingFuture.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private record Failure(RedisException cause, boolean isByCaller) {
    Failure(RedisException cause) {
      this(cause, false);
    }
  }

  /**
   * The client's own reaction to the end of a command. It runs on the thread that ends the command,
   * usually the event loop, so that it does not depend on a free executor. Stages that it makes
   * ready go into {@code callbacks}.
   */
  public interface Continuation<T extends @Nullable Object> {
    /** Called with the failure, or with null and the result. */
    void onEnd(@Nullable T result, @Nullable RedisException failure, CallbackBatch callbacks);
  }

  /**
   * The waiters: one parked thread, the future for stages and further threads, or the client
   * itself.
   */
  private record Waiting<T extends @Nullable Object>(
      @Nullable Thread thread,
      @Nullable CommandStage<T> future,
      @Nullable Continuation<T> continuation) {}

  private volatile @Nullable Object state;

  PendingFuture() {}

  // ---- completion, by the event loop or the canceller

  /** Completes with {@code result} unless it is already complete. */
  public final void succeed(T result, @Nullable CallbackBatch callbacks) {
    finish(result == null ? NIL : result, callbacks);
  }

  @Override
  public final void fail(RedisException failure, @Nullable CallbackBatch callbacks) {
    finish(new Failure(failure), callbacks);
  }

  /** Completes; if {@code callbacks} is null, stages run on the calling thread. */
  private boolean finish(Object end, @Nullable CallbackBatch callbacks) {
    for (Object seen = STATE.compareAndExchange(this, null, end); ; ) {
      if (seen == null) return true;
      if (!(seen instanceof Waiting<?> waiting)) return false;
      Object again = STATE.compareAndExchange(this, seen, end);
      if (again == seen) {
        wake(waiting, callbacks);
        return true;
      }
      seen = again;
    }
  }

  private void wake(Waiting<?> waiting, @Nullable CallbackBatch callbacks) {
    Thread thread = waiting.thread();
    if (thread != null) LockSupport.unpark(thread);
    @SuppressWarnings("unchecked")
    Waiting<T> mine = (Waiting<T>) waiting;
    if (mine.continuation() != null) runContinuation(mine.continuation(), callbacks);
    CommandStage<T> future = mine.future();
    if (future == null) return;
    if (callbacks == null) complete(future);
    else callbacks.add(() -> complete(future));
  }

  private void runContinuation(Continuation<T> continuation, @Nullable CallbackBatch callbacks) {
    CallbackBatch stages = callbacks == null ? new CallbackBatch(Runnable::run) : callbacks;
    Object end = state;
    if (end instanceof Failure failure) continuation.onEnd(null, failure.cause(), stages);
    else continuation.onEnd(value(end), null, stages);
    if (callbacks == null) stages.dispatch();
  }

  /**
   * Runs {@code continuation} when this future completes. Excludes waiting and attaching stages.
   */
  public final void then(Continuation<T> continuation) {
    Object seen = STATE.compareAndExchange(this, null, new Waiting<>(null, null, continuation));
    if (seen != null) runContinuation(continuation, null);
    else if (loop != null) loop.ensureRunner();
  }

  private void complete(CommandStage<T> future) {
    Object end = state;
    if (end instanceof Failure failure) future.endWith(failure.cause());
    else future.end(value(end));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // NIL stands for null where T allows it
  private T value(@Nullable Object end) {
    return end == NIL ? null : (T) end;
  }

  // ---- reading the result

  @Override
  public final boolean isDone() {
    return isEnd(state);
  }

  private static boolean isEnd(@Nullable Object seen) {
    return seen != null && !(seen instanceof Waiting);
  }

  @Override
  public final boolean isCancelled() {
    return state instanceof Failure failure && failure.cause() instanceof CommandCancelledException;
  }

  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    return cancel("cancelled: ");
  }

  private boolean cancel(String why) {
    CommandCancelledException cause = new CommandCancelledException(why + this, null);
    if (!finish(new Failure(cause, true), null)) return false;
    if (loop != null) loop.wakeRunner();
    releasePermitsEarly();
    abandon();
    return true;
  }

  @Override
  final boolean hasReleasedPermitsEarly() {
    return STATE.get(this) instanceof Failure failure && failure.isByCaller();
  }

  @Override
  public final T join() {
    Object end = state;
    if (!isEnd(end)) end = await(false);
    if (end instanceof Failure failure) throw new CompletionException(failure.cause());
    return value(end);
  }

  /**
   * Waits for the result, throwing the {@link RedisException} itself with the caller's stack. An
   * interrupt cancels the command.
   */
  public final T joinThrowing() {
    Object end = state;
    if (!isEnd(end)) end = await(true);
    if (end instanceof Failure failure) throw CallerFailures.fromCaller(failure.cause());
    return value(end);
  }

  @Override
  public final T get() throws InterruptedException, ExecutionException {
    if (Thread.interrupted()) throw new InterruptedException();
    if (!isDone()) {
      try {
        var unused = adapt().get();
      } catch (ExecutionException e) {
        return report(state); // tells a cancellation from a failure
      }
    }
    return report(state);
  }

  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (Thread.interrupted()) throw new InterruptedException();
    if (!isDone()) {
      try {
        var unused = adapt().get(timeout, unit);
      } catch (ExecutionException e) {
        return report(state);
      }
    }
    return report(state);
  }

  @Override
  public final @Nullable RedisException failure() {
    return state instanceof Failure failure ? failure.cause() : null;
  }

  private T report(@Nullable Object end) throws ExecutionException {
    if (end instanceof Failure failure) {
      if (failure.cause() instanceof CommandCancelledException) {
        throw (CancellationException) new CancellationException().initCause(failure.cause());
      }
      throw new ExecutionException(failure.cause());
    }
    return value(end);
  }

  /**
   * Runs the event loop itself or parks until this future is complete; the interrupt flag stays
   * set.
   */
  private @Nullable Object await(boolean isInterruptible) {
    if (loop != null && loop.runUntil(this, isInterruptible) && isDone()) return state;
    Waiting<T> me = new Waiting<>(Thread.currentThread(), null, null);
    Object seen = STATE.compareAndExchange(this, null, me);
    if (isEnd(seen)) return seen;
    if (seen != null) return awaitAsOneOfMany(isInterruptible);
    boolean wasInterrupted = false;
    while ((seen = state) == me) {
      if (loop == null) LockSupport.park(this);
      else loop.park(this);
      if (!Thread.interrupted()) continue;
      wasInterrupted = true;
      if (isInterruptible) cancel("interrupted: ");
    }
    if (wasInterrupted) Thread.currentThread().interrupt();
    return isEnd(seen) ? seen : awaitAsOneOfMany(isInterruptible);
  }

  private @Nullable Object awaitAsOneOfMany(boolean isInterruptible) {
    CompletableFuture<Boolean> ended = adapt().handle((value, failure) -> true);
    try {
      if (isDone()) return state;
      var unused = isInterruptible ? ended.get() : ended.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cancel("interrupted: ");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it only signals completion and cannot fail
    }
    return state;
  }

  // ---- stages

  @Override
  public final CompletableFuture<T> toCompletableFuture() {
    return adapt();
  }

  private CommandStage<T> adapt() {
    if (loop != null && !isDone()) loop.ensureRunner();
    while (true) {
      Object seen = state;
      if (isEnd(seen)) {
        CommandStage<T> done = new CommandStage<>(this);
        complete(done);
        return done;
      }
      Thread thread = null;
      if (seen instanceof Waiting<?> waiting) {
        if (waiting.future() != null) {
          @SuppressWarnings("unchecked")
          CommandStage<T> known = (CommandStage<T>) waiting.future();
          return known;
        }
        thread = waiting.thread();
      }
      CommandStage<T> future = new CommandStage<>(this);
      if (STATE.compareAndSet(this, seen, new Waiting<>(thread, future, null))) return future;
    }
  }
}
