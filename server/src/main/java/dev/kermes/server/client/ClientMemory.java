package dev.kermes.server.client;

/**
 * The approximate memory of a client, for CLIENT LIST and maxmemory-clients, and the part of it
 * that the account of all clients contains. Guarded by the keyspace lock.
 */
public final class ClientMemory {

  /** The approximate bytes of a session, its connection and a name in their tables. */
  private static final int OBJECT_BYTES = 1024;

  /** 16 KiB: a reply that is just being written does not count as memory held by the client. */
  private static final int SHORT_OUTPUT_BYTES = 16 * 1024;

  private static final int NAME_BYTES = 100;

  private final Session session;
  private long measuredBytes;

  ClientMemory(Session session) {
    this.session = session;
  }

  public long bytes() {
    TrackingMode tracking = session.tracking();
    Transaction transaction = session.transaction();
    int names = session.subscriptions().count() + session.watches().count();
    if (tracking != null) names += tracking.prefixes().size();
    long queued = transaction == null ? 0 : transaction.bytes();
    long own = OBJECT_BYTES + session.fieldsets().bytes() + NAME_BYTES * (long) names;
    long output = Math.max(0, session.output().bytes() - SHORT_OUTPUT_BYTES);
    return own + session.connection().inputBufferBytes() + output + queued;
  }

  /** Measures the bytes for the account of all clients. */
  long measure() {
    measuredBytes = bytes();
    return measuredBytes;
  }

  /** Removes the client from the account; returns the bytes that the account contained. */
  long forget() {
    long bytes = measuredBytes;
    measuredBytes = 0;
    return bytes;
  }
}
