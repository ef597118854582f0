package dev.kermes.server.rdb;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.Slices;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.Producers;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads streams; see {@link StreamWriter}. Deleted entries are skipped. */
final class StreamReader {

  private static final Logger LOG = LoggerFactory.getLogger(StreamReader.class);

  private static final int DELETED = 1;
  private static final int SAME_FIELDS = 2;

  private final RdbInput in;
  private final int type;
  private final EncodingLimits limits;
  private final long nowMillis;
  private final boolean isTolerant;
  private final RedisStream stream = new RedisStream();

  /**
   * {@code isTolerant}: whether to accept a stream with a wrong length, which Redis 5 sometimes
   * wrote. The entries are counted anyway.
   */
  StreamReader(RdbInput in, int type, EncodingLimits limits, long nowMillis, boolean isTolerant) {
    this.in = in;
    this.type = type;
    this.limits = limits;
    this.nowMillis = nowMillis;
    this.isTolerant = isTolerant;
  }

  private static void check(boolean isSound, String message) {
    if (!isSound) throw new IllegalArgumentException(message);
  }

  RedisStream read() throws IOException {
    int blocks = in.getCount(1);
    for (int i = 0; i < blocks; i++) {
      byte[] base = in.getString();
      check(base.length == 16, "a stream's ID of a wrong length");
      StreamId id = new RdbInput(base, 0, base.length).getId();
      new Block(id, in.getPack()).addAll();
    }
    long size = in.getLength();
    check(size == stream.size() || isTolerant, "a stream's length that is not that of its entries");
    if (size != stream.size()) {
      LOG.warn("a stream whose length is wrong in the file: told={}, is={}", size, stream.size());
    }
    readCounters();
    int groups = in.getCount(4);
    for (int i = 0; i < groups; i++) readGroup();
    if (type >= RdbFormat.STREAM_LISTPACKS_4) readProducers();
    return stream;
  }

  private void readCounters() throws IOException {
    StreamId last = in.getLengths();
    check(!last.isBefore(stream.lastId()), "a stream's last ID that is not the last");
    long added = stream.size();
    StreamId maxDeleted = StreamId.MIN;
    if (type >= RdbFormat.STREAM_LISTPACKS_2) {
      StreamId unusedFirst = in.getLengths();
      maxDeleted = in.getLengths();
      added = in.getLength();
    }
    check(added >= stream.size(), "more entries in a stream than were added");
    stream.set(last, added, maxDeleted);
  }

  /** One pack of entries; see StreamBlock for its layout. */
  private final class Block {
    private final StreamId base;
    private final ListPack pack;
    private int at;

    Block(StreamId base, ListPack pack) {
      this.base = base;
      this.pack = pack;
      at = pack.first();
    }

    void addAll() {
      long live = integer();
      long deleted = integer();
      byte[][] fields = new byte[count()][];
      for (int i = 0; i < fields.length; i++) fields[i] = text();
      check(integer() == 0, "a block of a stream without its first entry's end");
      long seen = 0;
      while (at != ListPack.NONE) {
        if (!add(fields)) deleted--;
        else seen++;
      }
      check(seen == live && deleted == 0, "a block's counts that are not those of its entries");
    }

    /** Adds the next entry; false if it is a deleted one. */
    private boolean add(byte[][] sharedFields) {
      long flags = integer();
      check((flags & ~(DELETED | SAME_FIELDS)) == 0, "an entry with unknown flags");
      StreamId id = new StreamId(base.millis() + integer(), base.sequence() + integer());
      boolean same = (flags & SAME_FIELDS) != 0;
      int count = same ? sharedFields.length : count();
      byte[][] pairs = new byte[2 * count][];
      for (int i = 0; i < count; i++) {
        pairs[2 * i] = same ? sharedFields[i] : text();
        pairs[2 * i + 1] = text();
      }
      check(integer() == (same ? count + 3 : 2L * count + 4), "an entry of a wrong length");
      if ((flags & DELETED) != 0) return false;
      check(stream.size() == 0 || stream.lastId().isBefore(id), "entries out of order");
      stream.add(id, slices(pairs), limits);
      return true;
    }

    private int here() {
      check(at != ListPack.NONE, "a block of a stream that ends too early");
      return at;
    }

    private long integer() {
      check(pack.isInteger(here()), "text instead of a number");
      long value = pack.integer(at);
      at = pack.next(at);
      return value;
    }

    private int count() {
      long count = integer();
      check(count >= 0 && count <= pack.size(), "an impossible number of fields");
      return (int) count;
    }

    private byte[] text() {
      byte[] text = pack.get(here());
      at = pack.next(at);
      return text;
    }
  }

  private static Slices slices(byte[][] parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int[] offsets = new int[parts.length];
    int[] lengths = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      offsets[i] = all.size();
      lengths[i] = parts[i].length;
      all.writeBytes(parts[i]);
    }
    return new Slices(all.toByteArray(), offsets, lengths);
  }

  private void readGroup() throws IOException {
    byte[] name = in.getString();
    StreamId last = in.getLengths();
    long read = type >= RdbFormat.STREAM_LISTPACKS_2 ? in.getLength() : stream.entriesUpTo(last);
    check(read >= ConsumerGroup.UNKNOWN, "a group that has read a negative number");
    check(stream.addGroup(name, last, read), "the same group twice");
    ConsumerGroup group = stream.group(name);
    if (group == null) throw new IllegalStateException("a group was added and is not there");
    readPending(group);
    int consumers = in.getCount(9);
    for (int i = 0; i < consumers; i++) readConsumer(group);
    if (type >= RdbFormat.STREAM_LISTPACKS_5) readGivenBack(group);
    for (PendingEntry e = group.pending().first(); e != null; e = group.pending().after(e)) {
      boolean isOwned = e.consumer() != null || type >= RdbFormat.STREAM_LISTPACKS_5;
      check(isOwned, "a pending entry of no consumer");
    }
  }

  private void readPending(ConsumerGroup group) throws IOException {
    int count = in.getCount(25);
    for (int i = 0; i < count; i++) {
      StreamId id = in.getId();
      check(group.pending().find(id) == null, "the same entry pending twice");
      PendingEntry entry = group.add(id);
      group.deliveredAt(entry, in.getLong());
      entry.deliveries(in.getLength());
    }
  }

  private void readConsumer(ConsumerGroup group) throws IOException {
    byte[] name = in.getString();
    check(group.consumer(name) == null, "Duplicate stream consumer detected");
    long seen = in.getLong();
    Consumer consumer = group.addConsumer(name, seen);
    consumer.activeAtMillis(type >= RdbFormat.STREAM_LISTPACKS_3 ? in.getLong() : seen);
    int count = in.getCount(16);
    for (int i = 0; i < count; i++) {
      PendingEntry entry = pending(group, in.getId());
      check(entry.consumer() == null, "a pending entry of two consumers");
      group.assign(entry, consumer, entry.deliveredAtMillis());
    }
  }

  private void readGivenBack(ConsumerGroup group) throws IOException {
    int count = in.getCount(16);
    for (int i = 0; i < count; i++) {
      PendingEntry entry = pending(group, in.getId());
      check(entry.consumer() == null, "an entry given back that has a consumer");
      group.giveBack(entry);
    }
  }

  private static PendingEntry pending(ConsumerGroup group, StreamId id) {
    PendingEntry entry = group.pending().find(id);
    if (entry == null) throw new IllegalArgumentException("a consumer's entry is not the group's");
    return entry;
  }

  private void readProducers() throws IOException {
    Producers producers = stream.producers();
    long seconds = in.getLength();
    boolean unused = producers.limits(seconds, in.getLength());
    int count = in.getCount(2);
    for (int i = 0; i < count; i++) {
      byte[] pid = in.getString();
      int ids = in.getCount(3);
      for (int k = 0; k < ids; k++) {
        byte[] iid = in.getString();
        producers.add(pid, iid, in.getLengths(), nowMillis);
      }
    }
    long added = in.getLength();
    producers.counted(added, in.getLength());
  }
}
