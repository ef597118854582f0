package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/** Sends commands and waits for their results; the basis of the blocking view of the commands. */
@FunctionalInterface
public interface BlockingSender {
  /** Sends {@code command} and parks the calling thread until it has a result or has failed. */
  <T extends @Nullable Object> T call(Command<T> command);
}
