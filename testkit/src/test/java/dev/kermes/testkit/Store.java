package dev.kermes.testkit;

import org.jspecify.annotations.Nullable;

/** A client, as far as {@link WriteLoad} uses it. */
interface Store {

  void set(String key, String value);

  /**
   * Sets the key and waits for a replica; returns whether one has the write. Both commands are sent
   * on one connection, since WAIT speaks of the writes of its own.
   */
  boolean setReplicated(String key, String value);

  /** The value; null without one. */
  @Nullable String get(String key);
}
