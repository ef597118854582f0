package dev.kermes.server.net;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Passes a full sync from the event loop that receives it to the thread that loads it. When too
 * much waits, the event loop stops reading until it is told that there is room.
 */
final class FullSyncPipe extends InputStream {

  /** 4 MiB: some milliseconds of loading. */
  private static final int WAITING_MAX = 4 << 20;

  private final Runnable hasRoom;
  private final Deque<byte[]> pieces = new ArrayDeque<>();

  /** The number of bytes read of the first piece. */
  private int readOfFirst;

  private int waiting;
  private boolean isFull;
  private boolean isEnded;

  /** Bytes still to come; an upper bound if only the mark ends the full sync. Of the event loop. */
  private long left;

  /** Creates a pipe; the loading thread runs {@code hasRoom}. */
  FullSyncPipe(FullSyncHeader header, Runnable hasRoom) {
    left = header.length() < 0 ? Long.MAX_VALUE : header.length();
    this.hasRoom = hasRoom;
  }

  /** Takes the bytes of the full sync from the input; returns how many they are. */
  int bring(ByteBuf in) {
    byte[] piece = new byte[(int) Math.min(in.readableBytes(), left)];
    in.readBytes(piece);
    left -= piece.length;
    if (piece.length == 0) return 0;
    synchronized (this) {
      pieces.add(piece);
      waiting += piece.length;
      if (waiting >= WAITING_MAX) isFull = true; // until the reader makes room
      notifyAll();
    }
    return piece.length;
  }

  /** Whether more bytes may be added. */
  synchronized boolean wantsMore() {
    return left > 0 && !isFull;
  }

  /** Whether all received bytes have been read; then the loader waits for the master. */
  synchronized boolean isEmpty() {
    return waiting == 0;
  }

  /** Ends the full sync; no more bytes follow. Any thread. */
  synchronized void end() {
    isEnded = true;
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** Waits for bytes; -1 at the end. */
  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    boolean madeRoom;
    int count;
    synchronized (this) {
      await();
      if (waiting == 0) return -1;
      count = take(to, offset, length);
      madeRoom = isFull && waiting < WAITING_MAX / 2;
      if (madeRoom) isFull = false;
    }
    if (madeRoom) hasRoom.run();
    return count;
  }

  private void await() throws IOException {
    try {
      while (waiting == 0 && !isEnded) wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("loading was interrupted");
    }
  }

  private int take(byte[] to, int offset, int length) {
    byte[] first = pieces.getFirst();
    int count = Math.min(length, first.length - readOfFirst);
    System.arraycopy(first, readOfFirst, to, offset, count);
    readOfFirst += count;
    waiting -= count;
    if (readOfFirst < first.length) return count;
    pieces.removeFirst();
    readOfFirst = 0;
    return count;
  }
}
