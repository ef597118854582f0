package dev.kermes.server.persistence;

import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.RareBranch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The running snapshots of a keyspace. Guarded by the keyspace lock. */
public final class Snapshots {

  private final Keyspace keyspace;
  private final List<SnapshotIterator> walks = new ArrayList<>();

  /** Selects the turns that look for walks; while there are any, that is every turn. */
  private int walkMask = RareBranch.MASK;

  private int turns;

  /** The newest snapshot, which passes changes on to the older ones. */
  private @Nullable Snapshot newest;

  /** Creates it without any snapshot. */
  public Snapshots(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /** Continues all due walks at the end of a turn; returns the time afterwards. */
  public long walk(long nowNanos) {
    return (++turns & walkMask) == 0 ? walkAll(nowNanos) : nowNanos;
  }

  private long walkAll(long nowNanos) {
    long now = nowNanos;
    for (int i = 0; i < walks.size(); i++) now = walks.get(i).help(now);
    return now;
  }

  public Keyspace keyspace() {
    return keyspace;
  }

  void add(SnapshotIterator walk) {
    walks.add(walk);
    walkMask = 0;
  }

  void remove(SnapshotIterator walk) {
    walks.remove(walk);
    if (walks.isEmpty()) walkMask = RareBranch.MASK;
  }

  @Nullable Snapshot newest() {
    return newest;
  }

  /** Sets the snapshot that sees changes first; null for none. */
  void newest(@Nullable Snapshot snapshot) {
    newest = snapshot;
    for (Database database : keyspace.databases()) database.observer(snapshot);
  }
}
