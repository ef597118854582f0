package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of another {@link Dict} that expire, each with its time in an array of times. A sweep
 * for due slots reads only these arrays, at about a nanosecond per slot, instead of a record
 * somewhere in memory per slot. Guarded by the keyspace lock.
 */
public final class ExpiryTable {

  /** Groups of the table that {@link #next} visits at most, per slot asked for. */
  private static final int GROUPS_PER_SLOT = 20;

  /**
   * The due slots that a sweep found.
   *
   * @param seen about how many slots it passed
   */
  public record Found(List<Object> due, long seen) {

    /** The part of those seen that are due, 0 to 1. */
    public double share() {
      return due.isEmpty() ? 0 : (double) due.size() / Math.max(seen, due.size());
    }
  }

  private final Dict slots;
  private long cursor;

  public ExpiryTable(long hashSeed) {
    slots = new Dict(hashSeed, true);
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

  /** Adds a slot, or replaces the one with the same key. */
  public void put(Object slot, long expireAtMillis) {
    Object unused = slots.put(slot, expireAtMillis);
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

  /**
   * Sweeps on from where the last sweep stopped, over about {@code seenMax} slots or until about
   * {@code dueMax} are found whose time is {@code latestMillis} or earlier. A sweep ends at the end
   * of the table; if it found nothing in a short rest there, another begins.
   */
  public Found due(int seenMax, int dueMax, long latestMillis) {
    Found found = sweep(seenMax, dueMax, latestMillis);
    boolean isRest = found.due().isEmpty() && found.seen() < Math.min(seenMax, slots.size());
    return isRest ? sweep(seenMax, dueMax, latestMillis) : found;
  }

  private Found sweep(int seenMax, int dueMax, long latestMillis) {
    List<Object> due = new ArrayList<>();
    double seenPerCursor = (double) slots.size() / Dict.CURSOR_END;
    double seen = 0;
    do {
      long from = cursor;
      cursor = slots.sweepDue(cursor, latestMillis, dueMax, due);
      seen += ((cursor == 0 ? Dict.CURSOR_END : cursor) - from) * seenPerCursor;
    } while (cursor != 0 && seen < seenMax && due.size() < dueMax);
    return new Found(due, Math.round(seen));
  }

  /** The next slots in turn, at least {@code slotsMin} while there are any, due or not. */
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
