package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import dev.kermes.server.keyspace.Database;
import java.util.HashSet;
import java.util.Set;

/** The keys that a client watches: WATCH. Guarded by the keyspace lock. */
public final class Watches {

  private final Session session;
  private final WatchedKeys all;
  private final Set<WatchedKeys.Watch> own = new HashSet<>(0);
  private boolean isTouched;

  Watches(Session session, WatchedKeys all) {
    this.session = session;
    this.all = all;
  }

  public void add(Database database, byte[] key) {
    WatchedKeys.Watch watch = new WatchedKeys.Watch(database, new ByteKey(key));
    if (own.add(watch)) all.add(watch, session);
  }

  public void clear() {
    for (WatchedKeys.Watch watch : own) all.remove(watch, session);
    own.clear();
    isTouched = false;
  }

  public int count() {
    return own.size();
  }

  /** Notes that a key has changed. */
  void touch() {
    isTouched = true;
  }

  /** Whether EXEC must abort: a key was changed or has expired since. */
  public boolean isBroken(long nowMillis) {
    if (isTouched) return true;
    for (WatchedKeys.Watch watch : own) {
      if (watch.isExpired(nowMillis)) return true;
    }
    return false;
  }
}
