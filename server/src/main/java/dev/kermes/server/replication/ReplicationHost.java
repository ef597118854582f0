package dev.kermes.server.replication;

import dev.kermes.server.config.ShutdownMode;

/** The server around its {@link Replication}. Called with the keyspace lock. */
public interface ReplicationHost {

  /** Whether the server is about to end. */
  boolean isShuttingDown();

  /** Begins the end of the server. */
  void shutDown(ShutdownMode mode);

  /** Whether a script is in the middle of its run, and must see no other data. */
  boolean isScriptSuspended();
}
