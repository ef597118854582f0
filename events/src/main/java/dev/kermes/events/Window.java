package dev.kermes.events;

import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The events that an owner has taken and not acknowledged, in the order of the stream. It knows the
 * floor: the id up to which every event has been acknowledged. One thread.
 */
final class Window {

  /** Whether each event has been acknowledged; none before the first that has not. */
  private final TreeMap<StreamId, Boolean> events = new TreeMap<>();

  private int open;

  void add(StreamId id) {
    if (events.put(id, false) == null) open++;
  }

  /** The number of events that have not been acknowledged. */
  int size() {
    return open;
  }

  /** Records that events are acknowledged; returns the new floor, or null if it is the same. */
  @Nullable StreamId acknowledge(Collection<StreamId> ids) {
    for (StreamId id : ids) if (Boolean.FALSE.equals(events.replace(id, true))) open--;
    StreamId floor = null;
    while (!events.isEmpty() && events.firstEntry().getValue()) {
      floor = events.pollFirstEntry().getKey();
    }
    return floor;
  }
}
