package dev.kermes.server.engine;

import dev.kermes.server.keyspace.MemoryAccount;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits connections to those that the heap has room for. Each one takes some memory whatever it
 * does, and all together may take a quarter of the heap's limit. Further connections are refused as
 * if beyond maxclients. Any thread.
 */
public final class Admission {

  /** The approximate bytes of a connection with its session, and those that TLS adds. */
  public static final int PLAIN_BYTES = 8 * 1024;

  public static final int TLS_BYTES = 64 * 1024;

  /** The number of connections that are accepted whatever the heap. */
  private static final int COUNT_LEAST = 16;

  /** Another 256 connections get an error, instead of being closed at once. */
  private static final int BEING_REFUSED_MAX = 256;

  private final MemoryAccount memory;
  private final AtomicLong bytes = new AtomicLong();

  /** Creates it without connections. */
  public Admission(MemoryAccount memory) {
    this.memory = memory;
  }

  /** Counts a connection; false, without counting it, if it cannot even be sent an error. */
  public boolean enter(int size) {
    if (bytes.get() > limit() + BEING_REFUSED_MAX * (long) PLAIN_BYTES) return false;
    bytes.addAndGet(size);
    return true;
  }

  /** Notes that a counted connection is gone. */
  public void leave(int size) {
    bytes.addAndGet(-size);
  }

  /** Whether there are more connections than allowed. */
  public boolean isOver() {
    return bytes.get() > limit();
  }

  private long limit() {
    return Math.max(memory.heapLimit() / 4, COUNT_LEAST * (long) PLAIN_BYTES);
  }
}
