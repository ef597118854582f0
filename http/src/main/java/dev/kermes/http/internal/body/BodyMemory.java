package dev.kermes.http.internal.body;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all request bodies of a server hold together, in bytes. Any thread. */
public final class BodyMemory {
  private final long max;
  private final AtomicLong held = new AtomicLong();

  public BodyMemory(long max) {
    this.max = max;
  }

  void add(long bytes) {
    held.addAndGet(bytes);
  }

  /** Adds bytes if the memory has room for them. */
  boolean tryAdd(long bytes) {
    long before = held.get();
    while (before + bytes <= max) {
      if (held.compareAndSet(before, before + bytes)) return true;
      before = held.get();
    }
    return false;
  }

  public boolean isFull() {
    return held.get() > max;
  }

  long held() {
    return held.get();
  }
}
