package dev.kermes.events;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The order per key. Of each key one event at a time is with handlers, and the others wait here, so
 * that an event begins only after the one before has ended for all handlers. An event that is to be
 * repeated by a later owner is never ended, and holds its key. Any thread.
 */
final class Lanes {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isReady = lock.newCondition();

  /** The events that wait, by key; a key that is here has an event that is ready or begun. */
  private final Map<String, Queue<Entry>> waiting = new HashMap<>();

  private final Queue<Entry> ready = new ArrayDeque<>();
  private boolean isClosed;

  /** Adds an event behind those of the same key. */
  void add(Entry entry) {
    lock.lock();
    try {
      Queue<Entry> lane = waiting.get(entry.key());
      if (lane != null) {
        lane.add(entry);
        return;
      }
      waiting.put(entry.key(), new ArrayDeque<>(0));
      makeReady(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an event that may begin; null if there will be none because of {@link #close}. */
  @Nullable Entry take() {
    lock.lock();
    try {
      while (ready.isEmpty() && !isClosed) isReady.awaitUninterruptibly();
      return isClosed ? null : ready.remove();
    } finally {
      lock.unlock();
    }
  }

  /** Records that the event of this key that had begun has ended; the next one is ready. */
  void ended(String key) {
    lock.lock();
    try {
      Queue<Entry> lane = waiting.get(key);
      if (lane == null) return;
      Entry next = lane.poll();
      if (next == null) waiting.remove(key);
      else makeReady(next);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a key whose event that had begun is parked; returns the events behind it. */
  List<Entry> remove(String key) {
    lock.lock();
    try {
      Queue<Entry> lane = waiting.remove(key);
      return lane == null ? List.of() : List.copyOf(lane);
    } finally {
      lock.unlock();
    }
  }

  /** Makes an event ready again that has begun; its key waits for it. */
  void again(Entry entry) {
    lock.lock();
    try {
      makeReady(entry);
    } finally {
      lock.unlock();
    }
  }

  private void makeReady(Entry entry) {
    ready.add(entry);
    isReady.signal();
  }

  void close() {
    lock.lock();
    try {
      isClosed = true;
      isReady.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
