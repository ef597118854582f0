package dev.kermes.events;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events that a partition's owner has taken.
 *
 * @param nowMillis the server's time
 * @param dueMillis when the next delayed event is due, by the server's time; 0 if there is none, or
 *     if it is not known
 */
record Taken(long nowMillis, long dueMillis, List<Entry> entries) {

  /** The result of {@link Scripts#FETCH}. */
  static Taken fetched(List<@Nullable Object> reply) {
    String due = Entry.text(reply.get(1));
    long dueMillis = due.isEmpty() ? 0 : (long) Double.parseDouble(due);
    return new Taken(now(reply), dueMillis, entries(reply.get(2), List.of()));
  }

  /** The result of {@link Scripts#PENDING}. */
  static Taken pending(List<@Nullable Object> reply) {
    return new Taken(now(reply), 0, entries(reply.get(1), (List<?>) reply.get(2)));
  }

  private static long now(List<@Nullable Object> reply) {
    return Long.parseLong(Entry.text(reply.getFirst()));
  }

  private static List<Entry> entries(@Nullable Object raw, @Nullable List<?> counts) {
    List<Entry> entries = new ArrayList<>();
    if (raw == null) return entries;
    for (Object each : (List<?>) raw) {
      List<?> pair = (List<?>) each;
      int index = entries.size();
      int attempt = counts == null || index >= counts.size() ? 1 : attempt(counts.get(index));
      entries.add(Entry.of(Entry.text(pair.getFirst()), (List<?>) pair.get(1), attempt));
    }
    return entries;
  }

  private static int attempt(@Nullable Object count) {
    return count instanceof Long number ? Math.clamp(number, 1, Integer.MAX_VALUE) : 1;
  }
}
