package dev.kermes.client.internal.pool;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.QueuePermits;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that serve one borrower at a time: a command that waits in the server, or a caller
 * that changes the state of its connection. Connections are opened on demand, up to a bound;
 * further borrowers wait in order, each up to its deadline. A connection that is unused for a
 * minute is closed. Owned by the event loop.
 */
public final class DedicatedPool {
  private static final Logger LOG = LoggerFactory.getLogger(DedicatedPool.class);
  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
  private static final long WARNING_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The maximum number of connections.
   *
   * @param option the name of the option that sets it
   */
  public record Bound(String option, int max) {
    @Override
    public String toString() {
      return option + "=" + max;
    }
  }

  /**
   * Decides about pending commands that have no result; see {@link PipelinedConnection.Listener}.
   */
  public interface FailureHandler {
    boolean tryTakeOver(PendingCommand pending, RedisException failure);

    /** Learns about the topology from a failure that its caller gets. */
    void learnFrom(RedisException failure);
  }

  /** A borrower that waits for a connection, at most {@code timeoutNanos}. */
  private final class QueuedBorrower implements PendingCommand.Claim {
    final PendingCommand pending;
    final Consumer<PooledConnection> borrower;
    final long timeoutNanos;
    @Nullable ScheduledFuture<?> end;

    QueuedBorrower(PendingCommand pending, Consumer<PooledConnection> borrower, long timeoutNanos) {
      this.pending = pending;
      this.borrower = borrower;
      this.timeoutNanos = timeoutNanos;
    }

    @Override
    public void abandonedBy(PendingCommand pending) {
      runOnLoop(() -> {
        if (queue.remove(this)) endWait();
      });
    }

    /** Ends the wait: returns the permits and cancels the timeout. */
    void endWait() {
      permits.release(pending.permitCount());
      pending.setClaim(null);
      if (end != null) end.cancel(false);
    }
  }

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final Bound bound;
  private final FailureHandler failureHandler;
  private final Set<PooledConnection> all = new HashSet<>();
  private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
  private final LinkedHashSet<QueuedBorrower> queue = new LinkedHashSet<>();
  private final QueuePermits permits;
  private final CallbackBatch callbacks;
  private volatile boolean isClosed;
  private long warnedNanos = System.nanoTime() - WARNING_NANOS;

  public DedicatedPool(
      RedisOptions options, Connector connector, Bound bound, FailureHandler failureHandler) {
    this.bound = bound;
    this.failureHandler = failureHandler;
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.callbacks = connector.callbacks();
    this.permits = new QueuePermits(options.queueMax());
  }

  // ---- any thread

  /**
   * Sends {@code pending} on a connection that it uses alone until its last reply. If its caller
   * gives up, the connection is closed, so that the server stops working on the command. It waits
   * for a connection as long as it would have waited in the server.
   *
   * @param timeoutNanos its own timeout, or 0 for its wait in the server plus the client's timeout
   *     for the round trip
   */
  public void send(PendingCommand pending, long timeoutNanos) {
    long wait = pending.serverWaitNanos();
    long whole = timeoutNanos == 0 ? Requests.withWay(wait, options) : timeoutNanos;
    long endNanos = whole == Long.MAX_VALUE ? 0 : options.clock().getAsLong() + whole;
    borrow(pending, Math.min(wait, whole), pooled -> run(pending, whole, endNanos, pooled));
  }

  /**
   * Borrows a connection for {@code borrower}; {@code pending} fails when there is none within
   * {@code timeoutNanos}.
   */
  public void borrow(
      PendingCommand pending, long timeoutNanos, Consumer<PooledConnection> borrower) {
    pending.setLoop(connector.lendable());
    Runnable task = () -> assign(new QueuedBorrower(pending, borrower, timeoutNanos));
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      CallbackBatch own = connector.callbacks();
      pending.fail(closed(), own);
      own.dispatch();
    }
  }

  RedisOptions options() {
    return options;
  }

  FailureHandler failureHandler() {
    return failureHandler;
  }

  public void close() {
    isClosed = true;
    runOnLoop(this::closeAll);
  }

  // ---- on the loop

  /** Whether no connection is lent and no borrower waits. */
  public boolean isIdle() {
    return all.size() == idle.size() && queue.isEmpty();
  }

  /** Closes unused connections, whose login is out of date. */
  public void closeIdle() {
    for (PooledConnection pooled : idle) pooled.discard();
    idle.clear(); // no borrower may get one before it is closed
  }

  /** Closes the lent connections, since the server does not answer. */
  public void closeLent() {
    for (PooledConnection pooled : new HashSet<>(all)) {
      if (!pooled.isIdle() && !pooled.connection().hasLongRunningCommand()) {
        pooled.connection().closeForSilence();
      }
    }
  }

  /** Whether a command that may keep the server busy is under way on a lent connection. */
  public boolean hasLongRunningCommand() {
    for (PooledConnection pooled : all) {
      if (pooled.connection().hasLongRunningCommand()) return true;
    }
    return false;
  }

  /** Closes connections that have been unused for a minute. */
  public void closeUnused() {
    long now = System.nanoTime();
    while (true) {
      PooledConnection oldest = idle.peekLast();
      if (oldest == null || oldest.idleNanos(now) < IDLE_NANOS_MAX) return;
      idle.removeLast();
      oldest.discard();
    }
  }

  private void assign(QueuedBorrower queued) {
    if (isClosed) {
      fail(queued.pending, this::closed);
      return;
    }
    PooledConnection pooled = idle.poll();
    if (pooled == null && all.size() < bound.max()) pooled = openConnection();
    if (pooled != null) {
      pooled.lend();
      queued.borrower.accept(pooled);
      return;
    }
    if (!permits.tryAcquire(queued.pending.permitCount())) {
      fail(queued.pending, this::crowded);
      return;
    }
    enqueue(queued);
  }

  private void enqueue(QueuedBorrower queued) {
    queue.add(queued);
    queued.pending.setClaim(queued);
    if (queued.pending.isDone()) { // its caller may have looked for the claim before
      queued.abandonedBy(queued.pending);
      return;
    }
    warn();
    if (queued.timeoutNanos == Long.MAX_VALUE) return;
    queued.end = loop.schedule(() -> expire(queued), queued.timeoutNanos, TimeUnit.NANOSECONDS);
  }

  private void warn() {
    long now = System.nanoTime();
    if (now - warnedNanos < WARNING_NANOS) return;
    warnedNanos = now;
    LOG.warn(
        "{} waiting for a dedicated connection to {}: all are in use, {}",
        queue.size(),
        AddressText.of(options.address()),
        bound);
  }

  private PooledConnection openConnection() {
    PooledConnection pooled = new PooledConnection(this, options, connector);
    all.add(pooled);
    pooled.connection().open();
    return pooled;
  }

  private void run(
      PendingCommand pending, long timeoutNanos, long endNanos, PooledConnection pooled) {
    pending.setClaim(pooled);
    if (pending.isDone()) {
      pending.setClaim(null); // a late cancellation must not close the next borrower's connection
      takeBack(pooled);
      return;
    }
    pending.setDeadlineNanos(endNanos);
    pooled.connection().send(pending, timeoutNanos);
  }

  private void expire(QueuedBorrower queued) {
    if (!queue.remove(queued)) return;
    queued.endWait();
    fail(queued.pending, () -> late(queued));
  }

  private CommandTimeoutException late(QueuedBorrower queued) {
    long millis = TimeUnit.NANOSECONDS.toMillis(queued.timeoutNanos);
    return new CommandTimeoutException(
        "no dedicated connection in time: "
            + queued.pending
            + ", timeout="
            + millis
            + " ms, address="
            + AddressText.of(options.address())
            + "; all are in use, "
            + bound,
        false,
        null);
  }

  private QueueFullException crowded() {
    return new QueueFullException(
        "too many commands wait for a dedicated connection: queueMax="
            + options.queueMax()
            + ", "
            + bound
            + ", address="
            + AddressText.of(options.address()),
        null);
  }

  /** Takes {@code pooled} back from its borrower, for the next one. */
  void takeBack(PooledConnection pooled) {
    if (pooled.isLost() || pooled.isIdle() || !pooled.connection().isOpen()) return;
    QueuedBorrower queued = nextQueued();
    if (queued != null) {
      queued.borrower.accept(pooled);
      return;
    }
    pooled.rest();
    idle.push(pooled);
  }

  /** Removes {@code pooled}, which is lost. */
  void remove(PooledConnection pooled) {
    all.remove(pooled);
    idle.remove(pooled);
    serveNext();
  }

  private void serveNext() {
    if (isClosed || all.size() >= bound.max()) return;
    QueuedBorrower queued = nextQueued();
    if (queued != null) queued.borrower.accept(openConnection());
  }

  private @Nullable QueuedBorrower nextQueued() {
    while (!queue.isEmpty()) {
      QueuedBorrower queued = queue.removeFirst();
      queued.endWait();
      if (!queued.pending.isDone()) return queued;
    }
    return null;
  }

  private void closeAll() {
    for (QueuedBorrower queued : queue) queued.pending.fail(closed(), callbacks);
    queue.clear();
    for (PooledConnection pooled : new HashSet<>(all)) pooled.connection().close();
    callbacks.dispatch();
  }

  private void fail(PendingCommand pending, Supplier<RedisException> failure) {
    pending.fail(failure.get(), callbacks);
    callbacks.dispatch();
  }

  private RedisException closed() {
    return new ClientClosedException(
        "client closed: address=" + AddressText.of(options.address()), null);
  }

  /** Runs {@code task} on the event loop, unless that has ended. */
  void runOnLoop(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The loop has ended and every connection with it.
    }
  }
}
