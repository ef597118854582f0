package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import org.jspecify.annotations.Nullable;

/**
 * A stream: an append-only log of entries by ID, as a {@link Ring} of {@link StreamBlock}s, each
 * within stream-node-max-bytes and -entries. A block is found by binary search for its base ID.
 *
 * <pre>
 *   |block 1-0: entries| |block 7-3: entries| |block 9-0: entries|
 * </pre>
 *
 * An empty stream keeps its key, since its last ID still counts.
 */
public final class RedisStream extends Value {

  /** Bytes of one entry at most. */
  public static final long ENTRY_LENGTH_MAX = 1 << 29;

  private final Ring<StreamBlock> blocks = new Ring<>();
  private long size;
  private long entriesAdded;
  private StreamId lastId = StreamId.MIN;
  private StreamId maxDeletedId = StreamId.MIN;

  public RedisStream() {}

  private RedisStream(RedisStream other) {
    for (int i = 0; i < other.blocks.size(); i++) blocks.add(other.blocks.get(i).copy());
    size = other.size;
    entriesAdded = other.entriesAdded;
    lastId = other.lastId;
    maxDeletedId = other.maxDeletedId;
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

  /** Entries ever added. */
  public long entriesAdded() {
    return entriesAdded;
  }

  /** Appends an entry; its ID must be greater than {@link #lastId}. */
  public void add(StreamId id, Slices fieldsAndValues, EncodingLimits limits) {
    if (blocks.size() == 0 || blocks.last().isFull(fieldsAndValues.totalLength(), limits)) {
      if (blocks.size() > 0) blocks.last().trim();
      blocks.add(new StreamBlock(id, fieldsAndValues));
    }
    blocks.last().append(id, fieldsAndValues);
    lastId = id;
    entriesAdded++;
    size++;
  }

  /** Deletes an entry; replies whether it was there. */
  public boolean remove(StreamId id) {
    Entries entries = entries(id, id, false);
    if (!entries.next()) return false;
    entries.delete();
    if (maxDeletedId.isBefore(id)) maxDeletedId = id;
    return true;
  }

  /**
   * Deletes the oldest entries beyond {@code length}. With {@code wholeBlocks} only whole blocks,
   * and at most {@code limit} entries if that is not 0. Returns how many.
   */
  public long trimToLength(long length, boolean wholeBlocks, long limit) {
    long deleted = 0;
    while (size > length) {
      int entries = blocks.first().live();
      if (limit > 0 && deleted + entries > limit) break;
      if (size - entries < length) {
        return wholeBlocks ? deleted : deleted + deleteFirst(size - length);
      }
      dropFirstBlock();
      deleted += entries;
    }
    return deleted;
  }

  /** Deletes the entries before {@code minId}; see {@link #trimToLength}. */
  public long trimToMinId(StreamId minId, boolean wholeBlocks, long limit) {
    long deleted = 0;
    while (blocks.size() > 0) {
      int entries = blocks.first().live();
      if (limit > 0 && deleted + entries > limit) break;
      if (!firstBlockEndsBefore(minId)) {
        return wholeBlocks ? deleted : deleted + deleteBefore(minId);
      }
      dropFirstBlock();
      deleted += entries;
    }
    return deleted;
  }

  private boolean firstBlockEndsBefore(StreamId id) {
    StreamBlock.Reader reader = blocks.first().new Reader();
    return reader.previous() && reader.id().isBefore(id);
  }

  private void dropFirstBlock() {
    size -= blocks.first().live();
    blocks.remove(0);
  }

  private long deleteFirst(long count) {
    Entries entries = entries(StreamId.MIN, StreamId.MAX, false);
    long deleted = 0;
    while (deleted < count && entries.next()) {
      entries.delete();
      deleted++;
    }
    return deleted;
  }

  private long deleteBefore(StreamId id) {
    if (id.equals(StreamId.MIN)) return 0;
    Entries entries = entries(StreamId.MIN, id.previous(), false);
    long deleted = 0;
    while (entries.next()) {
      entries.delete();
      deleted++;
    }
    return deleted;
  }

  /** The entries from {@code start} to {@code end}, both included; {@code reverse}: backwards. */
  public Entries entries(StreamId start, StreamId end, boolean reverse) {
    return new Entries(start, end, reverse);
  }

  /** The last block whose base is not after the ID; the first one if none is. */
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

  /** A walk over entries of a range; the stream must not be changed but through it. */
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

    /** Goes to the next entry of the range; replies false when there is none. */
    public boolean next() {
      while (step()) {
        StreamId id = reader().id();
        if (reverse ? id.isBefore(start) : end.isBefore(id)) return false;
        boolean notYet = reverse ? end.isBefore(id) : id.isBefore(start);
        if (!notYet && !reader().isDeleted()) return true;
      }
      return false;
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

    /** Deletes the entry here, of a forward walk. */
    private void delete() {
      reader().delete();
      size--;
      if (blocks.get(block).live() > 0) return;
      blocks.remove(block);
      reader = block < blocks.size() ? blocks.get(block).new Reader() : null;
    }
  }
}
