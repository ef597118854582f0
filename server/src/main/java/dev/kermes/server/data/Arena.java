package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a table's records: blocks in a few large arrays, so that the garbage collector sees
 * these arrays only, however many records there are. A block has an address of 32 bits: the number
 * of its chunk, and its place there in units of eight bytes. Address 0 stands for no block.
 *
 * <pre>
 *   chunk       |unused 8|block|free|block|block|free|block|    top: never used    |end|
 *   block       |flags 1|access 3|length 20 bits, key length 12 bits| bytes … |
 *   free block  |flags 1|       3|size 4|next 4|previous 4| … |size 4|
 * </pre>
 *
 * It allocates the smallest free block that is certain to be large enough (two-level segregated
 * fit, Masmano et al. 2004), and cuts off the rest. It takes unused memory at the top of the newest
 * chunk if there is none. A block that is freed becomes one with its free neighbours: its flags say
 * whether the block before it is free, and that block's last four bytes say where it begins. (One
 * of 16 bytes has no room for that, and a flag of its own.)
 *
 * <p>The first chunk grows with its content, so that a small table needs little memory. Full chunks
 * have one size. A chunk without blocks is given back. When a quarter of the memory is unused, the
 * table moves the blocks of the emptiest chunk elsewhere, some at each release ({@link
 * #nextToMove}). Guarded by the keyspace lock; only {@link #touch} may read without it.
 */
final class Arena {

  /** Bytes in a block before the record's own. */
  static final int HEADER = 8;

  /** The largest block of a record; a larger record is an object of its own. */
  static final int BLOCK_MAX = 16_000;

  /** The flag of a block whose record has an expiry time. */
  static final int HAS_EXPIRY = 1;

  private static final int FREE = 2;
  private static final int AFTER_FREE = 4;

  /** The flag of a block with eight bytes more than it needs, and its value is that number. */
  private static final int SLACK = 8;

  private static final int AFTER_SMALL = 16;
  private static final int AFTER = AFTER_FREE | AFTER_SMALL;

  /** The flag of the end of a full chunk. */
  private static final int END = 32;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int UNIT_BITS = 3;
  private static final int UNIT = 1 << UNIT_BITS;
  private static final int CHUNK_UNIT_BITS = 17;
  private static final int CHUNK_UNITS = 1 << CHUNK_UNIT_BITS;
  private static final int CHUNKS_MAX = 1 << Integer.SIZE - CHUNK_UNIT_BITS;

  /** 1 MiB with the array's header, so that it fills whole regions of the G1 collector. */
  private static final int CHUNK_BYTES = (1 << 20) - 16;

  /** The smallest first chunk. */
  private static final int FIRST_BYTES = 128;

  /** A free block needs a header and two links. */
  private static final int BLOCK_MIN = 16;

  /** Free blocks up to here have a list for each size. */
  private static final int EXACT_UNITS = 64;

  /** Larger ones have eight lists for each power of two. */
  private static final int SUBDIVISION_BITS = 3;

  private static final int EXACT_BITS = 6;
  private static final int LISTS = EXACT_UNITS + (CHUNK_UNIT_BITS - EXACT_BITS << SUBDIVISION_BITS);

  private static final byte[][] NO_CHUNKS = {};
  private static final int[] NO_LISTS = {};
  private static final long[] NO_BITS = {};
  private static final byte POISON = (byte) 0xDD;

  private byte[][] chunks = NO_CHUNKS;
  private int chunkCount;

  /** The bytes of the allocated blocks of each chunk. */
  private int[] chunkUsed = NO_LISTS;

  /** The chunk that is being emptied, in which nothing is allocated; -1 for none. */
  private int emptied = -1;

  /** The next block of that chunk to look at, in bytes. */
  private int nextInEmptied;

  /** The chunk with the top, and the top's bounds in it, in bytes. */
  private int current = -1;

  private int top;
  private int end;

  /** The first free block of each list. */
  private int[] lists = NO_LISTS;

  /** One bit for each list that is not empty. */
  private long[] filled = NO_BITS;

  private long usedBytes;
  private long chunkBytes;

  /** An arena with the same blocks at the same addresses. */
  Arena copy() {
    Arena copy = new Arena();
    copy.chunks = new byte[chunks.length][];
    for (int i = 0; i < chunks.length; i++) {
      if (chunks[i] != null) copy.chunks[i] = chunks[i].clone();
    }
    copy.chunkCount = chunkCount;
    copy.chunkUsed = chunkUsed.clone();
    copy.emptied = emptied;
    copy.nextInEmptied = nextInEmptied;
    copy.current = current;
    copy.top = top;
    copy.end = end;
    copy.lists = lists.clone();
    copy.filled = filled.clone();
    copy.usedBytes = usedBytes;
    copy.chunkBytes = chunkBytes;
    return copy;
  }

  /** Bytes of the allocated blocks. */
  long usedBytes() {
    return usedBytes;
  }

  /** Bytes of the chunks. */
  long chunkBytes() {
    return chunkBytes;
  }

  void clear() {
    chunks = NO_CHUNKS;
    chunkUsed = NO_LISTS;
    emptied = -1;
    chunkCount = 0;
    current = -1;
    top = 0;
    end = 0;
    lists = NO_LISTS;
    filled = NO_BITS;
    usedBytes = 0;
    chunkBytes = 0;
  }

  /** The array that has the block of an address. */
  byte[] chunk(int address) {
    return chunks[address >>> CHUNK_UNIT_BITS];
  }

  /** The place of an address in its chunk, in bytes. */
  static int offset(int address) {
    return (address & CHUNK_UNITS - 1) << UNIT_BITS;
  }

  /** Loads the beginning of a block into the cache; the address may be out of date. */
  int touch(int address) {
    byte[][] chunks = this.chunks;
    int number = address >>> CHUNK_UNIT_BITS;
    if (number >= chunks.length) return 0;
    byte @Nullable [] chunk = chunks[number];
    int offset = offset(address);
    return chunk != null && offset < chunk.length ? chunk[offset] : 0;
  }

  /** The size of the block of a record of {@code length} bytes with its header. */
  static int blockSize(int length) {
    return Math.max(BLOCK_MIN, length + UNIT - 1 & -UNIT);
  }

  // Allocation

  /**
   * Allocates a block for a record of {@code length} bytes with its header. The content is
   * undefined, except for the flags. Returns 0 if all addresses are in use.
   */
  int allocate(int length) {
    int size = blockSize(length);
    int address = fromLists(size);
    if (address == 0) address = fromTop(size);
    if (address != 0) count(address, size);
    return address;
  }

  private void count(int address, int bytes) {
    usedBytes += bytes;
    chunkUsed[address >>> CHUNK_UNIT_BITS] += bytes;
  }

  /** Makes sure that the next allocation of {@code length} bytes and one release need no memory. */
  void reserve(int length) {
    makeLists();
    int size = blockSize(length);
    if (nextFilled(listFor(size)) >= 0) return;
    while (end - top < size) if (!makeTop(size)) return;
  }

  private void makeLists() {
    if (lists.length > 0) return;
    filled = new long[(LISTS + 63) / 64];
    lists = new int[LISTS];
  }

  private int fromLists(int size) {
    if (lists.length == 0) return 0;
    int list = nextFilled(listFor(size));
    if (list < 0) return 0;
    int address = lists[list];
    byte[] chunk = chunk(address);
    int at = offset(address);
    int freeSize = size(chunk, at);
    unlink(chunk, at, list);
    int rest = freeSize - size;
    int slack = 0;
    if (rest >= BLOCK_MIN) {
      makeFree(chunk, address + (size >> UNIT_BITS), at + size, rest);
    } else {
      slack = rest == 0 ? 0 : SLACK;
      count(address, slack);
      chunk[at + freeSize] = (byte) (chunk[at + freeSize] & ~AFTER);
    }
    chunk[at] = (byte) slack;
    return address;
  }

  private int fromTop(int size) {
    while (end - top < size) if (!makeTop(size)) return 0;
    int at = top;
    top += size;
    chunks[current][at] = 0; // free memory below the top would have become part of it
    return current << CHUNK_UNIT_BITS | at >> UNIT_BITS;
  }

  /** Grows the first chunk, or begins a new one; false if all addresses are in use. */
  private boolean makeTop(int size) {
    if (chunkCount == 1 && current == 0 && chunks[0].length < CHUNK_BYTES) {
      growFirst(size);
      return true;
    }
    int number = freeNumber();
    if (number == CHUNKS_MAX) return false;
    boolean isFirst = chunkCount == 0;
    byte[] chunk = new byte[isFirst ? firstBytes(size) : CHUNK_BYTES];
    if (number == chunks.length) {
      int length = isFirst ? 1 : 2 * number;
      chunkUsed = Arrays.copyOf(chunkUsed, length);
      chunks = Arrays.copyOf(chunks, length);
    }
    retireTop();
    chunks[number] = chunk;
    chunkCount++;
    chunkBytes += HeapArray.bytes(chunk.length);
    current = number;
    top = UNIT;
    end = chunk.length - UNIT;
    return true;
  }

  private static int firstBytes(int size) {
    return Math.max(FIRST_BYTES, size + 2 * UNIT);
  }

  private int freeNumber() {
    if (chunkCount == chunks.length) return chunkCount;
    int number = 0;
    while (chunks[number] != null) number++;
    return number;
  }

  /** Grows by a quarter: a smaller step would copy more, a larger one leave more unused. */
  private void growFirst(int size) {
    int length = chunks[0].length;
    int grown = Math.max(length + length / 4, top + size + UNIT) + UNIT - 1 & -UNIT;
    byte[] chunk = Arrays.copyOf(chunks[0], Math.min(grown, CHUNK_BYTES));
    chunkBytes += HeapArray.bytes(chunk.length) - HeapArray.bytes(length);
    chunks[0] = chunk;
    end = chunk.length - UNIT;
  }

  /** Makes the rest of the current chunk a free block. */
  private void retireTop() {
    if (current < 0) return;
    byte[] chunk = chunks[current];
    int rest = end - top;
    boolean hasRest = rest >= BLOCK_MIN;
    chunk[hasRest ? end : top] = END;
    if (hasRest) makeFree(chunk, current << CHUNK_UNIT_BITS | top >> UNIT_BITS, top, rest);
  }

  // Release

  /** Frees a block of a record of {@code length} bytes with its header. */
  void free(int address, int length) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int flags = chunk[at];
    assert (flags & FREE) == 0 : "freed twice: " + address;
    int size = blockSize(length) + (flags & SLACK);
    count(address, -size);
    if (address >>> CHUNK_UNIT_BITS == emptied) {
      freeInEmptied(chunk, at, size);
      return;
    }
    if ((flags & AFTER) != 0) {
      int before = (flags & AFTER_SMALL) != 0 ? BLOCK_MIN : (int) INT.get(chunk, at - 4);
      at -= before;
      address -= before >> UNIT_BITS;
      unlink(chunk, at, listOf(before));
      size += before;
    }
    int next = at + size;
    if (next == top && address >>> CHUNK_UNIT_BITS == current) {
      assert poison(chunk, at, size);
      top = at;
      return;
    }
    if ((chunk[next] & FREE) != 0) {
      int after = size(chunk, next);
      unlink(chunk, next, listOf(after));
      size += after;
      next += after;
    }
    if (at == UNIT && (chunk[next] & END) != 0) {
      release(address >>> CHUNK_UNIT_BITS);
    } else {
      assert poison(chunk, at, size);
      makeFree(chunk, address, at, size);
    }
  }

  @SuppressWarnings("NullAway") // no address of the chunk is in use
  private void release(int number) {
    chunkBytes -= HeapArray.bytes(chunks[number].length);
    chunks[number] = null;
    chunkCount--;
  }

  /** Overwrites a free block, so that a test finds code that uses one. */
  private static boolean poison(byte[] chunk, int at, int size) {
    Arrays.fill(chunk, at, at + size, POISON);
    return true;
  }

  // Moving blocks

  /** Whether a quarter of the memory is unused, and more than two chunks of it. */
  boolean isSparse() {
    long unused = chunkBytes - usedBytes;
    return unused > 2 * CHUNK_BYTES && unused > chunkBytes / 4;
  }

  /**
   * The next block to allocate anew and to free; 0 for none. Its address is that of a record of the
   * emptiest chunk.
   */
  int nextToMove() {
    if (emptied < 0 && !empty(emptiest())) return 0;
    byte[] chunk = chunks[emptied];
    int at = nextInEmptied;
    while ((chunk[at] & FREE) != 0) at += size(chunk, at);
    if ((chunk[at] & END) != 0) throw new AssertionError("chunk with lost blocks: " + emptied);
    nextInEmptied = at;
    return emptied << CHUNK_UNIT_BITS | at >> UNIT_BITS;
  }

  /** Whether a block can be allocated without more memory. */
  boolean hasRoom(int length) {
    int size = blockSize(length);
    return end - top >= size || lists.length > 0 && nextFilled(listFor(size)) >= 0;
  }

  /** The chunk with the fewest bytes in use, if that is three quarters at most; or -1. */
  private int emptiest() {
    int best = -1;
    int bestUsed = CHUNK_BYTES / 4 * 3;
    for (int number = 0; number < chunks.length; number++) {
      boolean isFull = chunks[number] != null && number != current;
      if (isFull && chunkUsed[number] < bestUsed) {
        best = number;
        bestUsed = chunkUsed[number];
      }
    }
    return best;
  }

  /** Begins to empty a chunk: takes its free blocks out of the lists. */
  private boolean empty(int number) {
    if (number < 0) return false;
    byte[] chunk = chunks[number];
    int at = UNIT;
    while ((chunk[at] & END) == 0) {
      if ((chunk[at] & FREE) != 0) {
        int size = size(chunk, at);
        unlink(chunk, at, listOf(size));
        at += size;
      } else {
        at += blockSize(Record.length(chunk, at)) + (chunk[at] & SLACK);
      }
    }
    if (chunkUsed[number] == 0) {
      release(number);
      return false;
    }
    emptied = number;
    nextInEmptied = UNIT;
    return true;
  }

  private void freeInEmptied(byte[] chunk, int at, int size) {
    assert poison(chunk, at, size);
    chunk[at] = FREE;
    INT.set(chunk, at + 4, size);
    if (chunkUsed[emptied] > 0) return;
    release(emptied);
    emptied = -1;
  }

  // Free blocks

  private static int size(byte[] chunk, int at) {
    return (int) INT.get(chunk, at + 4);
  }

  /** Makes a block free that is not beside another free one, and enters it in its list. */
  private void makeFree(byte[] chunk, int address, int at, int size) {
    makeLists();
    int list = listOf(size);
    int first = lists[list];
    chunk[at] = FREE;
    INT.set(chunk, at + 4, size);
    INT.set(chunk, at + 8, first);
    INT.set(chunk, at + 12, 0);
    if (size > BLOCK_MIN) INT.set(chunk, at + size - 4, size);
    chunk[at + size] =
        (byte) (chunk[at + size] & ~AFTER | (size > BLOCK_MIN ? AFTER_FREE : AFTER_SMALL));
    if (first != 0) INT.set(chunk(first), offset(first) + 12, address);
    lists[list] = address;
    filled[list >> 6] |= 1L << list;
  }

  private void unlink(byte[] chunk, int at, int list) {
    int next = (int) INT.get(chunk, at + 8);
    int previous = (int) INT.get(chunk, at + 12);
    if (next != 0) INT.set(chunk(next), offset(next) + 12, previous);
    if (previous != 0) INT.set(chunk(previous), offset(previous) + 8, next);
    else lists[list] = next;
    if (lists[list] == 0) filled[list >> 6] &= ~(1L << list);
  }

  /** The list that a free block of a size is in. */
  private static int listOf(int size) {
    int units = size >> UNIT_BITS;
    if (units < EXACT_UNITS) return units;
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(units);
    int part = units >>> power - SUBDIVISION_BITS & (1 << SUBDIVISION_BITS) - 1;
    return EXACT_UNITS + (power - EXACT_BITS << SUBDIVISION_BITS) + part;
  }

  /** The first list whose blocks all have a size. */
  private static int listFor(int size) {
    int units = size >> UNIT_BITS;
    if (units < EXACT_UNITS) return units;
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(units);
    return listOf(size + ((1 << power - SUBDIVISION_BITS) - 1 << UNIT_BITS));
  }

  private int nextFilled(int list) {
    long word = filled[list >> 6] & -1L << list;
    for (int i = list >> 6; ; word = filled[i]) {
      if (word != 0) return i << 6 | Long.numberOfTrailingZeros(word);
      if (++i == filled.length) return -1;
    }
  }
}
