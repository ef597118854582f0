package dev.kermes.server.engine;

import dev.kermes.server.keyspace.MemoryAccount;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many connections the heap has room for: each takes some, whatever it does, and all together
 * may take a quarter of the heap's limit. Beyond that new ones are refused as beyond maxclients.
 * Any thread.
 */
public final class Admission {

  /** About what a connection takes with its session, and what it takes more with TLS. */
  public static final int PLAIN_BYTES = 8 * 1024;

  public static final int TLS_BYTES = 64 * 1024;

  /** This many connections are accepted whatever the heap. */
  private static final int COUNT_LEAST = 16;

  /** 256 more connections hear that they are refused, instead of being closed at once. */
  private static final int BEING_REFUSED_MAX = 256;

  private final MemoryAccount memory;
  private final AtomicLong bytes = new AtomicLong();

  /** Counts no connection yet. */
  public Admission(MemoryAccount memory) {
    this.memory = memory;
  }

  /** Counts a connection; false, and it is not counted, if it cannot even be refused politely. */
  public boolean enter(int size) {
    if (bytes.get() > limit() + BEING_REFUSED_MAX * (long) PLAIN_BYTES) return false;
    bytes.addAndGet(size);
    return true;
  }

  /** A connection that was counted is gone. */
  public void leave(int size) {
    bytes.addAndGet(-size);
  }

  /** Whether there are more connections than there may be. */
  public boolean isOver() {
    return bytes.get() > limit();
  }

  private long limit() {
    return Math.max(memory.heapLimit() / 4, COUNT_LEAST * (long) PLAIN_BYTES);
  }
}
