package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.yesNo;

/**
 * Which deletions the write log calls UNLINK instead of DEL, for replicas that tell them apart.
 * Here memory is always freed beside the commands.
 */
public final class LazyFreeing {

  /** Of keys that make room. */
  public boolean ofEvicted;

  /** Of keys whose time is over. */
  public boolean ofExpired;

  /** Of keys that a command deletes by the way. */
  public boolean ofReplaced;

  LazyFreeing() {}

  /** The options under their names. */
  void declare(OptionTable table) {
    table.mutable("lazyfree-lazy-eviction", yesNo(() -> ofEvicted, v -> ofEvicted = v));
    table.mutable("lazyfree-lazy-expire", yesNo(() -> ofExpired, v -> ofExpired = v));
    table.mutable("lazyfree-lazy-server-del", yesNo(() -> ofReplaced, v -> ofReplaced = v));
  }
}
