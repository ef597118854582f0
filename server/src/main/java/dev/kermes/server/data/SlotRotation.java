package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Slots of another {@link Dict} that are visited in rotation, some at a time: each visit continues
 * where the last one stopped. Guarded by the keyspace lock.
 */
public final class SlotRotation {

  /** The most groups of the table that {@link #next} visits per slot asked for. */
  private static final int GROUPS_PER_SLOT = 20;

  private final Dict slots;
  private long cursor;

  public SlotRotation(long hashSeed) {
    slots = new Dict(hashSeed);
  }

  public int size() {
    return slots.size();
  }

  /** The approximate size of the table on the heap; the slots count for the other table. */
  public long tableBytes() {
    return slots.tableBytes();
  }

  /** Adds a slot, or replaces the one with the same key. */
  public void put(Object slot) {
    Object unused = slots.put(slot);
  }

  public void remove(byte[] key) {
    Object unused = slots.remove(key, 0, key.length);
  }

  public void clear() {
    slots.clear();
    cursor = 0;
  }

  /** The next slots in turn: at least {@code slotsMin} unless there are fewer left. */
  public List<Object> next(int slotsMin) {
    List<Object> found = new ArrayList<>(slotsMin + Segment.GROUP);
    Consumer<Object> visitor = found::add;
    int groups = 0;
    do {
      cursor = slots.sweep(cursor, visitor);
      groups++;
    } while (cursor != 0 && found.size() < slotsMin && groups < GROUPS_PER_SLOT * slotsMin);
    return found;
  }
}
