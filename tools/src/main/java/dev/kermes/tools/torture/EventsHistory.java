package dev.kermes.tools.torture;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The events of all keys: emitted, lost to a FLUSHALL, handled. The events of a key are the numbers
 * from 0. Those that one owner has handled are consecutive, and the next owner, which has a greater
 * token, begins at most one behind the highest so far: {@code 0 1 2 | 1 2 3}, never {@code 0 2}.
 * Any thread.
 */
final class EventsHistory {

  /** Consecutive numbers, both ends included. */
  private record Run(int first, int last) {
    @Override
    public String toString() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }

  private static final class Key {
    private int emitted;
    private int flushed;
    private final BitSet handled = new BitSet();
    private final TreeMap<Long, List<Run>> byToken = new TreeMap<>();

    private int missing() {
      int from = Math.min(flushed, emitted);
      return emitted - from - handled.get(from, emitted).cardinality();
    }

    private void handled(int number, long token) {
      handled.set(number);
      List<Run> runs = byToken.computeIfAbsent(token, absent -> new ArrayList<>());
      Run latest = runs.isEmpty() ? null : runs.getLast();
      if (latest == null || number != latest.last() + 1) runs.add(new Run(number, number));
      else runs.set(runs.size() - 1, new Run(latest.first(), number));
    }
  }

  private final List<Key> keys = new ArrayList<>();
  private long handled;

  EventsHistory(int count) {
    for (int i = 0; i < count; i++) keys.add(new Key());
  }

  /** Records that the server has stored an event. */
  synchronized void emitted(int key, int number) {
    keys.get(key).emitted = number + 1;
  }

  /** Records that the server has lost its data; the event after the last one may be lost, too. */
  synchronized void flushed() {
    for (Key key : keys) key.flushed = key.emitted + 1;
  }

  synchronized void handled(int key, int number, long token) {
    keys.get(key).handled(number, token);
    handled++;
  }

  synchronized boolean isHandled(int key, int number) {
    return keys.get(key).handled.get(number);
  }

  /** The number behind the one that is being emitted, of each key. */
  synchronized int[] next() {
    return keys.stream().mapToInt(key -> key.emitted + 1).toArray();
  }

  synchronized long emitted() {
    return keys.stream().mapToLong(key -> key.emitted).sum();
  }

  /** How many events were handled once more. */
  synchronized long repeated() {
    return handled - keys.stream().mapToLong(key -> key.handled.cardinality()).sum();
  }

  /** How many events were stored, not flushed, and not handled. */
  synchronized long missing() {
    return keys.stream().mapToLong(Key::missing).sum();
  }

  /** The keys whose order was broken, with what was handled. */
  synchronized List<String> disorder() {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (!isOrdered(keys.get(i))) found.add("key " + i + ": " + keys.get(i).byToken);
    }
    return found;
  }

  private static boolean isOrdered(Key key) {
    int highest = -1;
    for (List<Run> ofOwner : key.byToken.values()) {
      int last = -1;
      for (Run run : ofOwner) {
        boolean isNext = last < 0 && run.first() <= highest + 1;
        int from = last < 0 ? highest : last;
        boolean isAfterFlush = run.first() > from && run.first() <= key.flushed;
        if (!isNext && !isAfterFlush) return false;
        last = run.last();
        highest = Math.max(highest, last);
      }
    }
    return true;
  }
}
