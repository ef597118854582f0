package dev.kermes.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The ends of a partition's events on their way to the server, in the order in which they happened.
 * Acknowledgements are collected, so that a FETCH can take them along; everything else is sent
 * behind those before it. Any thread adds; the partition's thread sends.
 */
final class Outcomes {

  /** 100 acknowledgements, or starts, in one script. */
  private static final int BATCH = 100;

  /** 1 millisecond: how long acknowledgements wait for more while events are with handlers. */
  private static final long COLLECT_NANOS = 1_000_000;

  private final OwnerCalls calls;
  private final Dispatch dispatch;
  private final Window window;
  private final ParkedLanes parked;

  private final Queue<Outcome> queue = new ConcurrentLinkedQueue<>();

  /** Outcomes that the server has not confirmed. */
  private final AtomicInteger unconfirmed = new AtomicInteger();

  /** Events to acknowledge, and the floor afterwards; of the partition's thread. */
  private final List<StreamId> done = new ArrayList<>();

  private @Nullable StreamId floor;

  /** When the first of them was collected. */
  private long doneNanos;

  /** Events whose starts are to be counted: a call for each would delay a new owner by seconds. */
  private final List<Entry> starting = new ArrayList<>();

  Outcomes(OwnerCalls calls, Dispatch dispatch, Window window, ParkedLanes parked) {
    this.calls = calls;
    this.dispatch = dispatch;
    this.window = window;
    this.parked = parked;
  }

  void add(Outcome outcome) {
    int unused = unconfirmed.incrementAndGet();
    queue.add(outcome);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Whether the server has confirmed all of them. */
  boolean areConfirmed() {
    return unconfirmed.get() == 0;
  }

  // ---- the partition's thread

  /** Sends all outcomes, except the last acknowledgements. */
  void send() throws LeaseLostException {
    for (Outcome next = queue.poll(); next != null; next = queue.poll()) {
      if (next instanceof Outcome.Starting) {
        starting.add(next.entry());
        if (starting.size() == BATCH) start();
        continue;
      }
      boolean isParked = next.entry().origin() == Entry.Origin.PARKED;
      if (next instanceof Outcome.Done && !isParked) {
        add(next.entry().id());
        if (done.size() == BATCH) acknowledge();
        continue;
      }
      if (isParked) endParked(next);
      else send(next);
      int unused = unconfirmed.decrementAndGet();
    }
    if (!starting.isEmpty()) start();
  }

  private void start() throws LeaseLostException {
    List<Long> counts = calls.start(starting.stream().map(Entry::id).toList());
    for (int i = 0; i < counts.size(); i++) dispatch.started(starting.get(i), counts.get(i));
    int unused = unconfirmed.addAndGet(-starting.size());
    starting.clear();
  }

  private void add(StreamId id) {
    if (done.isEmpty()) doneNanos = System.nanoTime();
    done.add(id);
    StreamId higher = window.acknowledge(List.of(id));
    if (higher != null) floor = higher;
  }

  private void send(Outcome outcome) throws LeaseLostException {
    acknowledge();
    if (outcome instanceof Outcome.Failed failed) {
      parked.park(failed, window);
    } else if (outcome instanceof Outcome.Dead dead) {
      calls.bury(dead, window.acknowledge(List.of(dead.entry().id())));
    }
  }

  private void endParked(Outcome outcome) throws LeaseLostException {
    switch (outcome) {
      case Outcome.Done end -> parked.end(end.entry(), "done", null);
      case Outcome.Dead end -> parked.end(end.entry(), "dead", end.failure());
      case Outcome.Failed end -> parked.end(end.entry(), "failed", end.failure());
      case Outcome.Starting starting ->
          throw new IllegalStateException("starts of parked events are not reported: " + starting);
    }
  }

  /** Whether acknowledgements have been collected. */
  boolean hasDone() {
    return !done.isEmpty();
  }

  /** The time until the collected acknowledgements have waited long enough. */
  long untilDueNanos() {
    return doneNanos + COLLECT_NANOS - System.nanoTime();
  }

  /** Sends the collected acknowledgements alone. */
  void acknowledge() throws LeaseLostException {
    if (done.isEmpty()) return;
    calls.acknowledge(done, floor);
    confirmed();
  }

  /** Takes new events, and sends the collected acknowledgements along; see {@link OwnerCalls}. */
  @Nullable Taken fetch(int count) throws LeaseLostException {
    Taken events = calls.fetch(count, done, floor);
    if (events != null) confirmed();
    return events;
  }

  private void confirmed() {
    int unused = unconfirmed.addAndGet(-done.size());
    done.clear();
    floor = null;
  }
}
