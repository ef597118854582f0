package dev.kermes.server.replication;

import dev.kermes.resp.RespWriter;
import org.jspecify.annotations.Nullable;

/**
 * A stream of bytes that one thread at a time appends to and any number read, each at its own pace.
 *
 * <pre>
 *   first |block| -> |block| -> |block| last        first moves on: forget
 *                      ^ cursor      ^ cursor
 * </pre>
 *
 * The garbage collector frees a block that is before the first one and before every cursor. The
 * appending thread holds the keyspace lock, or is the only one that knows the chain; a cursor
 * belongs to one thread.
 */
public final class ByteChain {

  /** 16 KiB: at most this many bytes more are kept than requested. */
  private static final int BLOCK = 16 * 1024;

  private static final class Block {
    private final long start;
    private final byte[] bytes = new byte[BLOCK];
    private volatile int length;
    private volatile @Nullable Block next;

    Block(long start) {
      this.start = start;
    }
  }

  private Block first;
  private Block last;

  /** Creates an empty chain; its first byte will have the offset {@code start}. */
  ByteChain(long start) {
    first = new Block(start);
    last = first;
  }

  /** The offset of the oldest byte kept. */
  public long start() {
    return first.start;
  }

  /** The offset after the last byte. */
  public long end() {
    return last.start + last.length;
  }

  void append(byte[] bytes, int offset, int length) {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (last.length == BLOCK) addBlock();
      int filled = last.length;
      int part = Math.min(left, BLOCK - filled);
      System.arraycopy(bytes, from, last.bytes, filled, part);
      last.length = filled + part; // makes the bytes visible to readers
      from += part;
      left -= part;
    }
  }

  private void addBlock() {
    Block block = new Block(end());
    last.next = block;
    last = block;
  }

  /** Drops whole blocks before an offset. */
  void forget(long offset) {
    Block next = first.next;
    while (next != null && next.start <= offset) {
      first = next;
      next = first.next;
    }
  }

  /** A cursor at an offset from {@link #start()} to {@link #end()}. */
  Cursor at(long offset) {
    Block block = first;
    Block next = block.next;
    while (next != null && next.start <= offset) {
      block = next;
      next = block.next;
    }
    return new Cursor(block, (int) (offset - block.start));
  }

  /** The position of a reader. */
  public static final class Cursor {
    private Block block;

    /** The index of the next byte in the block. */
    private int index;

    private volatile long offset;

    private Cursor(Block block, int index) {
      this.block = block;
      this.index = index;
      offset = block.start + index;
    }

    /** The offset of the next byte in the stream. Any thread. */
    public long offset() {
      return offset;
    }

    /** Writes about {@code size} bytes more; returns whether there is still more. */
    public boolean read(RespWriter out, int size) {
      int left = size;
      while (left > 0) {
        int part = Math.min(left, block.length - index);
        out.raw(block.bytes, index, part);
        index += part;
        left -= part;
        if (!advance()) break;
      }
      offset = block.start + index;
      return left <= 0 && index < block.length;
    }

    /** Moves to the next block if this one has been read; false if there is nothing to read. */
    private boolean advance() {
      if (index < block.length) return true;
      Block next = block.next;
      if (index < BLOCK || next == null) return false;
      block = next;
      index = 0;
      return true;
    }
  }
}
