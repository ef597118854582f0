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
 * Runs the user code that an event loop's turn made ready, and the loop itself in between, so that
 * neither is handed from one thread to another. User code still never runs on the loop: while it
 * does, the loop is nobody's, and whoever comes may take it.
 *
 * <pre>
 *   IDLE --[a turn of another thread made something ready]--> RUNNING: user code, the loop, user code, ...
 *     ^------[nothing is under way, or another runs the loop]--'
 *     ^------ STALLED <-----------------[it blocks in user code]--'
 * </pre>
 *
 * <p>Who blocks is found out by the loop's ownThread, who then takes the loop. As long as that is
 * remembered, and while this is busy, user code goes to {@code fallback}.
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

  /** What it has to run. */
  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Thread thread;

  /** Its own. */
  private boolean isInUserCode;

  private int rounds;

  /** {@code hasEnded}: whether the loop has. */
  CallbackRunner(LendableLoop loop, BooleanSupplier hasEnded, String threadName, Executor fallback) {
    this.loop = loop;
    this.hasEnded = hasEnded;
    this.threadName = threadName;
    this.fallback = fallback;
  }

  /** Has {@code task} run soon. On the loop. */
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

  /** Whether it will run the loop without being asked. Any thread. */
  boolean isRunning() {
    return state.get() == State.RUNNING;
  }

  /** It has not come back in time: somebody else takes the loop, and what it has not begun with. */
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

  /** The loop has ended: nothing more will come, and what came does not wait for who blocks. */
  void stop() {
    handOverReady();
    LockSupport.unpark(thread);
  }

  private void runThread() {
    while (true) {
      boolean isLast = hasEnded.getAsBoolean(); // asked first: what came before the end is seen
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
      Thread.interrupted(); // whom that was meant for has ended
    } while (loop.runForCallbackRunner());
    state.set(State.IDLE);
    loop.wakeOwnThreadForTasks();
  }
}
