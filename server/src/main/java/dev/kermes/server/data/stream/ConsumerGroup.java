package dev.kermes.server.data.stream;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream: the last ID that it has read, its consumers, and the entries that
 * they have not acknowledged. A pending entry is in three orders:
 *
 * <pre>
 *   pending            by ID, all of the group
 *   consumer.pending   by ID, those of its consumer; none if it was given back
 *   oldest ⇄ … ⇄ newest   by the time of delivery, those given back first
 * </pre>
 */
public final class ConsumerGroup {

  /** The number of entries read if it is unknown. */
  public static final long UNKNOWN = -1;

  private final byte[] name;
  private StreamId lastId;
  private long entriesRead;
  private final PendingEntries pending = new PendingEntries();
  private final TreeMap<byte[], Consumer> consumers = new TreeMap<>(Arrays::compareUnsigned);

  private @Nullable PendingEntry oldest;
  private @Nullable PendingEntry newest;
  private @Nullable PendingEntry lastGivenBack;

  ConsumerGroup(byte[] name, StreamId lastId, long entriesRead) {
    this.name = name;
    this.lastId = lastId;
    this.entriesRead = entriesRead;
  }

  ConsumerGroup copy() {
    ConsumerGroup copy = new ConsumerGroup(name, lastId, entriesRead);
    for (Consumer consumer : consumers.values()) {
      Consumer same = copy.addConsumer(consumer.name(), consumer.seenAtMillis());
      same.activeAtMillis(consumer.activeAtMillis());
    }
    for (PendingEntry entry = oldest; entry != null; entry = entry.later) {
      copy.addCopy(entry, entry == lastGivenBack);
    }
    return copy;
  }

  private void addCopy(PendingEntry original, boolean isLastGivenBack) {
    PendingEntry entry = new PendingEntry(original.id());
    entry.deliveries(original.deliveries());
    entry.deliveredAtMillis(original.deliveredAtMillis());
    pending.add(entry);
    linkAfter(newest, entry);
    if (isLastGivenBack) lastGivenBack = entry;
    Consumer owner = original.consumer;
    if (owner != null) give(entry, consumers.get(owner.name()));
  }

  public byte[] name() {
    return name;
  }

  /** The ID of the last entry that was delivered. */
  public StreamId lastId() {
    return lastId;
  }

  /** Moves the group, with the number of entries read up to there or {@link #UNKNOWN}. */
  public void lastId(StreamId id, long read) {
    lastId = id;
    entriesRead = read;
  }

  /** The number of entries of the stream that the group has read, or {@link #UNKNOWN}. */
  public long entriesRead() {
    return entriesRead;
  }

  /** Moves the group forward to an entry of the stream that it delivers. */
  public void advance(RedisStream stream, StreamId id) {
    boolean isCounted =
        entriesRead != UNKNOWN
            && !lastId.isBefore(stream.firstId())
            && !stream.hasDeletedFrom(lastId);
    long read = entriesRead;
    if (isCounted) read++;
    else if (stream.entriesAdded() > 0) read = stream.entriesUpTo(id);
    lastId(id, read);
  }

  /** The number of entries that the group has still to read, or {@link #UNKNOWN}. */
  public long lag(RedisStream stream) {
    if (stream.entriesAdded() == 0 || stream.size() == 0) return 0;
    StreamId first = stream.firstId();
    if (lastId.isBefore(first) && stream.maxDeletedId().isBefore(first)) return stream.size();
    boolean isCounted = entriesRead != UNKNOWN && !stream.hasDeletedFrom(lastId);
    long read = isCounted ? entriesRead : stream.entriesUpTo(lastId);
    return read == UNKNOWN ? UNKNOWN : stream.entriesAdded() - read;
  }

  // Consumers

  public Collection<Consumer> consumers() {
    return consumers.values();
  }

  public @Nullable Consumer consumer(byte[] consumerName) {
    return consumers.get(consumerName);
  }

  /** Adds a consumer, whose name must not exist yet. */
  public Consumer addConsumer(byte[] consumerName, long nowMillis) {
    Consumer consumer = new Consumer(consumerName, nowMillis);
    consumers.put(consumerName, consumer);
    return consumer;
  }

  /** Removes a consumer and its pending entries. */
  public void removeConsumer(Consumer consumer) {
    PendingEntry entry = consumer.pending().first();
    while (entry != null) {
      remove(entry);
      entry = consumer.pending().first();
    }
    consumers.remove(consumer.name());
  }

  // Pending entries

  /** The pending entries by ID. */
  public PendingEntries pending() {
    return pending;
  }

  /** The pending entry that was delivered first, those given back before all others; or null. */
  public @Nullable PendingEntry oldest() {
    return oldest;
  }

  public @Nullable PendingEntry newest() {
    return newest;
  }

  /** The next entry in the order of {@link #oldest}, or null. */
  public @Nullable PendingEntry later(PendingEntry entry) {
    return entry.later;
  }

  /** The number of entries that were given back. */
  public long givenBack() {
    if (lastGivenBack == null) return 0;
    long count = 1;
    for (PendingEntry e = oldest; e != null && e != lastGivenBack; e = e.later) count++;
    return count;
  }

  /** Delivers an entry for the first time, or again after the group was set back. */
  public PendingEntry deliver(StreamId id, Consumer consumer, long nowMillis) {
    PendingEntry entry = pending.find(id);
    if (entry == null) entry = add(id);
    assign(entry, consumer, nowMillis);
    entry.deliveries(1);
    return entry;
  }

  /** Adds a pending entry without a consumer; the caller must assign it or give it back. */
  public PendingEntry add(StreamId id) {
    PendingEntry entry = new PendingEntry(id);
    pending.add(entry);
    linkAfter(newest, entry);
    return entry;
  }

  /** Gives a pending entry to a consumer as of a time. */
  public void assign(PendingEntry entry, Consumer consumer, long deliveredAtMillis) {
    deliveredAt(entry, deliveredAtMillis);
    if (entry.consumer != consumer) give(entry, consumer);
  }

  /** Sets the time when a pending entry was delivered. */
  public void deliveredAt(PendingEntry entry, long unixMillis) {
    unlink(entry);
    entry.deliveredAtMillis(unixMillis);
    PendingEntry before = newest;
    while (before != null
        && before != lastGivenBack
        && before.deliveredAtMillis() > entry.deliveredAtMillis()) {
      before = before.earlier;
    }
    linkAfter(before, entry);
  }

  /**
   * Takes a pending entry from its consumer; entries given back are the first that others may
   * claim.
   */
  public void giveBack(PendingEntry entry) {
    give(entry, null);
    unlink(entry);
    entry.deliveredAtMillis(0);
    linkAfter(lastGivenBack, entry);
    lastGivenBack = entry;
  }

  private static void give(PendingEntry entry, @Nullable Consumer consumer) {
    if (entry.consumer != null) entry.consumer.pending().remove(entry);
    entry.consumer = consumer;
    if (consumer != null) consumer.pending().add(entry);
  }

  /** Acknowledges an ID; returns whether it was pending. */
  public boolean acknowledge(StreamId id) {
    PendingEntry entry = pending.find(id);
    if (entry == null) return false;
    remove(entry);
    return true;
  }

  /** Removes a pending entry. */
  public void remove(PendingEntry entry) {
    give(entry, null);
    pending.remove(entry);
    unlink(entry);
  }

  private void linkAfter(@Nullable PendingEntry before, PendingEntry entry) {
    PendingEntry after = before == null ? oldest : before.later;
    entry.earlier = before;
    entry.later = after;
    if (before == null) oldest = entry;
    else before.later = entry;
    if (after == null) newest = entry;
    else after.earlier = entry;
  }

  private void unlink(PendingEntry entry) {
    if (entry == lastGivenBack) lastGivenBack = entry.earlier;
    if (entry.earlier == null) oldest = entry.later;
    else entry.earlier.later = entry.later;
    if (entry.later == null) newest = entry.earlier;
    else entry.later.earlier = entry.earlier;
    entry.earlier = null;
    entry.later = null;
  }
}
