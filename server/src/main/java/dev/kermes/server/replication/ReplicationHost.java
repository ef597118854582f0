package dev.kermes.server.replication;

import dev.kermes.server.config.ShutdownMode;

/** The server around its {@link Replication}. Called with the keyspace lock. */
public interface ReplicationHost {

  /** Whether the server is about to end. */
  boolean isShuttingDown();

  /** Begins to shut down the server. */
  void shutDown(ShutdownMode mode);

  /** Whether a script is suspended in the middle of its run, and must not see other data. */
  boolean isScriptSuspended();
}
