package dev.kermes.bench.peers;

import java.io.IOException;
import java.time.Duration;

/** Samples the memory of a process and its children every 0.1 s, on a separate thread. */
public final class MemorySampler implements AutoCloseable {

  private static final int PAUSE_MILLIS = 100;

  private final long pid;
  private final Thread thread;
  private volatile long mostBytes;

  private MemorySampler(long pid, Duration delay) {
    this.pid = pid;
    thread = Thread.ofPlatform().daemon().start(() -> sample(delay));
  }

  /** Starts sampling after the delay. */
  public static MemorySampler start(long pid, Duration delay) {
    return new MemorySampler(pid, delay);
  }

  private void sample(Duration delay) {
    try {
      Thread.sleep(delay);
      while (true) {
        mostBytes = Math.max(mostBytes, ProcessMemory.proportional(pid));
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException | IOException e) {
      // The sampler was closed, or the process cannot be inspected.
    }
  }

  /** Returns the largest sample; 0 if the process cannot be inspected. */
  public long mostBytes() {
    return mostBytes;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
