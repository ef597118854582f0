package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Replies;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.Source;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one partition under one epoch. One thread talks to the server:
 *
 * <pre>
 *   send outcomes  →  take events, if there is room  →  wait for outcomes or for XREAD
 * </pre>
 *
 * XREAD changes nothing in the server, so a member that is not the owner any more may wait in it
 * without harm. Another thread hands the events over to the handlers ({@link Dispatch}); it may
 * wait for a full queue, which this one must not, because it renews the lease.
 *
 * <p>A new owner first reads what is pending, from the beginning. As no one else can take events
 * under its epoch, that is all that earlier owners have left. After a FETCH without an answer it
 * reads what is pending behind the last event that it knows, before it takes more.
 */
final class PartitionSource implements Source.AtLeastOnce, Source.Reading {

  /** 1 second: how long XREAD waits, and how late a delayed event may be. */
  private static final long BLOCK_MILLIS = 1000;

  /** 100 events in one script. */
  private static final int BATCH = 100;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long FLUSH_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long TRIM_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Told about the end of the ownership. */
  interface Ownership {

    /** The member that should have the partition after a release, or empty. */
    String successor();

    /** The handlers have ended, and another member may own the partition soon, or does already. */
    void ending();

    /** The lease is lost. */
    void lost();
  }

  private final RedisClient redis;
  private final EventsOptions options;
  private final String stream;
  private final Lease lease;
  private final OwnerCalls calls;
  private final Dispatch dispatch;
  private final Ownership ownership;

  private final Window window = new Window();

  /** A quarter of the window: a script that took an event for each that ends would cost more. */
  private final int roomMin;

  private final ParkedLanes parked;
  private final Outcomes outcomes;

  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable Thread thread;

  /** Whether the thread waits for more events to end, and for a moment only. */
  private volatile boolean isCollecting;

  private volatile boolean isPaused;
  private volatile boolean isEnding;
  private volatile boolean isReleasing;
  private volatile @Nullable LeaseLostException lost;

  // ---- of the thread

  /** The last event that this owner has taken, or knows that an earlier one has. */
  private StreamId taken = StreamId.ZERO;

  private final StreamId deliveredBefore;
  private boolean isRereading = true;
  private boolean mayHaveMore = true;

  /** When the next delayed event is due. */
  private final DueTime due = new DueTime();

  private long trimNanos = System.nanoTime();
  private @Nullable CompletableFuture<@Nullable Object> news;

  /**
   * The source of a partition that has been acquired.
   *
   * @param deliveredBefore the id that the group's earlier owners had been delivered
   * @param ownership told about the end of the ownership
   */
  PartitionSource(
      RedisClient redis,
      EventsOptions options,
      Partition partition,
      StreamId deliveredBefore,
      Ownership ownership) {
    this.redis = redis;
    this.options = options;
    roomMin = Math.max(1, options.window() / 4);
    stream = partition.keys().stream(partition.number());
    lease = partition.lease();
    calls = new OwnerCalls(redis, partition, options.parking(), options.startsMax());
    dispatch = new Dispatch(partition, options, this::report);
    parked = new ParkedLanes(calls, dispatch, options.window());
    outcomes = new Outcomes(calls, dispatch, window, parked);
    this.deliveredBefore = deliveredBefore;
    this.ownership = ownership;
  }

  @Override
  public Source.Reading start(Inlet inlet) {
    Thread starting = Thread.ofVirtual().name("kermes-" + stream).unstarted(this::run);
    thread = starting;
    dispatch.start(inlet);
    starting.start();
    return this;
  }

  /** Whether this member may still act as the owner. */
  boolean isOwner() {
    return lost == null && !isEnding && lease.leftNanos() > 0;
  }

  private void report(Outcome outcome) {
    outcomes.add(outcome);
    boolean canWait = isCollecting && outcome instanceof Outcome.Done && dispatch.isBusy();
    if (!canWait) wake();
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  // ---- the thread

  private void run() {
    try {
      while (!isEnding) {
        outcomes.send();
        if (!isPaused) parked.tryDue();
        boolean isReading = !isPaused && room() >= roomMin;
        if (isReading && hasMore()) take();
        else await(isReading);
      }
      if (isReleasing) calls.release(ownership.successor());
    } catch (LeaseLostException e) {
      lose(e);
    } catch (RuntimeException e) {
      lose(
          new LeaseLostException("given up: " + e, e)); // a defect must not stop the topic silently
    } finally {
      if (news != null) news.cancel(true);
      dispatch.close();
      ended.countDown();
    }
  }

  private void lose(LeaseLostException reason) {
    lost = reason;
    dispatch.cancel();
    ownership.lost();
  }

  /** Whether the stream may have events that have not been taken; else starts to wait for some. */
  private boolean hasMore() {
    if (mayHaveMore) return true;
    if (due.isPast()) return true;
    if (news == null) {
      news = waitForNews();
      var unused = news.whenComplete((reply, error) -> wake());
    }
    if (!news.isDone()) return false;
    if (news.isCompletedExceptionally()) LockSupport.parkNanos(this, PAUSE_NANOS);
    news = null;
    return true;
  }

  private CompletableFuture<@Nullable Object> waitForNews() {
    return redis
        .send(
            CommandBuilder.of("XREAD")
                .token("COUNT")
                .integer(1)
                .token("BLOCK")
                .integer(BLOCK_MILLIS)
                .token("STREAMS")
                .key(Codec.utf8(), stream)
                .text(taken.toString())
                .build(Replies.anyBytes()))
        .toCompletableFuture();
  }

  private int room() {
    return options.window() - window.size();
  }

  private void take() throws LeaseLostException {
    int room = Math.min(BATCH, room());
    if (isRereading) {
      takeAgain(room);
      return;
    }
    Taken events = outcomes.fetch(room);
    if (events == null) {
      isRereading = true;
      return;
    }
    add(events);
    mayHaveMore = events.read() == room;
    due.set(events.nowMillis(), events.dueMillis());
  }

  private void takeAgain(int room) throws LeaseLostException {
    outcomes.acknowledge();
    Taken events = calls.pending(room, taken, deliveredBefore);
    add(events);
    if (events.read() > 0) return;
    isRereading = false;
    if (taken.compareTo(deliveredBefore) < 0) taken = deliveredBefore;
  }

  private void add(Taken events) {
    StreamId last = events.last();
    if (last != null) taken = last;
    for (Entry entry : events.entries()) {
      window.add(entry.id());
      dispatch.add(entry, events.nowMillis());
    }
  }

  /**
   * Waits until there may be something to do. A call to the server waits, too, and may take the
   * signal of an outcome or of XREAD for its own: after one the loop looks at everything again.
   */
  private void await(boolean isReading) throws LeaseLostException {
    if (hasCalled()) return;
    long wait = lease.untilRenewalNanos();
    if (isReading) wait = due.untilNanos(wait);
    if (!isPaused) wait = parked.untilDueNanos(wait);
    isCollecting = outcomes.hasDone();
    if (isCollecting) wait = Math.min(wait, outcomes.untilDueNanos());
    boolean isIdle = outcomes.isEmpty() && !isEnding && (!isCollecting || dispatch.isBusy());
    if (isIdle && wait > 0) LockSupport.parkNanos(this, wait);
    isCollecting = false;
  }

  /** Acknowledges, trims, or renews the lease, if it is time. */
  private boolean hasCalled() throws LeaseLostException {
    boolean isLast = isPaused || !dispatch.isBusy();
    if (outcomes.hasDone() && (isLast || outcomes.untilDueNanos() <= 0)) {
      outcomes.acknowledge();
      return true;
    }
    if (System.nanoTime() - trimNanos >= 0) {
      calls.trim(options.retention().toMillis());
      trimNanos = System.nanoTime() + TRIM_NANOS;
      return true;
    }
    if (lease.untilRenewalNanos() > 0) return false;
    calls.renew();
    return true;
  }

  // ---- the end, on a thread of the reactor or of the ring

  @Override
  public void pause() {
    isPaused = true;
    dispatch.pause();
  }

  @Override
  public void resume() {
    isPaused = false;
    dispatch.resume();
    wake();
  }

  @Override
  public void flush(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!outcomes.areConfirmed() && isOwner() && System.nanoTime() - deadline < 0) {
      wake();
      LockSupport.parkNanos(this, FLUSH_POLL_NANOS);
    }
  }

  @Override
  public void release(int unfinished) {
    try {
      ownership.ending();
      isReleasing = unfinished == 0 && outcomes.areConfirmed();
    } finally {
      end();
    }
  }

  @Override
  public void close() {
    end();
  }

  /** Ends the thread, and waits for it until the lease has passed at the latest. */
  private void end() {
    isEnding = true;
    wake();
    try {
      boolean unused = ended.await(Math.max(0, lease.leftNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Source.Health health() {
    LeaseLostException end = lost;
    if (end != null) return new Source.Health(false, "lease lost: " + end.getMessage());
    Throwable failure = calls.failure();
    if (failure != null) return new Source.Health(false, failure.toString());
    return Source.Health.UP;
  }
}
