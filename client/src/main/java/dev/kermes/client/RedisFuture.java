package dev.kermes.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command that was sent: a {@link java.util.concurrent.CompletionStage} and a
 * {@link Future}. It is also the command's place in the connection's queue, so that a call whose
 * result is simply waited for allocates nothing else and never passes through an executor.
 *
 * <p>Stages attached to it run on the client's executor, never on the event loop; those that one
 * read of the socket made ready run one after the other in a single task. A stage should therefore
 * not wait for another stage; {@code thenCompose} and the {@code Async} methods are for that.
 *
 * <pre>
 *   state   null -> Waiting (threads or a stage hang on it) -> result, NIL or Failure
 * </pre>
 *
 * @param <T> the result; null where the reply may be nil
 */
@SuppressWarnings("ReferenceEquality") // states are identities
public abstract sealed class RedisFuture<T extends @Nullable Object> extends StageOverFuture<T>
    implements Future<T> permits CommandFuture, BatchFuture, TransactionFuture, Gathering {
  private static final VarHandle STATE;
  private static final Object NIL = new Object();

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RedisFuture.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private record Failure(RedisException cause) {}

  /**
   * What the client itself does with the end of one of its own commands; it runs where that ends,
   * most often on the event loop, so that no result depends on the executor being free. Stages that
   * it makes ready go into {@code deferred}.
   */
  interface Continuation<T extends @Nullable Object> {
    /** Either there is a failure, or {@code result} is the result. */
    void onEnd(@Nullable T result, @Nullable RedisException failure, Deferred deferred);
  }

  /**
   * Who waits: one parked thread, the future that stages and further threads use, or the client.
   */
  private record Waiting<T extends @Nullable Object>(
      @Nullable Thread thread,
      @Nullable CompletableFuture<T> future,
      @Nullable Continuation<T> continuation) {}

  private volatile @Nullable Object state;

  RedisFuture() {}

  // ---- completion, by the event loop or the canceller

  /** Sets the result unless there is one. */
  final void succeed(T result, @Nullable Deferred deferred) {
    finish(result == null ? NIL : result, deferred);
  }

  @Override
  final void fail(RedisException failure, @Nullable Deferred deferred) {
    finish(new Failure(failure), deferred);
  }

  /** With {@code deferred} null, stages run here. */
  private boolean finish(Object end, @Nullable Deferred deferred) {
    for (Object seen = STATE.compareAndExchange(this, null, end); ; ) {
      if (seen == null) return true;
      if (!(seen instanceof Waiting<?> waiting)) return false;
      Object again = STATE.compareAndExchange(this, seen, end);
      if (again == seen) {
        wake(waiting, deferred);
        return true;
      }
      seen = again;
    }
  }

  private void wake(Waiting<?> waiting, @Nullable Deferred deferred) {
    Thread thread = waiting.thread();
    if (thread != null) LockSupport.unpark(thread);
    @SuppressWarnings("unchecked")
    Waiting<T> mine = (Waiting<T>) waiting;
    if (mine.continuation() != null) goOn(mine.continuation(), deferred);
    CompletableFuture<T> future = mine.future();
    if (future == null) return;
    if (deferred == null) complete(future);
    else deferred.add(() -> complete(future));
  }

  private void goOn(Continuation<T> continuation, @Nullable Deferred deferred) {
    Deferred stages = deferred == null ? new Deferred(Runnable::run) : deferred;
    Object end = state;
    if (end instanceof Failure failure) continuation.onEnd(null, failure.cause(), stages);
    else continuation.onEnd(value(end), null, stages);
    if (deferred == null) stages.dispatch();
  }

  /**
   * Runs {@code continuation} when this has ended; instead of waiting for it or attaching stages.
   */
  final void then(Continuation<T> continuation) {
    Object seen = STATE.compareAndExchange(this, null, new Waiting<>(null, null, continuation));
    if (seen != null) goOn(continuation, null);
    else if (loop != null) loop.hurry();
  }

  private void complete(CompletableFuture<T> future) {
    Object end = state;
    if (end instanceof Failure failure) future.completeExceptionally(failure.cause());
    else future.complete(value(end));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // NIL stands for null where T allows it
  private T value(@Nullable Object end) {
    return end == NIL ? null : (T) end;
  }

  // ---- asking

  @Override
  public final boolean isDone() {
    return isEnd(state);
  }

  private static boolean isEnd(@Nullable Object seen) {
    return seen != null && !(seen instanceof Waiting);
  }

  @Override
  public final boolean isCancelled() {
    return state instanceof Failure(RedisException cause)
        && cause instanceof CommandCancelledException;
  }

  /**
   * Gives up waiting. What was not written yet will not be; what was written may execute, and its
   * reply is dropped when it comes. Other commands are not touched.
   */
  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    CommandCancelledException cause = new CommandCancelledException("cancelled: " + this, null);
    if (!finish(new Failure(cause), null)) return false;
    if (loop != null) loop.wakeRunner();
    abandoned();
    return true;
  }

  /**
   * Waits for the result; safe on virtual threads.
   *
   * @throws CompletionException caused by the {@link RedisException} that the command failed with
   */
  public final T join() {
    Object end = state;
    if (!isEnd(end)) end = await();
    if (end instanceof Failure failure) throw new CompletionException(failure.cause());
    return value(end);
  }

  /** Waits for the result, throwing the {@link RedisException} itself with the caller's stack. */
  final T joinThrowing() {
    Object end = state;
    if (!isEnd(end)) end = await();
    if (end instanceof Failure failure) throw failure.cause().here();
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

  /** The failure, or null while waiting and after success. */
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
   * Runs the event loop itself or parks until the end is there; an interrupt is kept for later, as
   * CompletableFuture does.
   */
  private @Nullable Object await() {
    if (loop != null && loop.runUntil(this) && isDone()) return state;
    Waiting<T> me = new Waiting<>(Thread.currentThread(), null, null);
    Object seen = STATE.compareAndExchange(this, null, me);
    if (isEnd(seen)) return seen;
    if (seen != null) return awaitAsOneOfMany();
    boolean wasInterrupted = false;
    while ((seen = state) == me) {
      if (loop == null) LockSupport.park(this);
      else loop.park(this);
      if (Thread.interrupted()) wasInterrupted = true;
    }
    if (wasInterrupted) Thread.currentThread().interrupt();
    return isEnd(seen) ? seen : awaitAsOneOfMany();
  }

  private @Nullable Object awaitAsOneOfMany() {
    CompletableFuture<T> future = adapt();
    if (!isDone()) {
      var unused = future.handle((value, failure) -> true).join();
    }
    return state;
  }

  // ---- stages

  /** A future that follows this one; cancelling it does not cancel the command. */
  @Override
  public final CompletableFuture<T> toCompletableFuture() {
    Object end = state;
    if (isEnd(end)) {
      CompletableFuture<T> done = new CompletableFuture<>();
      complete(done);
      return done;
    }
    return adapt();
  }

  private CompletableFuture<T> adapt() {
    if (loop != null) loop.hurry();
    while (true) {
      Object seen = state;
      if (isEnd(seen)) return toCompletableFuture();
      Thread thread = null;
      if (seen instanceof Waiting<?> waiting) {
        if (waiting.future() != null) {
          @SuppressWarnings("unchecked")
          CompletableFuture<T> known = (CompletableFuture<T>) waiting.future();
          return known;
        }
        thread = waiting.thread();
      }
      CompletableFuture<T> future = new CompletableFuture<>();
      if (STATE.compareAndSet(this, seen, new Waiting<>(thread, future, null))) return future;
    }
  }
}
