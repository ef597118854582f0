package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those slots of another {@link Dict} that expire, looked at in turns. Guarded by the keyspace
 * lock.
 */
public final class ExpiryTable {

  /** Groups of the table that one turn looks at, per slot asked for. */
  private static final int GROUPS_PER_SLOT = 20;

  /** What a turn found: the slots that are due, among so many that were looked at. */
  public record Found(List<Object> due, int seen) {

    /** The part of those seen that are due, 0 to 1. */
    public double share() {
      return seen == 0 ? 0 : (double) due.size() / seen;
    }
  }

  private final Dict slots;
  private long cursor;

  public ExpiryTable(long hashSeed) {
    slots = new Dict(hashSeed);
  }

  public int size() {
    return slots.size();
  }

  /** About what the table takes on the heap; the slots belong to the other. */
  public long tableBytes() {
    return slots.tableBytes();
  }

  /** Makes an empty table as large as so many slots will want it. */
  public void expect(int count) {
    slots.expect(count);
  }

  public @Nullable Object find(byte[] key) {
    return slots.find(key);
  }

  public void put(Object slot) {
    Object unused = slots.put(slot);
  }

  public void remove(byte[] key, int offset, int length) {
    Object unused = slots.remove(key, offset, length);
  }

  public void remove(byte[] key) {
    remove(key, 0, key.length);
  }

  public void clear() {
    slots.clear();
    cursor = 0;
  }

  /** The table itself, to draw from. */
  public Dict slots() {
    return slots;
  }

  /** Looks at some slots, about {@code slotsMin}, and goes on where it stopped last time. */
  public Found look(int slotsMin, Predicate<Object> isDue) {
    List<Object> due = new ArrayList<>(slotsMin + Segment.GROUP);
    int[] seen = {0};
    Consumer<Object> visitor =
        slot -> {
          seen[0]++;
          if (isDue.test(slot)) due.add(slot);
        };
    int groups = 0;
    do {
      cursor = slots.sweep(cursor, visitor);
      groups++;
    } while (cursor != 0 && seen[0] < slotsMin && groups < GROUPS_PER_SLOT * slotsMin);
    return new Found(due, seen[0]);
  }
}
