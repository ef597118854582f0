package dev.kermes.net;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code that an event loop's turn made ready on one thread, and runs the loop itself on
 * the same thread in between. Neither the callbacks nor the loop are then handed from one thread to
 * another; each such hand-off costs a wake-up by the operating system.
 *
 * <p>User code never runs on the event loop. While this thread runs user code, the loop has no
 * runner, and any other thread may take it.
 *
 * <pre>{@code
 * IDLE --[a turn of another thread made something ready]--> RUNNING: user code, loop, user code, ...
 *   ^------[nothing is under way, or another thread runs the loop]--'
 *   ^------ STALLED <-----------------[user code blocks]------------'
 * }</pre>
 *
 * <p>The loop's own thread detects a callback that blocks: it finds the runner RUNNING and the loop
 * idle for a while ({@link #markStalled}), takes the loop back and hands the callbacks that have
 * not started to {@code fallback}. The {@link LoanHeuristic} then suspends the use of this thread
 * for a while; during that time, and while this thread is busy, user code goes to {@code fallback}.
 */
final class CallbackRunner {
  private enum State {
    IDLE,
    RUNNING,
    STALLED
  }

  private final LendableLoop loop;
  private final BooleanSupplier hasEnded;
  private final Executor fallback;
  private final String threadName;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private final LoanHeuristic heuristic = new LoanHeuristic();

  /** The callbacks that have not started yet. */
  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Thread thread;

  /** Written and read by this runner's thread only. */
  private boolean isInUserCode;

  private int rounds;

  /**
   * Starts no thread until the first callback.
   *
   * @param hasEnded tells whether the loop has ended
   */
  CallbackRunner(
      LendableLoop loop, BooleanSupplier hasEnded, String threadName, Executor fallback) {
    this.loop = loop;
    this.hasEnded = hasEnded;
    this.threadName = threadName;
    this.fallback = fallback;
  }

  /** Schedules {@code task} for this thread or for the fallback. On the loop. */
  void submit(Runnable task) {
    if (Thread.currentThread() == thread && !isInUserCode) {
      ready.add(task);
    } else if (heuristic.predictsLoan() && state.get() == State.IDLE && !loop.isShuttingDown()) {
      ready.add(task);
      state.set(State.RUNNING);
      wake();
    } else {
      heuristic.recordHit();
      fallback.execute(task);
    }
  }

  private void wake() {
    Thread known = thread;
    if (known != null) {
      LockSupport.unpark(known);
      return;
    }
    Thread started = new DefaultThreadFactory(threadName, true).newThread(this::runThread);
    thread = started;
    started.start();
  }

  /** Whether this thread will run the loop without being woken. Any thread. */
  boolean isRunning() {
    return state.get() == State.RUNNING;
  }

  /**
   * Notes that user code has kept this thread from returning to the loop in time. The caller takes
   * the loop; callbacks that have not started go to the fallback.
   */
  void markStalled() {
    if (!state.compareAndSet(State.RUNNING, State.STALLED)) return;
    heuristic.recordMiss(rounds);
    handOverReady();
  }

  private void handOverReady() {
    for (Runnable task = ready.poll(); task != null; task = ready.poll()) fallback.execute(task);
  }

  boolean hasWork() {
    return !ready.isEmpty();
  }

  /**
   * Ends the thread after the loop has ended. Callbacks that are ready do not wait for one that
   * blocks: they go to the fallback.
   */
  void stop() {
    handOverReady();
    LockSupport.unpark(thread);
  }

  private void runThread() {
    while (true) {
      // Read first, so that callbacks submitted before the end are seen.
      boolean isLast = hasEnded.getAsBoolean();
      if (state.get() != State.IDLE) {
        runRounds();
      } else if (isLast) {
        return;
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void runRounds() {
    do {
      rounds++;
      isInUserCode = true;
      for (Runnable task = ready.poll(); task != null; task = ready.poll()) loop.runSafely(task);
      isInUserCode = false;
      Thread.interrupted(); // the interrupt was meant for user code that has returned
    } while (loop.runForCallbackRunner());
    state.set(State.IDLE);
    loop.wakeOwnThreadForTasks();
  }
}
