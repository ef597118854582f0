package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keys that are visited in rotation, some at a time: each visit continues where the last one
 * stopped. Each is represented by an object, or by a record without a value. Guarded by the
 * keyspace lock.
 */
public final class SlotRotation {

  /** The most groups of the table that {@link #next} visits per slot asked for. */
  private static final int GROUPS_PER_SLOT = 20;

  private static final byte[] NO_VALUE = {};

  private final Dict slots;
  private long cursor;

  public SlotRotation(long hashSeed) {
    slots = new Dict(hashSeed);
  }

  public int size() {
    return slots.size();
  }

  /** The approximate size of the table on the heap, without the objects. */
  public long tableBytes() {
    return slots.tableBytes();
  }

  /** Adds an object, or replaces the one with the same key. */
  public void put(Keyed object) {
    Object unused = slots.put(object);
  }

  /** Adds a key unless it is there. */
  public void put(byte[] key) {
    Object unused = slots.put(Record.of(key, NO_VALUE));
  }

  public void remove(byte[] key) {
    boolean unused = slots.remove(key);
  }

  public void clear() {
    slots.clear();
    cursor = 0;
  }

  /**
   * The next slots in turn: at least {@code slotsMin} unless there are fewer left. Records are
   * copies.
   */
  public List<Object> next(int slotsMin) {
    List<Object> found = new ArrayList<>(slotsMin + Segment.GROUP);
    Consumer<Object> visitor =
        slot -> found.add(slot instanceof Record record ? record.detached() : slot);
    int groups = 0;
    do {
      cursor = slots.sweep(cursor, visitor);
      groups++;
    } while (cursor != 0 && found.size() < slotsMin && groups < GROUPS_PER_SLOT * slotsMin);
    return found;
  }
}
