package dev.kermes.server.engine;

import org.jspecify.annotations.Nullable;

/** Runs the commands of a log, one after the other; with the floor. */
public interface LogRunner {

  /** Runs a command; returns the error that it replied, or null. */
  @Nullable String run(byte[] bytes, int[] slices, int first, int argc);

  /** Whether there was a MULTI without its EXEC so far. */
  boolean isInTransaction();
}
