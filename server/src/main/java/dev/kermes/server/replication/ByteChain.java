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

  /** Creates an empty chain; its first byte will be at place {@code start}. */
  ByteChain(long start) {
    first = new Block(start);
    last = first;
  }

  /** The place of the oldest byte kept. */
  public long start() {
    return first.start;
  }

  /** The place after the last byte. */
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

  /** Drops whole blocks before a place. */
  void forget(long place) {
    Block next = first.next;
    while (next != null && next.start <= place) {
      first = next;
      next = first.next;
    }
  }

  /** A cursor at a place from {@link #start()} to {@link #end()}. */
  Cursor at(long place) {
    Block block = first;
    Block next = block.next;
    while (next != null && next.start <= place) {
      block = next;
      next = block.next;
    }
    return new Cursor(block, (int) (place - block.start));
  }

  /** The position of a reader. */
  public static final class Cursor {
    private Block block;
    private int offset;
    private volatile long place;

    private Cursor(Block block, int offset) {
      this.block = block;
      this.offset = offset;
      place = block.start + offset;
    }

    /** The place of the next byte. Any thread. */
    public long place() {
      return place;
    }

    /** Writes about {@code size} bytes more; returns whether there is still more. */
    public boolean read(RespWriter out, int size) {
      int left = size;
      while (left > 0) {
        int part = Math.min(left, block.length - offset);
        out.raw(block.bytes, offset, part);
        offset += part;
        left -= part;
        if (!advance()) break;
      }
      place = block.start + offset;
      return left <= 0 && offset < block.length;
    }

    /** Moves to the next block if this one has been read; false if there is nothing to read. */
    private boolean advance() {
      if (offset < block.length) return true;
      Block next = block.next;
      if (offset < BLOCK || next == null) return false;
      block = next;
      offset = 0;
      return true;
    }
  }
}
