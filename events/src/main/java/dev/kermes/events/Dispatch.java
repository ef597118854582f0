package dev.kermes.events;

import dev.kermes.reactor.DeliveryFailedException;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.RejectedEventException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way of a partition's events to the handlers, on a thread of its own, which waits when a queue
 * is full. It decides what the end of an event means:
 *
 * <pre>
 *   all handlers succeeded                                   done
 *   a handler failed for good                                parked, or dead
 *   none matches, no payload, the deadline has passed,
 *   it was begun too often                                   dead
 *   a queue refused the event                                once more, after a while
 *   retries were cut short, the delivery was cancelled       nothing: it stays pending
 * </pre>
 */
final class Dispatch {

  /** 100 milliseconds until an event is offered again to a handler that refuses when it is full. */
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  private final Partition partition;
  private final PayloadCodec payloads;
  private final boolean isParking;
  private final int startsMax;
  private final Consumer<Outcome> report;
  private final Lanes lanes = new Lanes();
  private final Suspects suspects;
  private final Map<StreamId, CompletableFuture<Integer>> deliveries = new ConcurrentHashMap<>();

  /** Events that have been added and have not ended. */
  private final AtomicInteger open = new AtomicInteger();

  private final PauseGate gate = new PauseGate();
  private volatile boolean isCancelled;

  /** The server's time minus {@link System#nanoTime}, in nanoseconds. */
  private volatile long clockOffset;

  Dispatch(Partition partition, EventsOptions options, Consumer<Outcome> report) {
    this.partition = partition;
    this.report = report;
    payloads = options.payloads();
    isParking = options.parking().isOn();
    startsMax = options.startsMax();
    suspects = new Suspects(startsMax);
  }

  void start(Inlet inlet) {
    Thread unused =
        Thread.ofVirtual()
            .name("kermes-dispatch-" + partition.keys().stream(partition.number()))
            .start(() -> run(inlet));
  }

  /** Adds an event that was taken at this time of the server. */
  void add(Entry entry, long nowMillis) {
    clockOffset = TimeUnit.MILLISECONDS.toNanos(nowMillis) - System.nanoTime();
    int unused = open.incrementAndGet();
    lanes.add(entry);
  }

  /** Whether there are events that have not ended. */
  boolean isBusy() {
    return open.get() > 0;
  }

  private void run(Inlet inlet) {
    for (Entry next = lanes.take(); next != null; next = lanes.take()) {
      Entry entry = next;
      gate.pass(() -> {
        if (!isCancelled) beginOrCount(inlet, entry);
      });
    }
  }

  /** An event that an earlier owner may have begun waits until its start is counted. */
  private void beginOrCount(Inlet inlet, Entry entry) {
    if (entry.origin() != Entry.Origin.EARLIER_OWNER) begin(inlet, entry);
    else if (suspects.mayBegin(entry)) report.accept(new Outcome.Starting(entry));
  }

  /** Begins an event whose start was counted this many times, unless that is too often. */
  void started(Entry entry, long count) {
    if (count < startsMax) {
      lanes.again(entry.counted());
      return;
    }
    String cause = "begun %d times, and never ended".formatted(count);
    Outcome.Failure failure = new Outcome.Failure(cause, "", (int) count);
    end(entry, new Outcome.Dead(entry, failure));
  }

  private void begin(Inlet inlet, Entry entry) {
    String only = entry.group();
    if (entry.isGone() || only != null && !only.equals(partition.keys().group())) {
      end(entry, new Outcome.Done(entry));
      return;
    }
    try {
      deliver(inlet, entry, payloads.decode(entry.type(), entry.payload()));
    } catch (RuntimeException e) {
      end(entry, dead(entry, e));
    }
  }

  private void deliver(Inlet inlet, Entry entry, Object payload) {
    String key = partition.keys().topic() + "/" + entry.key();
    CompletableFuture<Integer> delivery =
        entry.handlers().isEmpty()
            ? inlet.deliver(key, payload, meta(entry))
            : inlet.deliver(key, payload, meta(entry), entry.handlers());
    deliveries.put(entry.id(), delivery);
    var unused =
        delivery.whenComplete((count, error) -> {
          deliveries.remove(entry.id());
          ended(entry, error);
        });
    if (isCancelled) cancel();
  }

  private EventMeta meta(Entry entry) {
    EventMeta meta =
        EventMeta.none()
            .id(partition.number() + ":" + entry.id())
            .attempt(entry.attempt())
            .token(partition.epoch())
            .headers(entry.headers());
    Long deadline = entry.deadlineMillis();
    return deadline == null ? meta : meta.within(remaining(deadline));
  }

  private Duration remaining(long deadlineMillis) {
    long now = System.nanoTime() + clockOffset;
    return Duration.ofNanos(TimeUnit.MILLISECONDS.toNanos(deadlineMillis) - now);
  }

  // ---- the end of an event, on a thread of its last handler

  private void ended(Entry entry, @Nullable Throwable error) {
    if (error == null) {
      end(entry, new Outcome.Done(entry));
    } else if (error instanceof DeliveryFailedException failed) {
      failed(entry, failed.failures());
    } else if (!isToRepeat(error)) {
      end(entry, dead(entry, error));
    }
  }

  private static Outcome dead(Entry entry, Throwable error) {
    return new Outcome.Dead(entry, new Outcome.Failure(error.toString(), "", 0));
  }

  private void end(Entry entry, Outcome outcome) {
    int unused = open.decrementAndGet();
    report.accept(outcome);
    lanes.ended(entry.key());
    beginNextSuspect(entry);
  }

  private void beginNextSuspect(Entry ended) {
    Entry next = suspects.ended(ended);
    if (next != null) report.accept(new Outcome.Starting(next));
  }

  /** Ends an event that is parked; returns those of its key behind it, which end as well. */
  List<Entry> leave(Entry entry) {
    List<Entry> behind = lanes.remove(entry.key());
    int unused = open.addAndGet(-1 - behind.size());
    beginNextSuspect(entry);
    return behind;
  }

  /** Whether the event must stay pending for the next owner. */
  private static boolean isToRepeat(Throwable error) {
    return error instanceof CancellationException || error instanceof RejectedEventException;
  }

  private void failed(Entry entry, List<DeliveryFailedException.Failure> failures) {
    if (failures.stream().allMatch(Dispatch::isRefused)) {
      LATER.execute(() -> lanes.again(entry.again(names(failures))));
      return;
    }
    boolean isCutShort = failures.stream().anyMatch(failure -> !failure.isFinal());
    if (isCutShort && !isLate(entry)) return;
    DeliveryFailedException.Failure first = failures.getFirst();
    String handlers = String.join("\n", names(failures));
    Outcome.Failure failure =
        new Outcome.Failure(first.error().toString(), handlers, first.attempts());
    if (!isParking || isLate(entry)) end(entry, new Outcome.Dead(entry, failure));
    else if (entry.origin() == Entry.Origin.PARKED) end(entry, new Outcome.Failed(entry, failure));
    else report.accept(new Outcome.Failed(entry, failure)); // holds its key until it is parked
  }

  private static boolean isRefused(DeliveryFailedException.Failure failure) {
    return failure.attempts() == 0 && failure.error() instanceof RejectedEventException;
  }

  private boolean isLate(Entry entry) {
    Long deadline = entry.deadlineMillis();
    return deadline != null && remaining(deadline).isNegative();
  }

  private static Set<String> names(List<DeliveryFailedException.Failure> failures) {
    return failures.stream()
        .map(DeliveryFailedException.Failure::handler)
        .collect(Collectors.toSet());
  }

  // ---- the end of the partition

  /** When this returns, no event is handed over until {@link #resume}. */
  void pause() {
    gate.pause();
  }

  void resume() {
    gate.resume();
  }

  /** Ends all deliveries: handlers that run are interrupted, those that have not begun skipped. */
  void cancel() {
    isCancelled = true;
    for (CompletableFuture<Integer> delivery : deliveries.values()) {
      boolean unused = delivery.cancel(true);
    }
  }

  /** Ends the thread. */
  void close() {
    isCancelled = true;
    lanes.close();
    gate.close();
  }
}
