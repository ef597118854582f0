package dev.kermes.server.acl;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The latest denials, newest first: ACL LOG. If the same denial happens again within a minute, the
 * count of the existing entry increases. Also counts denials by their reasons, for INFO. Guarded by
 * the keyspace lock.
 */
public final class AclLog {

  /** The way in which an entry's command was called. */
  public enum Context {
    TOPLEVEL,
    MULTI,
    LUA
  }

  /** The number of newest entries that a new denial is compared with. */
  private static final int COMPARED_MAX = 10;

  private static final long SAME_MILLIS_MAX = 60_000;

  /**
   * One denial, or several of the same kind.
   *
   * @param object the command, key or channel, a character per byte
   * @param client the line of CLIENT LIST of the client that was denied last
   */
  public record Entry(
      long id,
      Denial.Reason reason,
      Context context,
      String object,
      String user,
      String client,
      long count,
      long createdMillis,
      long updatedMillis) {

    private boolean isLike(Entry other) {
      return reason == other.reason
          && context == other.context
          && object.equals(other.object)
          && user.equals(other.user)
          && Math.abs(updatedMillis - other.updatedMillis) <= SAME_MILLIS_MAX;
    }

    private Entry with(Entry newer) {
      return new Entry(
          id,
          reason,
          context,
          object,
          user,
          newer.client,
          count + 1,
          createdMillis,
          newer.updatedMillis);
    }
  }

  private final Deque<Entry> entries = new ArrayDeque<>();
  private final long[] counts = new long[Denial.Reason.values().length];
  private long nextId;

  /** Logs a denial; removes the oldest entries beyond {@code entriesMax}. */
  public void add(
      Denial.Reason reason,
      Context context,
      String object,
      String user,
      String client,
      long nowMillis,
      int entriesMax) {
    counts[index(reason)]++;
    Entry fresh = new Entry(nextId, reason, context, object, user, client, 1, nowMillis, nowMillis);
    if (entriesMax > 0) addOrMerge(fresh);
    while (entries.size() > entriesMax) entries.removeLast();
  }

  private void addOrMerge(Entry fresh) {
    int compared = 0;
    for (Iterator<Entry> each = entries.iterator(); each.hasNext() && compared < COMPARED_MAX; ) {
      Entry entry = each.next();
      compared++;
      if (!entry.isLike(fresh)) continue;
      each.remove();
      entries.addFirst(entry.with(fresh));
      return;
    }
    entries.addFirst(fresh);
    nextId++;
  }

  /** The newest entries, at most {@code countMax}. */
  public List<Entry> newest(long countMax) {
    return entries.stream().limit(countMax).toList();
  }

  public void clear() {
    entries.clear();
  }

  /** The number of denials for a reason. */
  public long count(Denial.Reason reason) {
    return counts[index(reason)];
  }

  /** Resets the counts, for CONFIG RESETSTAT. */
  public void resetCounts() {
    Arrays.fill(counts, 0);
  }

  @SuppressWarnings("EnumOrdinal") // ordinals are only used within the process
  private static int index(Denial.Reason reason) {
    return reason.ordinal();
  }
}
