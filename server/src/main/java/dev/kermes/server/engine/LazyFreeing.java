package dev.kermes.server.engine;

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
}
