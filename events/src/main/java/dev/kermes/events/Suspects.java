package dev.kermes.events;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Events whose start was counted before and that were not ended. One of them may have killed its
 * owners, so they begin one at a time: after the next death only one is to blame. Any thread.
 */
final class Suspects {

  private final Queue<Entry> waiting = new ArrayDeque<>();

  /** The one that has begun, or is about to. */
  private @Nullable StreamId begun;

  /** Whether an event may begin; if not, a later {@link #ended} returns it. */
  synchronized boolean mayBegin(Entry entry) {
    if (entry.starts() == 0) return true;
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
