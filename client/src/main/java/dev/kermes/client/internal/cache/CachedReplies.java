package dev.kermes.client.internal.cache;

import dev.kermes.client.internal.command.RequestKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Replies by request, as bytes, so that each reader decodes its own copy. Any thread reads without
 * a lock; only the event loop adds and removes, in the order of the server's messages.
 *
 * <p>When the cache is full, the oldest entry that has not been read since the last eviction round
 * is evicted (second chance).
 */
public final class CachedReplies {
  /** Roughly the memory of an entry besides its bytes. */
  private static final int ENTRY_BYTES = 200;

  /** One reply. */
  public static final class Entry {
    final RequestKey request;
    final byte[] reply;
    final long endNanos;
    final Object origin;
    final List<RequestKey> keys;

    /** Set by readers, cleared by the loop; racy by design. */
    boolean wasRead;

    /** Set before the write that outdated this entry is reported as ended. */
    volatile boolean isForgotten;

    Entry(RequestKey request, byte[] reply, long endNanos, Object origin, List<RequestKey> keys) {
      this.request = request;
      this.reply = reply;
      this.endNanos = endNanos;
      this.origin = origin;
      this.keys = keys;
    }

    /** The bytes of the reply, which are never changed. */
    public byte[] reply() {
      return reply;
    }

    long bytes() {
      return ENTRY_BYTES + (long) request.length() + reply.length;
    }
  }

  private final long bytesMax;
  private final OwnWrites writes;
  private final ConcurrentHashMap<RequestKey, Entry> entries = new ConcurrentHashMap<>();
  private final Map<RequestKey, Set<Entry>> byKey = new HashMap<>();
  private final ArrayDeque<Entry> evictionQueue = new ArrayDeque<>();
  private long bytes;

  public CachedReplies(long bytesMax, OwnWrites writes) {
    this.bytesMax = bytesMax;
    this.writes = writes;
  }

  /** The reply to {@code request}, or null. Any thread. */
  public @Nullable Entry find(RequestKey request) {
    Entry entry = entries.get(request);
    return entry != null && isCurrent(entry) ? entry : null;
  }

  /** Whether a reply that was found before may still be served. Any thread. */
  public boolean isCurrent(Entry entry) {
    if (entry.endNanos - System.nanoTime() <= 0) return false;
    if (writes.isWriting(entry.keys)) return false;
    if (entry.isForgotten) return false; // last: a write may have ended just before
    if (!entry.wasRead) entry.wasRead = true;
    return true;
  }

  /** The number of entries. Any thread. */
  public int size() {
    return entries.size();
  }

  // ---- on the loop

  /**
   * Keeps a reply.
   *
   * @param origin the connection that delivered it and will announce changes
   * @param keys the keys whose change outdates it
   */
  void add(RequestKey request, byte[] reply, long ttlNanos, Object origin, List<RequestKey> keys) {
    Entry entry = new Entry(request, reply, System.nanoTime() + ttlNanos, origin, keys);
    if (entry.bytes() > bytesMax) return;
    Entry before = entries.put(request, entry);
    if (before != null) forget(before);
    for (RequestKey key : keys) byKey.computeIfAbsent(key, any -> new HashSet<>()).add(entry);
    evictionQueue.add(entry);
    bytes += entry.bytes();
    while (bytes > bytesMax) evictOne();
  }

  private void evictOne() {
    Entry oldest = evictionQueue.remove();
    boolean isLive = !isGone(oldest);
    if (isLive && oldest.wasRead && oldest.endNanos - System.nanoTime() > 0) {
      oldest.wasRead = false;
      evictionQueue.add(oldest);
    } else if (isLive) {
      entries.remove(oldest.request);
      oldest.isForgotten = true;
      forgetKeys(oldest);
      bytes -= oldest.bytes();
    }
  }

  /** Removes the replies that depend on {@code key}, which has changed. */
  public void invalidate(RequestKey key) {
    Set<Entry> wrong = byKey.get(key);
    if (wrong == null) return;
    for (Entry entry : List.copyOf(wrong)) remove(entry);
  }

  /** Removes all replies. */
  public void invalidateAll() {
    for (Entry entry : new ArrayList<>(entries.values())) remove(entry);
  }

  /**
   * Removes the replies of one connection, which is lost or has announced that everything changed.
   */
  public void invalidateAll(Object origin) {
    for (Entry entry : new ArrayList<>(entries.values())) {
      if (entry.origin == origin) remove(entry);
    }
  }

  private void remove(Entry entry) {
    if (entries.remove(entry.request, entry)) forget(entry);
  }

  private void forget(Entry entry) {
    entry.isForgotten = true;
    forgetKeys(entry);
    bytes -= entry.bytes();
    if (evictionQueue.size() > 2 * entries.size() + 64) evictionQueue.removeIf(this::isGone);
  }

  private boolean isGone(Entry entry) {
    return entries.get(entry.request) != entry;
  }

  private void forgetKeys(Entry entry) {
    for (RequestKey key : entry.keys) {
      Set<Entry> others = byKey.get(key);
      if (others != null && others.remove(entry) && others.isEmpty()) byKey.remove(key);
    }
  }
}
