package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/** Sends commands and waits; what the blocking view of the commands stands on. */
@FunctionalInterface
public interface BlockingSender {
  /** Sends {@code command} and parks the calling thread until its result or failure is there. */
  <T extends @Nullable Object> T call(Command<T> command);
}
