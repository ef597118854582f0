package dev.kermes.server.persistence;

import java.io.IOException;
import java.io.OutputStream;

/** How all keys are written to a file, one after the other. */
interface SnapshotWriter {

  /** Adds a key, or the beginning of a large one: whether it has more. With the keyspace lock. */
  boolean slot(int database, Object slot);

  /** Adds more of the key that was begun; whether it still has more. With the keyspace lock. */
  boolean more();

  /** Bytes that have not been taken yet. */
  int pending();

  /** Takes what was added since the last time; with the keyspace lock. */
  void take();

  /** Writes what was taken; without the keyspace lock. */
  void write(OutputStream out) throws IOException;

  /** Writes the end of the file. */
  void end(OutputStream out) throws IOException;
}
