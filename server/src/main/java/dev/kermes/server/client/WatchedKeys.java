package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys that clients watch (WATCH), by database. A change of a key breaks the transactions of
 * all clients that watch it. Guarded by the keyspace lock.
 */
public final class WatchedKeys {

  private final Map<Database, Map<ByteKey, Set<Session>>> watchers = new HashMap<>();

  void add(Watch watch, Session session) {
    Object unused = watch.database().lookup(watch.key().bytes()); // deletes it if it has expired
    watchers
        .computeIfAbsent(watch.database(), absent -> new HashMap<>())
        .computeIfAbsent(watch.key(), absent -> new LinkedHashSet<>())
        .add(session);
  }

  void remove(Watch watch, Session session) {
    Map<ByteKey, Set<Session>> keys = watchers.get(watch.database());
    Set<Session> sessions = keys == null ? null : keys.get(watch.key());
    if (keys == null || sessions == null) return;
    sessions.remove(session);
    if (sessions.isEmpty()) keys.remove(watch.key());
    if (keys.isEmpty()) watchers.remove(watch.database());
  }

  /** The number of keys with watchers, in all databases. */
  public int count() {
    int count = 0;
    for (Map<ByteKey, Set<Session>> keys : watchers.values()) count += keys.size();
    return count;
  }

  /** Breaks the transactions that watch a key. */
  void touched(Database database, byte[] bytes, int offset, int length) {
    if (watchers.isEmpty()) return;
    Map<ByteKey, Set<Session>> keys = watchers.get(database);
    if (keys == null) return;
    Set<Session> sessions =
        keys.get(new ByteKey(Arrays.copyOfRange(bytes, offset, offset + length)));
    if (sessions != null) for (Session session : sessions) session.watches().touch();
  }

  /** Touches the watched keys that exist, before all keys are deleted. */
  void beforeClear(Database database) {
    for (byte[] key : keysOf(database)) {
      if (database.keys().find(key) != null) database.touch(key, 0, key.length);
    }
  }

  /** Touches the watched keys that exist in one of two databases, before they exchange keys. */
  void beforeSwap(Database first, Database second) {
    deleteExpired(first, second);
    deleteExpired(second, first);
    touchAll(first, second);
    touchAll(second, first);
  }

  /** Deletes expired keys in both databases that are watched in the first: they do not move. */
  private void deleteExpired(Database watched, Database other) {
    for (byte[] key : keysOf(watched)) {
      Object unused = watched.lookup(key);
      unused = other.lookup(key);
    }
  }

  private void touchAll(Database watched, Database other) {
    for (byte[] key : keysOf(watched)) {
      boolean changes = watched.keys().find(key) != null || other.keys().find(key) != null;
      if (changes) watched.touch(key, 0, key.length);
    }
  }

  private List<byte[]> keysOf(Database database) {
    Map<ByteKey, Set<Session>> keys = watchers.getOrDefault(database, Map.of());
    return keys.keySet().stream().map(ByteKey::bytes).toList();
  }

  /** A key watched by a session. */
  record Watch(Database database, ByteKey key) {

    /** Whether the key still exists but has expired. */
    boolean isExpired(long nowMillis) {
      long expiry = Database.expiryOf(database.keys().find(key.bytes()));
      return expiry != Value.NEVER && expiry <= nowMillis;
    }
  }
}
