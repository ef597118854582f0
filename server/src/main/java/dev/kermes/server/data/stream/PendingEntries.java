package dev.kermes.server.data.stream;

import dev.kermes.server.data.Ring;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pending entries in the order of their IDs: those of a group, or of one of its consumers.
 *
 * <pre>
 *   |1-0 1-1 4-0 …|  |7-2 7-3 …|  |9-0|      a ring of sorted blocks
 * </pre>
 *
 * New entries are added at the end, and old ones are acknowledged near the start. Both take O(1)
 * and a move within one block. In between, a block is found by binary search. 4 to 8 bytes per
 * entry.
 */
public final class PendingEntries {

  private static final int BLOCK_ENTRIES = 128;

  private final Ring<Block> blocks = new Ring<>();
  private int size;

  PendingEntries() {}

  private static final class Block {

    private @Nullable PendingEntry[] entries = new PendingEntry[4];
    private int size;

    PendingEntry get(int index) {
      PendingEntry entry = entries[index];
      if (entry == null) throw new IndexOutOfBoundsException("no pending entry: index=" + index);
      return entry;
    }

    /** The index of the first entry that is not before the ID. */
    int indexOf(StreamId id) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (get(middle).compareTo(id) < 0) low = middle + 1;
        else high = middle;
      }
      return low;
    }

    void insert(int index, PendingEntry entry) {
      if (size == entries.length) entries = Arrays.copyOf(entries, size * 2);
      System.arraycopy(entries, index, entries, index + 1, size - index);
      entries[index] = entry;
      size++;
    }

    void remove(int index) {
      size--;
      System.arraycopy(entries, index + 1, entries, index, size - index);
      entries[size] = null;
      if (size >= 4 && size < entries.length / 4) entries = Arrays.copyOf(entries, size * 2);
    }

    /** Moves the upper half into a block of its own. */
    Block split() {
      Block upper = new Block();
      int half = size / 2;
      upper.entries = Arrays.copyOfRange(entries, half, entries.length);
      upper.size = size - half;
      Arrays.fill(entries, half, size, null);
      size = half;
      return upper;
    }
  }

  public int size() {
    return size;
  }

  /** The entry with an ID, or null. */
  public @Nullable PendingEntry find(StreamId id) {
    PendingEntry entry = from(id);
    return entry != null && entry.compareTo(id) == 0 ? entry : null;
  }

  /** The first entry that is not before an ID, or null. */
  public @Nullable PendingEntry from(StreamId id) {
    if (size == 0) return null;
    int b = blockOf(id);
    Block block = blocks.get(b);
    int index = block.indexOf(id);
    if (index < block.size) return block.get(index);
    return b + 1 < blocks.size() ? blocks.get(b + 1).get(0) : null;
  }

  /** The first entry after another one, which may have been removed; or null. */
  public @Nullable PendingEntry after(PendingEntry entry) {
    StreamId id = entry.id();
    return id.equals(StreamId.MAX) ? null : from(id.next());
  }

  public @Nullable PendingEntry first() {
    return size == 0 ? null : blocks.first().get(0);
  }

  public @Nullable PendingEntry last() {
    return size == 0 ? null : blocks.last().get(blocks.last().size - 1);
  }

  /** The last block that does not begin after the ID; the first one if all do. */
  private int blockOf(StreamId id) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).get(0).compareTo(id) > 0) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /** Adds an entry whose ID is not in the list yet. */
  void add(PendingEntry entry) {
    size++;
    StreamId id = entry.id();
    boolean comesLast = blocks.size() == 0 || blocks.last().indexOf(id) == BLOCK_ENTRIES;
    if (comesLast) blocks.add(new Block());
    int b = comesLast ? blocks.size() - 1 : blockOf(id);
    Block block = blocks.get(b);
    if (block.size == BLOCK_ENTRIES) {
      Block upper = block.split();
      blocks.insert(b + 1, upper);
      if (upper.get(0).compareTo(id) < 0) block = upper;
    }
    block.insert(block.indexOf(id), entry);
  }

  /** Removes an entry, which must be in the list. */
  void remove(PendingEntry entry) {
    StreamId id = entry.id();
    int b = blockOf(id);
    Block block = blocks.get(b);
    int index = block.indexOf(id);
    if (block.get(index) != entry) throw new IllegalStateException("not pending: id=" + id);
    block.remove(index);
    if (block.size == 0) blocks.remove(b);
    size--;
  }
}
