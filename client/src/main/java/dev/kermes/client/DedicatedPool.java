package dev.kermes.client;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections that serve one borrower at a time: for commands that may wait in the server and for
 * those that change their connection. Opened when asked for, at most {@code dedicatedMax};
 * borrowers beyond that wait in order. Owned by the event loop.
 */
final class DedicatedPool {
  /** One connection. It is of no further use once lost. */
  final class Slot implements Link.Listener {
    private final Link link;
    private boolean isLost;
    private boolean isIdle;

    private Slot() {
      link = new Link(options, connector, false, this, connector.deferred());
    }

    Link link() {
      return link;
    }

    /** Ends the borrowing; the connection may serve the next one. */
    void giveBack() {
      runOnLoop(this::idle);
    }

    /** Ends the borrowing and the connection: what is under way on it is not wanted any more. */
    void discard() {
      link.close();
    }

    /** As {@link #discard()} if {@code x} is still the borrower. */
    void discardFor(Exchange x) {
      runOnLoop(() -> {
        if (x.lease() == this) discard();
      });
    }

    @Override
    public boolean takesOver(Exchange x, RedisException failure) {
      // What a borrower sends belongs to his connection and goes nowhere else.
      return x.lease() == this && rescue.takesOver(x, failure);
    }

    @Override
    public void onLost(RedisException cause) {
      isLost = true;
      all.remove(this);
      idle.remove(this);
      serveNext();
    }

    private void idle() {
      if (isLost || isIdle || !link.isOpen()) return;
      Waiter waiter = nextWaiter();
      if (waiter != null) {
        waiter.borrower.accept(this);
        return;
      }
      isIdle = true;
      idle.push(this);
    }
  }

  /** What else can be done with an exchange that has no result; see {@link Link.Listener}. */
  interface Rescue {
    boolean takesOver(Exchange x, RedisException failure);
  }

  private record Waiter(Exchange exchange, Consumer<Slot> borrower) {}

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final Rescue rescue;
  private final Set<Slot> all = new HashSet<>();
  private final ArrayDeque<Slot> idle = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private final Room room;
  private final Deferred deferred;
  private volatile boolean isClosed;

  DedicatedPool(RedisOptions options, Connector connector, Rescue rescue) {
    this.rescue = rescue;
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.deferred = connector.deferred();
    this.room = new Room(options.queueMax());
  }

  // ---- any thread

  /**
   * Sends {@code exchange} on a connection that it has to itself until its last reply. When nobody
   * waits for it any more the connection is closed, so that the server stops working on it.
   */
  void send(Exchange exchange, long timeoutNanos) {
    borrow(exchange, timeoutNanos, slot -> run(exchange, timeoutNanos, slot));
  }

  /** Borrows a connection for {@code borrower}; {@code exchange} fails when that is impossible. */
  void borrow(Exchange exchange, long timeoutNanos, Consumer<Slot> borrower) {
    exchange.loop = connector.lendable();
    Runnable task = () -> assign(new Waiter(exchange, borrower), timeoutNanos);
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      Deferred own = connector.deferred();
      exchange.fail(closed(), own);
      own.dispatch();
    }
  }

  void close() {
    isClosed = true;
    runOnLoop(this::closeAll);
  }

  // ---- on the loop

  /** Whether no connection is lent. */
  boolean isIdle() {
    return all.size() == idle.size() && waiters.isEmpty();
  }

  /** Closes connections that nobody uses: their login is out of date. */
  void closeIdle() {
    for (Slot slot : idle) slot.discard();
    idle.clear(); // nobody must get one before it has gone
  }

  /** The server is dead: ends the connections that wait for it. */
  void giveUpLent() {
    for (Slot slot : new HashSet<>(all)) if (!slot.isIdle) slot.link.closeForSilence();
  }

  private void assign(Waiter waiter, long timeoutNanos) {
    if (isClosed) {
      fail(waiter.exchange, this::closed);
      return;
    }
    Slot slot = idle.poll();
    if (slot == null && all.size() < options.dedicatedMax()) slot = openSlot();
    if (slot != null) {
      slot.isIdle = false;
      waiter.borrower.accept(slot);
      return;
    }
    if (!room.tryTake(waiter.exchange.places())) {
      fail(waiter.exchange, () -> new QueueFullException("all dedicated connections in use", null));
      return;
    }
    waiters.add(waiter);
    if (timeoutNanos != 0 && timeoutNanos != Long.MAX_VALUE) {
      loop.schedule(() -> expire(waiter), timeoutNanos, TimeUnit.NANOSECONDS);
    }
  }

  private Slot openSlot() {
    Slot slot = new Slot();
    all.add(slot);
    slot.link.open();
    return slot;
  }

  private void run(Exchange exchange, long timeoutNanos, Slot slot) {
    exchange.leaseFrom(slot);
    if (exchange.isDone()) {
      exchange.leaseFrom(null); // who has cancelled it must not close the next borrower's
      slot.idle();
      return;
    }
    slot.link.send(exchange, timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos);
  }

  private void expire(Waiter waiter) {
    if (!waiters.remove(waiter)) return;
    room.give(waiter.exchange.places());
    String message = "no dedicated connection in time: " + waiter.exchange;
    fail(waiter.exchange, () -> new CommandTimeoutException(message, false, null));
  }

  private void serveNext() {
    if (isClosed || all.size() >= options.dedicatedMax()) return;
    Waiter waiter = nextWaiter();
    if (waiter != null) waiter.borrower.accept(openSlot());
  }

  private @Nullable Waiter nextWaiter() {
    while (true) {
      Waiter waiter = waiters.poll();
      if (waiter == null) return null;
      room.give(waiter.exchange.places());
      if (!waiter.exchange.isDone()) return waiter;
    }
  }

  private void closeAll() {
    for (Waiter waiter : waiters) waiter.exchange.fail(closed(), deferred);
    waiters.clear();
    for (Slot slot : new HashSet<>(all)) slot.link.close();
    deferred.dispatch();
  }

  private void fail(Exchange exchange, Supplier<RedisException> failure) {
    exchange.fail(failure.get(), deferred);
    deferred.dispatch();
  }

  private RedisException closed() {
    return new ClientClosedException("client closed: address=" + options.address(), null);
  }

  private void runOnLoop(Runnable task) {
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
