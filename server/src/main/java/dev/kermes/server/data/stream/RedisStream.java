package dev.kermes.server.data.stream;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.Ring;
import dev.kermes.server.data.Slices;
import dev.kermes.server.data.Value;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream: an append-only log of entries by ID, as a {@link Ring} of {@link StreamBlock}s, each
 * within stream-node-max-bytes and -entries. A block is found by binary search for its base ID.
 *
 * <pre>
 *   |block 1-0: entries| |block 7-3: entries| |block 9-0: entries|
 * </pre>
 *
 * An empty stream keeps its key, since its last ID still matters.
 */
public final class RedisStream extends Value {

  /** The most bytes of one entry. */
  public static final long ENTRY_LENGTH_MAX = 1 << 29;

  private final Ring<StreamBlock> blocks = new Ring<>();
  private long size;
  private long entriesAdded;
  private StreamId lastId = StreamId.MIN;
  private StreamId maxDeletedId = StreamId.MIN;

  /** The ID of the first entry; null if it has to be looked up. */
  private @Nullable StreamId firstId = StreamId.MIN;

  /** By name; null as long as there was none. */
  private @Nullable TreeMap<byte[], ConsumerGroup> groups;

  private @Nullable Producers producers;

  public RedisStream() {}

  private RedisStream(RedisStream other) {
    for (int i = 0; i < other.blocks.size(); i++) blocks.add(other.blocks.get(i).copy());
    size = other.size;
    entriesAdded = other.entriesAdded;
    lastId = other.lastId;
    maxDeletedId = other.maxDeletedId;
    firstId = other.firstId;
    for (ConsumerGroup group : other.groups()) put(group.copy());
    producers = other.producers == null ? null : other.producers.copy();
  }

  @Override
  public String type() {
    return "stream";
  }

  @Override
  public String encoding() {
    return "stream";
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long contentBytes() {
    return 64 + blocks.heapBytes(StreamBlock::heapBytes);
  }

  @Override
  public RedisStream copy() {
    return new RedisStream(this);
  }

  /** The highest ID ever added. */
  public StreamId lastId() {
    return lastId;
  }

  /** The highest ID ever deleted. */
  public StreamId maxDeletedId() {
    return maxDeletedId;
  }

  /** The number of entries ever added. */
  public long entriesAdded() {
    return entriesAdded;
  }

  /** XSETID: sets the last ID, and the other two unless they are null. */
  public void set(StreamId last, @Nullable Long added, @Nullable StreamId maxDeleted) {
    lastId = last;
    if (added != null) entriesAdded = added;
    if (maxDeleted != null) maxDeletedId = maxDeleted;
  }

  /** The ID of the first entry, 0-0 if there is none. */
  public StreamId firstId() {
    if (firstId == null) {
      Entries entries = entries(StreamId.MIN, StreamId.MAX, false);
      firstId = size > 0 && entries.next() ? entries.id() : StreamId.MIN;
    }
    return firstId;
  }

  /** The ID of the last entry that still exists, 0-0 if there is none. */
  public StreamId lastEntryId() {
    Entries entries = entries(StreamId.MIN, StreamId.MAX, true);
    return size > 0 && entries.next() ? entries.id() : StreamId.MIN;
  }

  /** The number of blocks, which Redis shows as the keys of its radix tree. */
  public int blockCount() {
    return blocks.size();
  }

  /** Visits one of the blocks, laid out as in Redis; it must not be changed. */
  public void visitBlock(int index, BiConsumer<StreamId, ListPack> visitor) {
    visitor.accept(blocks.get(index).base(), blocks.get(index).pack());
  }

  /** Appends an entry; its ID must be greater than {@link #lastId}. */
  public void add(StreamId id, Slices fieldsAndValues, EncodingLimits limits) {
    if (blocks.size() == 0 || blocks.last().isFull(fieldsAndValues.totalLength(), limits)) {
      if (blocks.size() > 0) blocks.last().trim();
      blocks.add(new StreamBlock(id, fieldsAndValues));
    }
    blocks.last().append(id, fieldsAndValues);
    if (size == 0) firstId = id;
    lastId = id;
    entriesAdded++;
    size++;
  }

  /** Whether there is an entry with that ID. */
  public boolean contains(StreamId id) {
    return size > 0 && entries(id, id, false).next();
  }

  /** Deletes an entry; returns whether it existed. */
  public boolean remove(StreamId id) {
    if (size == 0) return false;
    Entries entries = entries(id, id, false);
    if (!entries.next()) return false;
    entries.delete();
    if (maxDeletedId.isBefore(id)) maxDeletedId = id;
    return true;
  }

  /** Deletes the oldest entries; returns their number. */
  public long trim(StreamTrim trim) {
    boolean keepsReferences = trim.references() == StreamReferences.KEEPREF;
    long deleted = 0;
    int block = 0;
    while (block < blocks.size() && (trim.minId() != null || size > trim.length())) {
      int entries = blocks.get(block).live();
      if (trim.limit() > 0 && deleted + entries > trim.limit()) break;
      boolean isWhole = mayGoWhole(block, trim);
      if (isWhole && keepsReferences) {
        dropBlock(block);
        deleted += entries;
        continue;
      }
      if (trim.wholeBlocks() && keepsReferences) break;
      int blocksBefore = blocks.size();
      deleted += trimWithin(block, trim);
      if (!isWhole) break;
      if (blocks.size() == blocksBefore) block++;
    }
    if (deleted > 0) firstId = null;
    return deleted;
  }

  private boolean mayGoWhole(int block, StreamTrim trim) {
    StreamId minId = trim.minId();
    if (minId == null) return size - blocks.get(block).live() >= trim.length();
    StreamBlock.Reader reader = blocks.get(block).new Reader();
    return reader.previous() && reader.id().isBefore(minId);
  }

  private void dropBlock(int block) {
    size -= blocks.get(block).live();
    blocks.remove(block);
  }

  /** Deletes the entries of one block that the trim removes; returns their number. */
  private long trimWithin(int block, StreamTrim trim) {
    StreamBlock within = blocks.get(block);
    Entries entries = new Entries(block);
    long deleted = 0;
    while (within.live() > 0 && entries.next() && entries.isIn(within)) {
      StreamId id = entries.id();
      StreamId minId = trim.minId();
      if (minId == null ? size <= trim.length() : !id.isBefore(minId)) break;
      if (!release(id, trim.references())) continue;
      entries.delete();
      deleted++;
    }
    return deleted;
  }

  // Consumer groups

  /** The groups, by name. */
  public Collection<ConsumerGroup> groups() {
    return groups == null ? List.of() : groups.values();
  }

  public @Nullable ConsumerGroup group(byte[] name) {
    return groups == null ? null : groups.get(name);
  }

  /** Adds a group; false if there is already one with that name. */
  public boolean addGroup(byte[] name, StreamId last, long entriesRead) {
    if (group(name) != null) return false;
    long read = Math.min(entriesRead, entriesAdded);
    put(new ConsumerGroup(name, last, read));
    return true;
  }

  private void put(ConsumerGroup group) {
    if (groups == null) groups = new TreeMap<>(Arrays::compareUnsigned);
    groups.put(group.name(), group);
  }

  public void removeGroup(ConsumerGroup group) {
    if (groups != null) groups.remove(group.name());
  }

  /** Handles the groups' references to an entry before its deletion; false if it has to stay. */
  public boolean release(StreamId id, StreamReferences references) {
    switch (references) {
      case KEEPREF -> {}
      case DELREF -> {
        for (ConsumerGroup group : groups()) group.acknowledge(id);
      }
      case ACKED -> {
        for (ConsumerGroup group : groups()) {
          if (group.lastId().isBefore(id) || group.pending().find(id) != null) return false;
        }
      }
    }
    return true;
  }

  /** Whether an entry with that ID or a higher one was deleted other than by trimming. */
  boolean hasDeletedFrom(StreamId id) {
    boolean hasDeleted = size > 0 && !maxDeletedId.equals(StreamId.MIN);
    return hasDeleted && !maxDeletedId.isBefore(id);
  }

  /** The number of entries ever added up to an ID, or {@link ConsumerGroup#UNKNOWN}. */
  public long entriesUpTo(StreamId id) {
    if (entriesAdded == 0) return 0;
    if (size == 0 && !lastId.isBefore(id)) return entriesAdded;
    boolean isFragmented = !id.equals(StreamId.MIN) && id.isBefore(maxDeletedId);
    if (isFragmented) return ConsumerGroup.UNKNOWN;
    if (id.equals(lastId)) return entriesAdded;
    if (lastId.isBefore(id)) return ConsumerGroup.UNKNOWN;
    StreamId first = firstId();
    if (!maxDeletedId.equals(StreamId.MIN) && !maxDeletedId.isBefore(first)) {
      return ConsumerGroup.UNKNOWN;
    }
    if (id.isBefore(first)) return entriesAdded - size;
    return id.equals(first) ? entriesAdded - size + 1 : ConsumerGroup.UNKNOWN;
  }

  /** Whether there is any state of idempotent producers. */
  public boolean hasProducers() {
    return producers != null && !producers.isUnused();
  }

  /** The state of idempotent producers. */
  public Producers producers() {
    if (producers == null) producers = new Producers();
    return producers;
  }

  // Reading

  /** The entries from {@code start} to {@code end}, both included; {@code reverse}: backwards. */
  public Entries entries(StreamId start, StreamId end, boolean reverse) {
    return new Entries(start, end, reverse);
  }

  /** The last block whose base is not after the ID; the first one if there is none. */
  private int blockOf(StreamId id) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (id.isBefore(blocks.get(middle).base())) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /** A walk over the entries of a range; the stream must not be changed except through it. */
  public final class Entries {

    private final StreamId start;
    private final StreamId end;
    private final boolean reverse;
    private int block;
    private StreamBlock.@Nullable Reader reader;

    private Entries(StreamId start, StreamId end, boolean reverse) {
      this.start = start;
      this.end = end;
      this.reverse = reverse;
      this.block = blockOf(reverse ? end : start);
      if (blocks.size() > 0) reader = blocks.get(block).new Reader();
    }

    /** A walk forwards from the start of a block. */
    private Entries(int block) {
      start = StreamId.MIN;
      end = StreamId.MAX;
      reverse = false;
      this.block = block;
      reader = blocks.get(block).new Reader();
    }

    private boolean isIn(StreamBlock other) {
      return blocks.get(block) == other;
    }

    /** Moves to the next entry of the range; returns false if there is none. */
    public boolean next() {
      while (step()) {
        StreamId id = reader().id();
        if (reverse ? id.isBefore(start) : end.isBefore(id)) return false;
        boolean notYet = reverse ? end.isBefore(id) : id.isBefore(start);
        if (!notYet && !reader().isDeleted()) return true;
      }
      return false;
    }

    /**
     * Moves to the entry with an ID, in or out of the range; returns whether there is one. A higher
     * ID in the same block is found from the current entry on.
     */
    public boolean moveTo(StreamId id) {
      if (reader == null) return false;
      int its = blockOf(id);
      StreamBlock.Reader there = reader();
      if (its != block || id.isBefore(there.id())) {
        block = its;
        there = blocks.get(its).new Reader();
        reader = there;
      }
      while (there.id().isBefore(id)) if (!there.next()) return false;
      return there.isOnEntry() && there.id().equals(id) && !there.isDeleted();
    }

    private boolean step() {
      if (reader == null) return false;
      while (!(reverse ? reader.previous() : reader.next())) {
        int following = reverse ? block - 1 : block + 1;
        if (following < 0 || following >= blocks.size()) return false;
        block = following;
        reader = blocks.get(block).new Reader();
      }
      return true;
    }

    private StreamBlock.Reader reader() {
      StreamBlock.Reader there = reader;
      if (there == null) throw new IllegalStateException("on no entry of the stream");
      return there;
    }

    public StreamId id() {
      return reader().id();
    }

    /** Writes the entry's fields and values as one array. */
    public void writeFields(RespWriter out) {
      reader().writeFields(out);
    }

    /** Deletes the current entry of a forward walk. */
    private void delete() {
      if (id().equals(firstId)) firstId = null;
      reader().delete();
      size--;
      if (blocks.get(block).live() > 0) return;
      blocks.remove(block);
      reader = block < blocks.size() ? blocks.get(block).new Reader() : null;
    }
  }
}
