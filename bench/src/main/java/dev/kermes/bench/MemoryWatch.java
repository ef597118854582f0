package dev.kermes.bench;

import java.io.IOException;
import java.time.Duration;

/** Looks at the memory of a process and its children every 0.1 s, on a thread of its own. */
final class MemoryWatch implements AutoCloseable {

  private static final int PAUSE_MILLIS = 100;

  private final long pid;
  private final Thread thread;
  private volatile long mostBytes;

  private MemoryWatch(long pid, Duration delay) {
    this.pid = pid;
    thread = Thread.ofPlatform().daemon().start(() -> look(delay));
  }

  /** Begins to look after the delay. */
  static MemoryWatch start(long pid, Duration delay) {
    return new MemoryWatch(pid, delay);
  }

  private void look(Duration delay) {
    try {
      Thread.sleep(delay);
      while (true) {
        mostBytes = Math.max(mostBytes, ProcessMemory.proportional(pid));
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException | IOException e) {
      // Nobody wants to know any more, or there is nothing to be seen.
    }
  }

  /** The most that it saw; 0 where a process cannot be looked at. */
  long mostBytes() {
    return mostBytes;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
