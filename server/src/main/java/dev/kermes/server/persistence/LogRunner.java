package dev.kermes.server.persistence;

import dev.kermes.server.keyspace.Database;
import org.jspecify.annotations.Nullable;

/** Runs the commands of a log, one after the other; with the keyspace lock. */
public interface LogRunner {

  /** Runs a command; returns the error that it replied, or null. */
  @Nullable String run(byte[] bytes, int[] slices, int first, int argc);

  /** The database that the next command is for. */
  Database database();

  /** Whether a MULTI so far lacks its EXEC. */
  boolean isInTransaction();
}
