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
 * @param last the last event that was read; null if none was
 * @param read how many events were read; those of parked keys are not among the entries
 */
record Taken(
    long nowMillis, long dueMillis, @Nullable StreamId last, int read, List<Entry> entries) {

  /** The result of {@link Scripts#FETCH}. */
  static Taken fetched(List<@Nullable Object> reply) {
    List<Entry> entries = new ArrayList<>();
    for (Object each : list(reply.get(3))) entries.add(entry((List<?>) each, 1));
    return of(reply, time(reply.get(4)), entries);
  }

  /** The result of {@link Scripts#PENDING}; those up to an id are of an earlier owner. */
  static Taken pending(List<@Nullable Object> reply, StreamId ofEarlierOwners) {
    List<?> counts = list(reply.get(4));
    List<?> starts = list(reply.get(5));
    List<?> counted = list(reply.get(6));
    List<Entry> entries = new ArrayList<>();
    for (Object each : list(reply.get(3))) {
      int index = entries.size();
      int attempt = index < counts.size() ? Math.max(1, count(counts.get(index))) : 1;
      Entry entry = entry((List<?>) each, attempt);
      if (entry.id().compareTo(ofEarlierOwners) <= 0) {
        entry = entry.ofEarlierOwner(number(starts.get(index)));
        if (count(counted.get(index)) > 0) entry = entry.counted();
      }
      entries.add(entry);
    }
    return of(reply, 0, entries);
  }

  private static Taken of(List<@Nullable Object> reply, long dueMillis, List<Entry> entries) {
    String last = Entry.text(reply.get(1));
    return new Taken(
        Long.parseLong(Entry.text(reply.getFirst())),
        dueMillis,
        last.isEmpty() ? null : StreamId.parse(last),
        count(reply.get(2)),
        entries);
  }

  private static Entry entry(List<?> pair, int attempt) {
    return Entry.of(Entry.text(pair.getFirst()), (List<?>) pair.get(1), attempt);
  }

  private static List<?> list(@Nullable Object raw) {
    return raw == null ? List.of() : (List<?>) raw;
  }

  private static int count(@Nullable Object reply) {
    return reply instanceof Long number ? Math.clamp(number, 0, Integer.MAX_VALUE) : 0;
  }

  private static int number(@Nullable Object digits) {
    String text = Entry.text(digits);
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  /** A time in milliseconds, which may be the score of a sorted set; 0 for an empty text. */
  static long time(@Nullable Object bulk) {
    String text = Entry.text(bulk);
    return text.isEmpty() ? 0 : (long) Double.parseDouble(text);
  }
}
