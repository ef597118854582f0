package dev.kermes.server.keyspace;

import dev.kermes.server.config.KeyspaceEvent;

/**
 * The clients' side of a {@link Keyspace}: it is told about changes, and knows the client whose
 * command is running. Called with the keyspace lock. A keyspace has one listener, so that the calls
 * stay direct.
 */
public interface KeyspaceListener {

  /** A key was changed: transactions that watch it abort, and caches of clients drop it. */
  void touched(Database database, byte[] bytes, int offset, int length);

  /** A key that did not exist was stored. */
  void created(Database database, byte[] key);

  /** A key that clients are blocked on was stored, changed or removed. */
  void ready(Database database, byte[] key);

  /** All keys of a database were exchanged or deleted. */
  void allReady(Database database);

  /** All keys of a database are about to be deleted. */
  void beforeClear(Database database);

  /** Two databases are about to exchange their keys. */
  void beforeSwap(Database first, Database second);

  /** All keys of all databases were replaced or deleted. */
  void allChanged();

  /** An event that keyspace notifications may be published for. */
  void notify(KeyspaceEvent event, String name, byte[] key, Database database);

  /** Whether the client whose command is being run imports another server's data. */
  boolean isImporting();

  /** A slice of active expiry begins: its changes are not those of a client. */
  void expiryBegins();

  /** A slice of active expiry has ended. */
  void expiryEnded();
}
