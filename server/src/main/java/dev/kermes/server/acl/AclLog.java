package dev.kermes.server.acl;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * What was denied lately, the newest first: ACL LOG. The same denial within a minute counts up the
 * entry that there is. Also counts denials by their reasons, for INFO. Guarded by the keyspace
 * lock.
 */
public final class AclLog {

  /** How an entry's command came to be run. */
  public enum Context {
    TOPLEVEL,
    MULTI,
    LUA
  }

  /** As many of the newest entries may be counted up. */
  private static final int COMPARED_MAX = 10;

  private static final long SAME_MILLIS_MAX = 60_000;

  /**
   * One denial, or several of the same kind.
   *
   * @param object the command, key or channel, a character per byte
   * @param client the line of CLIENT LIST of who tried last
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

  /** Notes a denial; beyond {@code entriesMax} the oldest entry goes. */
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

  /** The newest entries. */
  public List<Entry> newest(long countMax) {
    return entries.stream().limit(countMax).toList();
  }

  public void clear() {
    entries.clear();
  }

  /** How often something was denied for a reason. */
  public long count(Denial.Reason reason) {
    return counts[index(reason)];
  }

  /** CONFIG RESETSTAT. */
  public void resetCounts() {
    Arrays.fill(counts, 0);
  }

  @SuppressWarnings("EnumOrdinal") // lives as long as the process only
  private static int index(Denial.Reason reason) {
    return reason.ordinal();
  }
}
