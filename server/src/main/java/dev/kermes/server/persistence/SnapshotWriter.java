package dev.kermes.server.persistence;

import java.io.IOException;
import java.io.OutputStream;

/** Writes all keys to a file, one after the other. */
interface SnapshotWriter {

  /**
   * Adds a key, or the beginning of a large one; returns whether it has more. With the keyspace
   * lock.
   */
  boolean slot(int database, Object slot);

  /** Adds more of the current key; returns whether it still has more. With the keyspace lock. */
  boolean more();

  /** Bytes that have not been taken yet. */
  int pending();

  /** Takes the bytes added since the last call; with the keyspace lock. */
  void take();

  /** Writes the taken bytes; without the keyspace lock. */
  void write(OutputStream out) throws IOException;

  /** Writes the end of the file. */
  void end(OutputStream out) throws IOException;
}
