package dev.kermes.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the load, with its share of the connections on one selector. The creator of the run
 * changes its phase, and may read its counts after it has ended.
 */
final class LoadThread extends Thread {

  static final long LATENCY_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long SILENCE_MAX = TimeUnit.SECONDS.toNanos(20);

  /** The phase of the run; counting starts again when the measurement starts. */
  enum Phase {
    WARM_UP,
    MEASURE,
    END
  }

  private final List<LoadConnection> connections = new ArrayList<>();
  private final Histogram latencies = new Histogram(LATENCY_MAX, 3);
  private final Selector selector;
  private final int pipeline;
  private volatile Phase phase = Phase.WARM_UP;
  private long beganNanos;
  private long endedNanos;
  private long missesBefore;
  private long hitsBefore;
  private @Nullable Exception failure;

  LoadThread(LoadSettings settings, int number) throws IOException {
    super("load-" + number);
    selector = Selector.open();
    pipeline = settings.pipeline();
    for (int i = 0; i < settings.clients(); i++) {
      int connection = number * settings.clients() + i;
      connections.add(new LoadConnection(settings, selector, connection));
    }
  }

  void phase(Phase next) {
    phase = next;
    selector.wakeup();
  }

  @Override
  public void run() {
    try {
      for (LoadConnection connection : connections) connection.send(pipeline);
      while (phase == Phase.WARM_UP) selector.select(this::ready, 100);
      begin();
      while (phase == Phase.MEASURE || isWaitingForFirst()) selector.select(this::ready, 100);
      endedNanos = System.nanoTime();
    } catch (IOException e) {
      failure = e;
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    } finally {
      close();
    }
  }

  /**
   * However short the time and busy the machine, at least one reply is counted if the server
   * replies.
   */
  private boolean isWaitingForFirst() {
    return latencies.getTotalCount() == 0 && System.nanoTime() - beganNanos < SILENCE_MAX;
  }

  private void begin() {
    for (LoadConnection connection : connections) connection.reset();
    latencies.reset();
    hitsBefore = sumHits();
    missesBefore = sumMisses();
    beganNanos = System.nanoTime();
  }

  private void ready(SelectionKey key) {
    try {
      if (key.attachment() instanceof LoadConnection connection) connection.ready(latencies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void close() {
    try {
      for (LoadConnection connection : connections) connection.close();
      selector.close();
    } catch (IOException e) {
      if (failure == null) failure = e;
    }
  }

  // ---- once it has ended

  @Nullable Exception failure() {
    return failure;
  }

  List<LoadConnection> connections() {
    return connections;
  }

  Histogram latencies() {
    return latencies;
  }

  double seconds() {
    return (endedNanos - beganNanos) / 1e9;
  }

  long hits() {
    return sumHits() - hitsBefore;
  }

  long misses() {
    return sumMisses() - missesBefore;
  }

  private long sumHits() {
    return connections.stream().mapToLong(connection -> connection.scanner().hits()).sum();
  }

  private long sumMisses() {
    return connections.stream().mapToLong(connection -> connection.scanner().misses()).sum();
  }
}
