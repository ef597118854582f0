package dev.kermes.bench.expiry;

import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Samples the expired share of the stored keys while a load runs. Keys are alive if the load has
 * written them within one lifetime; every key and field is written once.
 *
 * <p>A server may pause between counting its keys and replying, and fewer keys are alive after the
 * pause. It therefore replies its time, too, and a sample is of that moment.
 */
final class StaleSamples {

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Marks are kept for twice the lifetime, since a server may reply late. */
  private static final int KEPT_LIVES = 2;

  /** The load's count at a moment. */
  private record Mark(long nanos, long written) {}

  private final RunningServer server;
  private final ExpiringLoad load;
  private final long lifeNanos;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private final List<Double> shares = new ArrayList<>();

  StaleSamples(RunningServer server, ExpiringLoad load, Duration life) {
    this.server = server;
    this.load = load;
    lifeNanos = life.toNanos();
    marks.add(new Mark(System.nanoTime(), load.written()));
  }

  /** Samples for {@code time}. */
  void take(Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    try (Wire wire = new Wire(server.address())) {
      while (System.nanoTime() < end) {
        mark();
        ExpiringLoad.Stored stored = load.stored(wire);
        mark();
        double alive = aliveAt(nanosOf(stored.micros()));
        if (stored.size() > 0) shares.add(Math.max(0, (stored.size() - alive) / stored.size()));
        Thread.sleep(PAUSE);
      }
    }
  }

  /** The present monotonic time minus the time that has passed since a moment. */
  private static long nanosOf(long micros) {
    long passed = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - micros;
    return System.nanoTime() - passed * 1000;
  }

  private double aliveAt(long nanos) {
    return writtenAt(nanos) - writtenAt(nanos - lifeNanos);
  }

  private void mark() {
    Mark mark = new Mark(System.nanoTime(), load.written());
    marks.addLast(mark);
    while (marks.getFirst().nanos() < mark.nanos() - KEPT_LIVES * lifeNanos) marks.removeFirst();
  }

  /** Returns the count at that moment, interpolated between the marks around it. */
  private double writtenAt(long nanos) {
    Mark before = marks.getFirst();
    Mark after = before;
    for (Mark mark : marks) {
      after = mark;
      if (mark.nanos() > nanos) break;
      before = mark;
    }
    if (after.nanos() <= before.nanos()) return before.written();
    double part = (double) (nanos - before.nanos()) / (after.nanos() - before.nanos());
    return before.written() + Math.clamp(part, 0, 1) * (after.written() - before.written());
  }

  void clear() {
    shares.clear();
  }

  double median() {
    return Medians.of(shares);
  }

  double max() {
    return shares.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }
}
