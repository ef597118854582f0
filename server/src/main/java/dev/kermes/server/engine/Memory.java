package dev.kermes.server.engine;

/**
 * The account of memory: what keys, values and clients take, by the sizes of their arrays and
 * objects, kept up to date as they change. It is what maxmemory is compared with.
 *
 * <p>The JVM's heap holds more: what waits to be collected, the program itself, buffers of the
 * event loops. INFO shows both. Belongs to whoever has the floor.
 */
public final class Memory {

  private final Engine engine;
  private long clientBytes;
  private long peakBytes;

  Memory(Engine engine) {
    this.engine = engine;
  }

  /** Bytes of keys, values, clients and scripts. */
  public long usedBytes() {
    return dataBytes() + clientBytes + engine.scripting().bytes();
  }

  /** Bytes of keys and values. */
  public long dataBytes() {
    long bytes = 0;
    for (Database database : engine.databases()) bytes += database.dataBytes();
    return bytes;
  }

  /** Bytes of clients when last measured. */
  public long clientBytes() {
    return clientBytes;
  }

  /** The most that was ever used when it was measured. */
  public long peakBytes() {
    return Math.max(peakBytes, usedBytes());
  }

  /** Measures what has no running account; from time to time. */
  public void measure() {
    for (Session session : engine.sessions()) measure(session);
    peakBytes = peakBytes();
  }

  void measure(Session session) {
    forget(session);
    if (!session.isClosing()) clientBytes += session.measureMemory();
  }

  /** A session is gone, or about to go: no key has to go for its sake. */
  void forget(Session session) {
    clientBytes -= session.forgetMeasured();
  }
}
