package dev.kermes.bench.expiry;

import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Samples the expired share of the stored keys while a load runs. Keys are alive if the load has
 * written them within one lifetime; every key and field is written once.
 */
final class StaleSamples {

  private static final Duration PAUSE = Duration.ofMillis(5);

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
        long stored = load.stored(wire);
        Mark now = mark();
        double alive = now.written() - writtenAt(now.nanos() - lifeNanos);
        if (stored > 0) shares.add(Math.max(0, (stored - alive) / stored));
        Thread.sleep(PAUSE);
      }
    }
  }

  private Mark mark() {
    Mark mark = new Mark(System.nanoTime(), load.written());
    marks.addLast(mark);
    return mark;
  }

  /**
   * Returns the count at that moment, interpolated between the marks around it; forgets earlier
   * marks.
   */
  private double writtenAt(long nanos) {
    Mark before = marks.getFirst();
    while (marks.size() > 1 && marks.getFirst().nanos() <= nanos) before = marks.removeFirst();
    Mark after = marks.getFirst();
    marks.addFirst(before);
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
