package dev.kermes.client.internal.cache;

import dev.kermes.client.ReadCache;
import dev.kermes.client.internal.command.RequestKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The writes sent through a {@link ReadCache}, tracked so that a caller never reads an older value
 * after its own write. While a write is under way, replies that depend on its keys are neither
 * cached nor served. A reply to a read that was sent before the write ended is not cached either:
 *
 * <pre>
 *   read    sent ----------------------------------------> reply: older than the write, dropped
 *   write             begin ----------------> end
 *   reads there        |  all ask the server  |  reads sent from here on see the write
 * </pre>
 *
 * <p>A write without keys counts as a write of all keys. Begun on any thread; ended on the event
 * loop, which also owns the readings.
 */
public final class OwnWrites {
  /** With more keys than this, a write counts as a write of all keys. */
  private static final int ENDED_MAX = 10_000;

  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger underWayOfAll = new AtomicInteger();
  private final ConcurrentHashMap<RequestKey, Integer> underWayByKey = new ConcurrentHashMap<>();

  // ---- the loop's

  private final Map<RequestKey, Long> endedByKey = new HashMap<>();
  private long endedOfAll;
  private long ends;
  private int readings;

  /** Notes that a write of {@code keys} is about to be sent. Any thread. */
  public void begin(List<RequestKey> keys) {
    if (keys.isEmpty()) underWayOfAll.getAndIncrement();
    for (RequestKey key : keys) underWayByKey.merge(key, 1, Integer::sum);
    underWay.getAndIncrement();
  }

  /** Whether a write of one of {@code keys} is under way. Any thread. */
  boolean isWriting(List<RequestKey> keys) {
    if (underWay.get() == 0) return false;
    if (underWayOfAll.get() > 0) return true;
    for (RequestKey key : keys) if (underWayByKey.containsKey(key)) return true;
    return false;
  }

  /** Notes the end of a write, after the cached replies of its keys have been removed. */
  public void end(List<RequestKey> keys) {
    ends++;
    if (keys.isEmpty() || endedByKey.size() >= ENDED_MAX) endedOfAll = ends;
    if (readings > 0) for (RequestKey key : keys) endedByKey.put(key, ends);
    if (endedOfAll == ends) endedByKey.clear();
    underWay.getAndDecrement();
    for (RequestKey key : keys) {
      underWayByKey.computeIfPresent(key, (any, count) -> count == 1 ? null : count - 1);
    }
    if (keys.isEmpty()) underWayOfAll.getAndDecrement();
  }

  /** Notes that a read is about to be sent, and returns its number. */
  long beginReading() {
    readings++;
    return ends;
  }

  /** Whether the reply to the read of {@code keys} with this number may be older than a write. */
  boolean mayBeOutdated(long reading, List<RequestKey> keys) {
    if (endedOfAll > reading || isWriting(keys)) return true;
    for (RequestKey key : keys) if (endedByKey.getOrDefault(key, 0L) > reading) return true;
    return false;
  }

  /** Notes the end of a read, with or without a reply. */
  public void endReading() {
    readings--;
    if (readings == 0) endedByKey.clear();
  }
}
