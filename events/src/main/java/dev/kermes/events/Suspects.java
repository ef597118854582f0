package dev.kermes.events;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Events that several owners began and none ended. One of them may have killed its owners, so they
 * begin one at a time: after the next death only one is to blame. Any thread.
 */
final class Suspects {

  /**
   * An event is suspected after two counted starts, that is when three owners did not end it. After
   * one, two faults in a row would have made suspects of a whole batch, which takes a second and
   * more when each has to be counted and ended before the next.
   */
  private static final int SUSPECTED_FROM = 2;

  private final int suspectedFrom;

  private final Queue<Entry> waiting = new ArrayDeque<>();

  /** The one that has begun, or is about to. */
  private @Nullable StreamId begun;

  /** For events that are dead letters after this many starts; one of them is always suspected. */
  Suspects(int startsMax) {
    suspectedFrom = Math.clamp(startsMax - 2L, 1, SUSPECTED_FROM);
  }

  /** Whether an event may begin; if not, a later {@link #ended} returns it. */
  synchronized boolean mayBegin(Entry entry) {
    if (entry.starts() < suspectedFrom) return true;
    if (begun == null) begun = entry.id();
    else waiting.add(entry);
    return entry.id().equals(begun);
  }

  /** Records the end of any event; returns the suspect that may begin now, or null. */
  synchronized @Nullable Entry ended(Entry entry) {
    if (!entry.id().equals(begun)) return null;
    Entry next = waiting.poll();
    begun = next == null ? null : next.id();
    return next;
  }
}
