package dev.kermes.server.data.stream;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries that idempotent producers added to a stream. For each producer: its last idempotent
 * IDs with the IDs of their entries, oldest first, up to a number and an age.
 *
 * <p>Producers are in the order of their last use, so that each addition finds the expired ones at
 * the start.
 */
public final class Producers {

  public static final long DURATION_SECONDS = 100;
  public static final long SIZE_MAX = 100;

  private final LinkedHashMap<Name, LinkedHashMap<Name, StreamId>> producers =
      new LinkedHashMap<>(16, 0.75f, true);
  private long durationSeconds = DURATION_SECONDS;
  private long sizeMax = SIZE_MAX;
  private long added;
  private long duplicates;

  Producers() {}

  Producers copy() {
    Producers copy = new Producers();
    producers.forEach((pid, ids) -> copy.producers.put(pid, new LinkedHashMap<>(ids)));
    copy.durationSeconds = durationSeconds;
    copy.sizeMax = sizeMax;
    copy.added = added;
    copy.duplicates = duplicates;
    return copy;
  }

  private record Name(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Name name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /** Whether no producer was ever added and no limit was changed. */
  boolean isUnused() {
    return added == 0 && durationSeconds == DURATION_SECONDS && sizeMax == SIZE_MAX;
  }

  public long durationSeconds() {
    return durationSeconds;
  }

  public long sizeMax() {
    return sizeMax;
  }

  /** Sets both limits; a change removes all producers. Returns whether anything changed. */
  public boolean limits(long seconds, long size) {
    if (seconds == durationSeconds && size == sizeMax) return false;
    durationSeconds = seconds;
    sizeMax = size;
    producers.clear();
    return true;
  }

  /** The ID of the entry that a producer has added with an idempotent ID, or null. */
  public @Nullable StreamId find(byte[] pid, byte[] iid, long nowMillis) {
    LinkedHashMap<Name, StreamId> ids = producers.get(new Name(pid));
    if (ids == null) return null;
    dropExpired(ids, nowMillis);
    return ids.get(new Name(iid));
  }

  /** Like {@link #find}, but counts a duplicate if there is an entry. */
  public @Nullable StreamId findDuplicate(byte[] pid, byte[] iid, long nowMillis) {
    StreamId id = find(pid, iid, nowMillis);
    if (id != null) duplicates++;
    return id;
  }

  /** Stores the ID of an entry. */
  public void add(byte[] pid, byte[] iid, StreamId id, long nowMillis) {
    dropExpiredProducers(nowMillis);
    LinkedHashMap<Name, StreamId> ids =
        producers.computeIfAbsent(new Name(pid), unused -> new LinkedHashMap<>());
    ids.put(new Name(iid), id);
    added++;
    if (ids.size() > sizeMax) ids.pollFirstEntry();
  }

  private void dropExpiredProducers(long nowMillis) {
    Iterator<LinkedHashMap<Name, StreamId>> oldest = producers.values().iterator();
    while (oldest.hasNext()) {
      LinkedHashMap<Name, StreamId> ids = oldest.next();
      dropExpired(ids, nowMillis);
      if (!ids.isEmpty()) return;
      oldest.remove();
    }
  }

  private void dropExpired(Map<Name, StreamId> ids, long nowMillis) {
    long expired = Math.max(0, nowMillis - durationSeconds * 1000);
    Iterator<StreamId> oldest = ids.values().iterator();
    while (oldest.hasNext() && Long.compareUnsigned(oldest.next().millis(), expired) <= 0) {
      oldest.remove();
    }
  }

  /** Receives the stored IDs, producer by producer, oldest first. */
  public interface Visitor {
    void producer(byte[] pid, int idCount);

    void entry(byte[] iid, StreamId id);
  }

  public void forEach(long nowMillis, Visitor visitor) {
    dropAllExpired(nowMillis);
    producers.forEach((pid, ids) -> {
      visitor.producer(pid.bytes(), ids.size());
      ids.forEach((iid, id) -> visitor.entry(iid.bytes(), id));
    });
  }

  /** Sets the counts of additions and duplicates. */
  public void counted(long addedEver, long duplicatesEver) {
    added = addedEver;
    duplicates = duplicatesEver;
  }

  /** The number of producers with stored IDs. */
  public int producerCount(long nowMillis) {
    dropAllExpired(nowMillis);
    return producers.size();
  }

  /** The number of stored idempotent IDs. */
  public long size(long nowMillis) {
    dropAllExpired(nowMillis);
    long size = 0;
    for (Map<Name, StreamId> ids : producers.values()) size += ids.size();
    return size;
  }

  private void dropAllExpired(long nowMillis) {
    for (LinkedHashMap<Name, StreamId> ids : producers.values()) dropExpired(ids, nowMillis);
    producers.values().removeIf(Map::isEmpty);
  }

  /** The number of idempotent IDs ever added. */
  public long added() {
    return added;
  }

  /** The number of additions that were skipped as duplicates. */
  public long duplicates() {
    return duplicates;
  }
}
