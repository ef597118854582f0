package dev.kermes.server.keyspace;

import dev.kermes.server.data.Dict;
import org.jspecify.annotations.Nullable;

/**
 * The running snapshot of a database, if any, which sees keys before they are changed. Guarded by
 * the keyspace lock.
 */
final class Observation {

  /** Null most of the time. */
  private @Nullable ChangeObserver observer;

  /**
   * Selects the changes that look for an observer: those whose number has none of these bits set.
   * While there is an observer, that is every change.
   */
  private int mask = RareBranch.MASK;

  private int changes;

  void observer(@Nullable ChangeObserver running) {
    observer = running;
    mask = running == null ? RareBranch.MASK : 0;
  }

  boolean isOn() {
    return observer != null;
  }

  void beforeChange(Dict keys, Object slot) {
    if ((++changes & mask) == 0) showChange(keys, slot);
  }

  void beforeRemoval(Dict keys, byte[] key, int offset, int length) {
    if ((++changes & mask) == 0) showRemoval(keys, key, offset, length);
  }

  void beforeExpiry(Dict keys, byte[] key) {
    if ((++changes & mask) == 0) showExpiry(keys, key);
  }

  private void showChange(Dict keys, Object slot) {
    ChangeObserver running = observer;
    if (running != null) running.beforeChange(keys, slot);
  }

  private void showRemoval(Dict keys, byte[] key, int offset, int length) {
    ChangeObserver running = observer;
    if (running != null) running.beforeRemoval(keys, key, offset, length);
  }

  private void showExpiry(Dict keys, byte[] key) {
    ChangeObserver running = observer;
    if (running != null) running.beforeExpiry(keys, key);
  }
}
