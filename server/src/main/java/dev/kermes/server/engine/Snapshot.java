package dev.kermes.server.engine;

import dev.kermes.server.data.Dict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All keys as they were when it began, shown slice by slice while commands go on. Tables lie in the
 * order of their hashes, and so does the walk: what is behind it has been shown, and what is ahead
 * of it is shown early when somebody is about to change it. Nothing is copied, and nobody waits.
 *
 * <pre>
 *   |shown . . . . . .|position| . . . k . . . . .|
 *                                      ^ about to change: shown now, and left out later
 * </pre>
 *
 * Every method wants the floor.
 */
public final class Snapshot {

  /** Who is shown the keys, each once. */
  @FunctionalInterface
  public interface Visitor {
    void visit(int database, Object slot);
  }

  private static final int CURSOR_SHIFT = 16;

  private final Engine engine;
  private final Visitor visitor;
  private final List<Dict> tables = new ArrayList<>();

  /** Keys ahead of the position that have been shown, or were not there at the beginning. */
  private final List<Set<ByteKey>> early = new ArrayList<>();

  private int database;
  private long cursor;

  /** Another one that is under way. */
  private @Nullable Snapshot other;

  private Snapshot(Engine engine, Visitor visitor) {
    this.engine = engine;
    this.visitor = visitor;
    for (Database each : engine.databases()) {
      tables.add(each.keys());
      early.add(new HashSet<>());
    }
  }

  /** Begins one. */
  static Snapshot begin(Engine engine, Visitor visitor) {
    Snapshot snapshot = new Snapshot(engine, visitor);
    snapshot.other = engine.database(0).snapshot();
    for (Database each : engine.databases()) each.snapshot(snapshot);
    return snapshot;
  }

  /** Nothing more is to be shown. */
  public void end() {
    Snapshot first = without(engine.database(0).snapshot());
    for (Database each : engine.databases()) each.snapshot(first);
  }

  /** The chain of those that are under way, without this one. */
  private @Nullable Snapshot without(@Nullable Snapshot chain) {
    if (chain == null) return null;
    if (chain == this) return other;
    chain.other = without(chain.other);
    return chain;
  }

  /** Shows some more keys; false when all have been shown. */
  public boolean next() {
    if (database == tables.size()) return false;
    Set<ByteKey> shown = early.get(database);
    cursor = tables.get(database).scan(cursor, slot -> show(slot, shown));
    if (cursor == 0) database++;
    return true;
  }

  private void show(Object slot, Set<ByteKey> shown) {
    boolean isShown = !shown.isEmpty() && shown.remove(new ByteKey(Database.keyOf(slot)));
    if (!isShown) visitor.visit(database, slot);
  }

  /** A key of a table is about to be changed, deleted or created. */
  void beforeChange(Dict keys, byte[] key) {
    if (other != null) other.beforeChange(keys, key);
    int index = indexOf(keys);
    if (index < database || index == database && isBehind(keys, key)) return;
    if (!early.get(index).add(new ByteKey(key))) return;
    Object slot = keys.find(key);
    if (slot != null) visitor.visit(index, slot);
  }

  /** The number that a table had at the beginning; -1 if it is a new one. */
  private int indexOf(Dict keys) {
    for (int i = 0; i < tables.size(); i++) if (tables.get(i) == keys) return i;
    return -1;
  }

  private boolean isBehind(Dict keys, byte[] key) {
    long place = keys.hash(key, 0, key.length) >>> CURSOR_SHIFT;
    return Long.compareUnsigned(place, cursor) < 0;
  }
}
