package dev.kermes.bench.expiry;

import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One connection that reads a key every millisecond while others keep the server busy. */
final class ProbeClient implements AutoCloseable {

  static final String KEY = "neighbour";

  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final long LATENCY_MAX = Duration.ofMinutes(5).toNanos();

  private final Wire wire;
  private final Thread thread;
  private volatile boolean ends;
  private @Nullable IOException failure;
  private Histogram latencies = new Histogram(LATENCY_MAX, 3);

  ProbeClient(RunningServer server) throws IOException {
    wire = new Wire(server.address());
    wire.call("SET", KEY, "value");
    thread = Thread.ofPlatform().daemon().start(this::read);
  }

  private void read() {
    try {
      while (!ends) {
        long began = System.nanoTime();
        if (!wire.call("GET", KEY).equals("value")) throw new IOException("the key is lost");
        note(System.nanoTime() - began);
        Thread.sleep(PAUSE);
      }
    } catch (IOException e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void failed(IOException cause) {
    failure = cause;
  }

  private synchronized void note(long nanos) {
    latencies.recordValue(Math.min(nanos, LATENCY_MAX));
  }

  /**
   * Returns the latencies in nanoseconds since the previous call; fails if the connection has
   * failed.
   */
  synchronized Histogram latencies() throws IOException {
    if (failure != null) throw failure;
    Histogram result = latencies;
    latencies = new Histogram(LATENCY_MAX, 3);
    return result;
  }

  @Override
  public void close() throws IOException {
    ends = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    wire.close();
  }
}
