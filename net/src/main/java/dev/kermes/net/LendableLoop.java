package dev.kermes.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop that a thread waiting for a reply may run itself.
 *
 * <p>Two hand-offs between threads, each a wake-up by the operating system, are most of the cost of
 * a short request: the caller wakes the loop to write, and the loop wakes the caller with the
 * reply. A caller that would only wait anyway writes the request and reads the reply itself, with
 * no hand-off at all.
 *
 * <pre>
 *   runner   null --CAS--> own thread or caller: tasks, I/O, tasks, ... --> null
 *
 *   own thread   runs the loop --[callers wait, nothing is under way]--> stands by
 *                      ^------------- woken, or left alone for a while -----|
 * </pre>
 *
 * <p><b>Why it is correct.</b> At most one thread is the runner at a time, because {@code runner}
 * changes from null only by compare-and-set. {@link #inEventLoop} compares with the runner, so
 * state owned by the event loop is owned by whichever thread runs it. The volatile writes of {@code
 * runner} order the accesses of one runner before those of the next.
 *
 * <p><b>Guarantee.</b> While no thread runs the loop, its own thread stands by and checks it within
 * twice {@link #STAND_BY_NANOS}; so a request whose caller does not run the loop after all waits 1
 * ms at most. The {@link LoanHeuristic} decides, from the behaviour of earlier callers, whether the
 * loop is lent at all. A loop without traffic blocks in the operating system like any other.
 *
 * <p><b>Shutdown.</b> Every task that {@link #execute} has accepted runs, even if the loop is
 * shutting down at the same time. Netty's own loops may drop such a task, and a thread that waits
 * for it then waits for ever. A client therefore uses this loop even where it must not be lent.
 */
public final class LendableLoop extends AbstractScheduledEventExecutor implements IoEventLoop {

  /** A user of the loop, with channels registered on it. */
  public interface LoopClient {
    /** Whether some thread must run the loop: requests are under way, or pushes may arrive. */
    boolean needsLoop();
  }

  /** Half of the longest delay of a task whose caller does not run the loop after all. */
  private static final long STAND_BY_NANOS = 500_000;

  /**
   * 20 rests make 10 ms: callers that come more often than that find the loop free. Until then the
   * checks of the loop's own thread cost a hundredth of a processor.
   */
  private static final int QUIET_RESTS_MAX = 20;

  /**
   * The pause between two checks while one caller runs the loop for long: nothing needs checking.
   */
  private static final long AWAY_NANOS = 100_000_000;

  /** How long a terminating loop waits for the other ends of in-VM connections. */
  static final long PEERS_NANOS_MAX = 1_000_000_000;

  private static final long PEERS_PAUSE_NANOS = 50_000;

  /** The name of the threads that run user code. */
  private static final String CALLBACKS = "kermes-callbacks";

  private static final VarHandle RUNNER;

  static {
    try {
      RUNNER = MethodHandles.lookup().findVarHandle(LendableLoop.class, "runner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private enum State {
    OPEN,
    SHUTTING_DOWN,
    TERMINATED
  }

  private final IoHandler handler;
  private final Thread ownThread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final List<LoopClient> clients = new CopyOnWriteArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger connecting = new AtomicInteger();
  private final AtomicInteger peers = new AtomicInteger();
  private final Promise<?> termination = new Termination();
  private final IoHandlerContext context = new Context();

  private volatile @Nullable Thread runner;
  private volatile State state = State.OPEN;
  private volatile boolean isWoken;
  private volatile boolean isAway;

  /** Predicts whether callers that send something will run the loop. */
  private final LoanHeuristic heuristic = new LoanHeuristic();

  private final CallbackRunner callbackRunner;

  /** The number of finished loans; written by the runner. */
  private int loans;

  LendableLoop(IoHandlerFactory handlers, String threadName) {
    handler = handlers.newHandler(this);
    callbackRunner =
        new CallbackRunner(this, this::isTerminated, CALLBACKS, LendableLoop::onVirtualThread);
    ownThread = new DefaultThreadFactory(threadName, true).newThread(this::runThread);
    runner = ownThread;
    ownThread.start();
  }

  /** Adds a client whose calls may run the loop. */
  public void add(LoopClient client) {
    clients.add(client);
  }

  /** Removes a client. */
  public void remove(LoopClient client) {
    clients.remove(client);
  }

  // ---- callers

  /**
   * Runs the loop on the calling thread until {@code awaited} is done.
   *
   * @param isInterruptible whether an interrupt ends it early; the interrupt flag stays set
   * @return whether this thread ran the loop; false if another thread runs it and will complete
   *     {@code awaited}
   */
  public boolean runUntil(java.util.concurrent.Future<?> awaited, boolean isInterruptible) {
    Thread me = Thread.currentThread();
    if (me.isVirtual()) return false; // its carrier would be blocked
    heuristic.recordHit();
    if (runner != null || !RUNNER.compareAndSet(this, null, me)) return false;
    try {
      runTasks();
      while (!awaited.isDone() && state == State.OPEN) {
        if (isInterruptible && me.isInterrupted()) break;
        handler.run(context);
        runTasks();
      }
    } finally {
      release();
    }
    return true;
  }

  /** Parks until the runner completes {@code awaited}. May return early: call it in a loop. */
  public void park(java.util.concurrent.Future<?> awaited) {
    waiting.getAndIncrement();
    try {
      if (runner == null) requestRunner();
      if (!awaited.isDone()) LockSupport.park(awaited);
    } finally {
      waiting.getAndDecrement();
    }
  }

  /**
   * Queues {@code task} and wakes a thread for it, unless the caller is expected to wait for the
   * result and thereby to run the loop itself.
   */
  public void executeForWaiter(Runnable task) {
    add(task);
    if (inEventLoop()) return;
    if (runner != null) handler.wakeup();
    else if (!heuristic.predictsLoan() || isAway || Thread.currentThread().isVirtual())
      requestRunner();
  }

  /**
   * Makes sure that a thread runs the loop: the caller has sent something and will not wait for it.
   */
  public void ensureRunner() {
    if (runner == null) requestRunner();
  }

  /** Makes the runner check again whether the future that it waits for is done. */
  public void wakeRunner() {
    if (!inEventLoop()) handler.wakeup();
  }

  private void requestRunner() {
    if (!callbackRunner.isRunning()) wakeOwnThread();
  }

  private void wakeOwnThread() {
    isWoken = true;
    LockSupport.unpark(ownThread);
  }

  // ---- the runner

  private void release() {
    boolean isNeeded = isNeeded();
    loans++;
    runner = null;
    if (!isNeeded && tasks.isEmpty()) return;
    if (!heuristic.predictsLoan() || isAway || waiting.get() > 0 || state != State.OPEN)
      requestRunner();
  }

  private boolean isNeeded() {
    for (LoopClient client : clients) {
      if (client.needsLoop()) return true;
    }
    return false;
  }

  private void runTasks() {
    fetchFromScheduledTaskQueue(tasks);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) safeExecute(task);
  }

  // ---- user code

  /**
   * Schedules {@code userCode} to run soon and never on the loop, so it may block and may send
   * commands. Callbacks run in the order of these calls most of the time. Any thread.
   */
  public void deliver(Runnable userCode) {
    if (inEventLoop()) callbackRunner.submit(userCode);
    else onVirtualThread(userCode);
  }

  /** Runs {@code userCode} on a new virtual thread. Any thread. */
  public static void onVirtualThread(Runnable userCode) {
    Thread.ofVirtual().name(CALLBACKS).start(userCode);
  }

  void runSafely(Runnable userCode) {
    safeExecute(userCode);
  }

  /**
   * Runs the loop on the callback runner's thread until there is user code to run.
   *
   * @return false if there is none: nothing is under way, or another thread runs the loop
   */
  boolean runForCallbackRunner() {
    if (!callbackRunner.isRunning()) return false;
    if (!RUNNER.compareAndSet(this, null, Thread.currentThread())) return false;
    runTasks();
    while (!callbackRunner.hasWork()
        && callbackRunner.isRunning()
        && isNeeded()
        && state == State.OPEN) {
      handler.run(context);
      runTasks();
    }
    loans++;
    runner = null;
    if (isAway) LockSupport.unpark(ownThread); // from now on it checks on the callback runner
    return callbackRunner.hasWork();
  }

  /**
   * Wakes the loop's own thread if the callback runner leaves tasks behind when it becomes idle.
   */
  void wakeOwnThreadForTasks() {
    if (runner == null && !(tasks.isEmpty() && state == State.OPEN)) wakeOwnThread();
  }

  // ---- the loop's own thread

  private void runThread() {
    handler.initialize();
    while (state == State.OPEN) {
      runTasks();
      handler.run(context);
      runTasks();
      if (tasks.isEmpty() && isLeftToOthers()) standBy();
    }
    terminate();
  }

  private boolean isLeftToOthers() {
    return callbackRunner.isRunning() || (heuristic.predictsLoan() && !isNeeded());
  }

  /**
   * Leaves the loop to callers until this thread is woken, a task or a request is left undone, or
   * no caller has come for {@link #QUIET_RESTS_MAX} rests.
   */
  private void standBy() {
    runner = null;
    boolean isLongLoan = false;
    for (int quietRests = 0; quietRests < QUIET_RESTS_MAX; ) {
      boolean hadTasks = !tasks.isEmpty();
      int loansBefore = loans;
      boolean wasWoken = rest(isLongLoan);
      if (wasWoken || state != State.OPEN) break;
      boolean isLent = runner != null;
      boolean isQuiet = !isLent && loans == loansBefore;
      isLongLoan = isLent && loans == loansBefore;
      quietRests = isQuiet ? quietRests + 1 : 0;
      if (isQuiet && (hadTasks || isNeeded())) {
        if (callbackRunner.isRunning()) callbackRunner.markStalled();
        else heuristic.recordMiss(loans);
        break;
      }
    }
    while (!RUNNER.compareAndSet(this, null, ownThread)) rest(false);
  }

  /** Parks for a while and returns whether this thread was woken. */
  private boolean rest(boolean isLongLoan) {
    isAway = isLongLoan;
    LockSupport.parkNanos(this, isAway && runner != null ? AWAY_NANOS : STAND_BY_NANOS);
    isAway = false;
    boolean wasWoken = isWoken;
    isWoken = false;
    return wasWoken;
  }

  private void terminate() {
    runTasks();
    cancelScheduledTasks();
    awaitPeers(connecting);
    handler.prepareToDestroy();
    runTasks();
    awaitPeers(peers);
    handler.destroy();
    state = State.TERMINATED;
    runTasks();
    callbackRunner.stop();
    termination.setSuccess(null);
  }

  /**
   * Notes that an in-VM connection to {@code peer} is being made. The loop does not terminate
   * before {@link #onConnected} has been called and the peer is closed; it waits at most one second
   * for each.
   */
  void onConnecting(Channel peer) {
    connecting.getAndIncrement();
    peers.getAndIncrement();
    InVmServerChannel.afterClose(peer, peers::getAndDecrement);
  }

  /** Notes that the peer of an in-VM connection has been registered. Any thread. */
  void onConnected() {
    connecting.getAndDecrement();
  }

  private void awaitPeers(AtomicInteger count) {
    long start = System.nanoTime();
    while (count.get() > 0 && System.nanoTime() - start < PEERS_NANOS_MAX) {
      LockSupport.parkNanos(this, PEERS_PAUSE_NANOS);
      runTasks();
    }
  }

  // ---- Netty's event loop interface

  @Override
  public boolean inEventLoop(Thread thread) {
    return runner == thread;
  }

  @Override
  public void execute(Runnable task) {
    add(task);
    if (inEventLoop()) return;
    if (runner != null) handler.wakeup();
    else wakeOwnThread();
  }

  private void add(Runnable task) {
    if (state == State.TERMINATED) throw new RejectedExecutionException("event loop terminated");
    tasks.add(task);
    if (state == State.TERMINATED && tasks.remove(task)) {
      throw new RejectedExecutionException("event loop terminated");
    }
  }

  @Override
  public Future<IoRegistration> register(IoHandle handle) {
    Promise<IoRegistration> promise = newPromise();
    if (inEventLoop()) register(handle, promise);
    else execute(() -> register(handle, promise));
    return promise;
  }

  private void register(IoHandle handle, Promise<IoRegistration> promise) {
    try {
      promise.setSuccess(handler.register(handle));
    } catch (Exception e) {
      promise.setFailure(e);
    }
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel) {
    return register(new DefaultChannelPromise(channel, this));
  }

  @Override
  @Deprecated
  public ChannelFuture register(ChannelPromise promise) {
    promise.channel().unsafe().register(this, promise);
    return promise;
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    channel.unsafe().register(this, promise);
    return promise;
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return handler.isCompatible(handleType);
  }

  @Override
  public boolean isIoType(Class<? extends IoHandler> handlerType) {
    return handler.getClass().equals(handlerType);
  }

  @Override
  public LendableLoop next() {
    return this;
  }

  @Override
  public @Nullable IoEventLoopGroup parent() {
    return null;
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    if (state == State.OPEN) state = State.SHUTTING_DOWN;
    handler.wakeup();
    wakeOwnThread();
    return termination;
  }

  @Override
  @Deprecated
  public void shutdown() {
    var unused = shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Override
  public Future<?> terminationFuture() {
    return termination;
  }

  @Override
  public boolean isShuttingDown() {
    return state != State.OPEN;
  }

  @Override
  public boolean isShutdown() {
    return state == State.TERMINATED;
  }

  @Override
  public boolean isTerminated() {
    return state == State.TERMINATED;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return termination.await(timeout, unit);
  }

  /** Tells the I/O handler whether, and until when, it may block in the operating system. */
  private final class Context implements IoHandlerContext {
    @Override
    public boolean canBlock() {
      return tasks.isEmpty() && !hasScheduledTasks() && !isShuttingDown();
    }

    @Override
    public long delayNanos(long nowNanos) {
      return LendableLoop.this.delayNanos(nowNanos, TimeUnit.SECONDS.toNanos(1));
    }

    @Override
    public long deadlineNanos() {
      return nextScheduledTaskDeadlineNanos();
    }
  }
}
