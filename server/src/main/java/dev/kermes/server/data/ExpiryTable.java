package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of another {@link Dict} that expire, each with its time in an array of times. A sweep
 * for due slots reads only these arrays, at about a nanosecond per slot. It need not read a record
 * somewhere in memory for each slot. Guarded by the keyspace lock.
 */
public final class ExpiryTable {

  /**
   * The keys of the due slots that a sweep found.
   *
   * @param seen the approximate number of slots that it passed
   */
  public record Found(List<byte[]> due, long seen) {

    /** The proportion of the slots passed that are due, 0 to 1. */
    public double share() {
      return due.isEmpty() ? 0 : (double) due.size() / Math.max(seen, due.size());
    }
  }

  private final Dict slots;
  private long cursor;

  /**
   * An empty table for slots of {@code whole}. A record must be taken out before {@code whole}
   * frees or moves it.
   */
  public ExpiryTable(Dict whole) {
    slots = whole.withTimes();
  }

  public int size() {
    return slots.size();
  }

  /** The approximate size of the table on the heap; the slots count for the other table. */
  public long tableBytes() {
    return slots.tableBytes();
  }

  /** Makes an empty table large enough for that many slots. */
  public void expect(int count) {
    slots.expect(count);
  }

  public @Nullable Object find(byte[] key) {
    return slots.find(key);
  }

  /** Adds a slot of the other table, or gives it another time. */
  public void put(Object slot, long expireAtMillis) {
    slots.share(slot, expireAtMillis);
  }

  public void remove(byte[] key, int offset, int length) {
    boolean unused = slots.remove(key, offset, length);
  }

  public void remove(byte[] key) {
    remove(key, 0, key.length);
  }

  public void clear() {
    slots.clear();
    cursor = 0;
  }

  /** The table itself, for drawing random slots. */
  public Dict slots() {
    return slots;
  }

  /**
   * Continues the sweep where the last one stopped. It passes about {@code seenMax} slots, or fewer
   * once about {@code dueMax} were found whose time is {@code latestMillis} or earlier. A sweep
   * ends at the end of the table. If only a short rest was left there, and nothing in it was due,
   * another sweep begins at the start.
   */
  public Found due(int seenMax, int dueMax, long latestMillis) {
    Found found = sweep(seenMax, dueMax, latestMillis);
    boolean isRest = found.due().isEmpty() && found.seen() < Math.min(seenMax, slots.size());
    return isRest ? sweep(seenMax, dueMax, latestMillis) : found;
  }

  private Found sweep(int seenMax, int dueMax, long latestMillis) {
    List<byte[]> due = new ArrayList<>();
    double seenPerCursor = (double) slots.size() / Dict.CURSOR_END;
    double seen = 0;
    do {
      long from = cursor;
      cursor = slots.sweepDue(cursor, latestMillis, dueMax, due);
      seen += ((cursor == 0 ? Dict.CURSOR_END : cursor) - from) * seenPerCursor;
    } while (cursor != 0 && seen < seenMax && due.size() < dueMax);
    return new Found(due, Math.round(seen));
  }
}
