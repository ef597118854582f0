package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.yesNo;

/**
 * Selects the deletions that the write log calls UNLINK instead of DEL, for replicas that treat
 * them differently. Here memory is always freed in the background.
 */
public final class LazyFreeing {

  /** Deletions of keys to make room. */
  public boolean ofEvicted;

  /** Deletions of expired keys. */
  public boolean ofExpired;

  /** Deletions of keys as a side effect of a command. */
  public boolean ofReplaced;

  LazyFreeing() {}

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    table.mutable("lazyfree-lazy-eviction", yesNo(() -> ofEvicted, v -> ofEvicted = v));
    table.mutable("lazyfree-lazy-expire", yesNo(() -> ofExpired, v -> ofExpired = v));
    table.mutable("lazyfree-lazy-server-del", yesNo(() -> ofReplaced, v -> ofReplaced = v));
  }
}
