package dev.kermes.server.keyspace;

import dev.kermes.server.data.Dict;

/** Sees keys of a {@link Database} before they are changed: a running snapshot. */
public interface ChangeObserver {

  /** A slot is about to be changed in place, or put into a table. */
  void beforeChange(Dict keys, Object slot);

  /** A key is about to be deleted. */
  void beforeRemoval(Dict keys, byte[] key, int offset, int length);

  /** A key is about to be deleted because it has expired. */
  void beforeExpiry(Dict keys, byte[] key);
}
