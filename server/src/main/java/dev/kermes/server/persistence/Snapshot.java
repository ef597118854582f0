package dev.kermes.server.persistence;

import dev.kermes.server.data.Dict;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.ChangeObserver;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visits all keys as they were at its beginning, slice by slice while commands continue. Tables are
 * in the order of their hashes, and the walk follows that order. Keys behind its position have been
 * shown; keys ahead of it are shown early when a command is about to change them. A large value is
 * shown in parts, and its group of keys waits for it. Nothing is copied, and only a command that
 * changes such a value waits. Keys that expire in the meantime may be left out.
 *
 * <pre>
 *   |shown . . . . . .|position| . . . k . . . . .|
 *                                      ^ about to change: shown now, and left out later
 * </pre>
 *
 * The caller of every method holds the keyspace lock.
 */
public final class Snapshot implements ChangeObserver {

  /** The receiver of the keys; each is shown once. */
  public interface Visitor {

    /** Receives a key, whole unless another one is unfinished; returns whether it has more. */
    boolean visit(int database, Object slot);

    /** Receives more of that key; returns whether there is still more. */
    boolean more();
  }

  private static final int CURSOR_SHIFT = 16;
  private static final byte[] NOTHING = {};

  private final Snapshots snapshots;
  private final Visitor visitor;
  private final List<Dict> tables = new ArrayList<>();

  /**
   * Keys ahead of the position that have been shown, or did not exist at the beginning, as records
   * without a value.
   */
  private final List<Dict> early = new ArrayList<>();

  /**
   * Whether a log or a replication stream may continue from the beginning of the snapshot. Its
   * commands may read keys that have expired since, for instance COPY.
   */
  private final boolean isContinued;

  private int database;
  private long cursor;

  /** Whether the table has been walked to its end. */
  private boolean isDone;

  /** Slots of the group behind the position that have not been shown yet. */
  private final Deque<Object> group = new ArrayDeque<>();

  /** The slot that has been shown only in part. */
  private @Nullable Object begun;

  /** The next snapshot in the chain of running ones. */
  private @Nullable Snapshot other;

  private Snapshot(Snapshots snapshots, Visitor visitor) {
    this.snapshots = snapshots;
    this.visitor = visitor;
    Keyspace keyspace = snapshots.keyspace();
    isContinued = keyspace.log().isRead() || keyspace.isReplica();
    for (Database each : keyspace.databases()) {
      tables.add(each.keys());
      early.add(new Dict(keyspace.hashSeed()));
    }
  }

  /** Begins a snapshot. */
  static Snapshot begin(Snapshots snapshots, Visitor visitor) {
    Snapshot snapshot = new Snapshot(snapshots, visitor);
    snapshot.other = snapshots.newest();
    snapshots.newest(snapshot);
    return snapshot;
  }

  /** Ends the snapshot; it shows no more keys. */
  public void end() {
    snapshots.newest(without(snapshots.newest()));
  }

  /** The chain of running snapshots without this one. */
  private @Nullable Snapshot without(@Nullable Snapshot chain) {
    if (chain == null) return null;
    if (chain == this) return other;
    chain.other = without(chain.other);
    return chain;
  }

  /** Shows some more keys, or more of a large one; returns false when all have been shown. */
  public boolean next() {
    if (begun != null) goOn();
    else if (group.isEmpty()) scan();
    while (begun == null && !group.isEmpty()) show(group.remove());
    return begun != null || database < tables.size();
  }

  private void goOn() {
    if (!visitor.more()) begun = null;
  }

  private void scan() {
    if (isDone) database++;
    isDone = database == tables.size();
    if (isDone) return;
    cursor = tables.get(database).scan(cursor, slot -> true, this::show);
    isDone = cursor == 0;
  }

  /** Shows a slot, or makes it wait for one that is shown in parts. */
  private void show(Object slot) {
    if (begun != null) group.add(lasting(slot));
    else if (!wasShown(slot) && visitor.visit(database, slot)) begun = lasting(slot);
  }

  private static Object lasting(Object slot) {
    return slot instanceof Record record ? record.detached() : slot;
  }

  private boolean wasShown(Object slot) {
    Dict shown = early.get(database);
    if (shown.size() == 0) return false;
    if (!(slot instanceof Record record)) return shown.remove(((Value) slot).key());
    return shown.remove(record.array(), record.keyOffset(), record.keyLength());
  }

  private void showWhole(int index, Object slot) {
    boolean hasMore = visitor.visit(index, slot);
    while (hasMore) hasMore = visitor.more();
  }

  @Override
  public void beforeChange(Dict keys, Object slot) {
    if (slot instanceof Record record) {
      beforeChange(keys, record.array(), record.keyOffset(), record.keyLength());
    } else {
      byte[] key = ((Value) slot).key();
      beforeChange(keys, key, 0, key.length);
    }
  }

  @Override
  public void beforeRemoval(Dict keys, byte[] key, int offset, int length) {
    beforeChange(keys, key, offset, length);
  }

  /**
   * Leaves an expired key out of a snapshot without a log: it would be dropped when the file is
   * loaded. Many short-lived keys would otherwise be written by the commands that delete them.
   */
  @Override
  public void beforeExpiry(Dict keys, byte[] key) {
    if (isContinued || snapshots.keyspace().log().isRead()) {
      beforeRemoval(keys, key, 0, key.length);
    } else if (other != null) {
      other.beforeExpiry(keys, key);
    }
  }

  private void beforeChange(Dict keys, byte[] key, int offset, int length) {
    if (other != null) other.beforeChange(keys, key, offset, length);
    int index = indexOf(keys);
    if (index < database) return;
    if (index == database && isBehind(keys, key, offset, length)) {
      settle(key, offset, length);
      return;
    }
    Dict shown = early.get(index);
    if (shown.has(key, offset, length)) return;
    Object unused = shown.put(Record.of(key, offset, length, NOTHING, 0, 0, Value.NEVER));
    Object slot = keys.find(key, offset, length);
    if (slot != null) showWhole(index, slot);
  }

  /** Shows the rest of a key in the group at the position. */
  private void settle(byte[] key, int offset, int length) {
    while (begun != null && isOf(begun, key, offset, length)) goOn();
    for (Object slot : group) {
      if (!isOf(slot, key, offset, length)) continue;
      group.remove(slot);
      if (!wasShown(slot)) showWhole(database, slot);
      return;
    }
  }

  private static boolean isOf(Object slot, byte[] key, int offset, int length) {
    byte[] own = Database.keyOf(slot);
    return Arrays.equals(own, 0, own.length, key, offset, offset + length);
  }

  /** The number of a table at the beginning; -1 if the table is new. */
  private int indexOf(Dict keys) {
    for (int i = 0; i < tables.size(); i++) if (tables.get(i) == keys) return i;
    return -1;
  }

  private boolean isBehind(Dict keys, byte[] key, int offset, int length) {
    if (isDone) return true;
    long position = keys.hash(key, offset, length) >>> CURSOR_SHIFT;
    return Long.compareUnsigned(position, cursor) < 0;
  }
}
