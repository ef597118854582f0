package dev.kermes.server.net;

import dev.kermes.net.HeapSocket;
import dev.kermes.resp.RespWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Output that the socket has not taken, from the first large value on. A value stays a reference to
 * its array, which no command changes, until it is sent or a piece of it is copied on its way to
 * the socket: a client that asks for much and reads slowly holds few copies. An array that nothing
 * else uses is a spare one after that.
 *
 * <pre>
 *   own bytes | reference to 1 MB | own bytes | ...   ->  pieces of the connection's choice
 * </pre>
 *
 * Owned by the event loop, except for the size.
 */
final class UnsentOutput {

  /**
   * 256 KiB: several shorter values cost less copied into one piece than sent by a system call
   * each.
   */
  private static final int LONG_VALUE = 256 * 1024;

  /**
   * 1 MiB: the most of one system call, a quarter of a millisecond for which a garbage collection
   * may have to wait. Each call wakes the client: four of 256 KiB take a quarter more time.
   */
  private static final int SEND_LENGTH = 1024 * 1024;

  private final SpareReaders spares;
  private final Deque<ByteBuf> parts = new ArrayDeque<>();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Empty output.
   *
   * @param spares for arrays that nothing else uses
   */
  UnsentOutput(SpareReaders spares) {
    this.spares = spares;
  }

  /** The number of bytes. Any thread. */
  long bytes() {
    return bytes.get();
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /**
   * Adds output behind the rest.
   *
   * @param own an empty buffer of the heap with room for the output's own bytes; becomes a part
   */
  void add(RespWriter out, ByteBuf own) {
    own.writeBytes(out.bytes(), 0, out.size());
    int from = 0;
    for (int i = 0; i < out.sharedCount(); i++) {
      RespWriter.Shared shared = out.shared(i);
      if (shared.position() > from) parts.add(own.readRetainedSlice(shared.position() - from));
      parts.add(part(shared));
      from = shared.position();
    }
    if (own.isReadable()) parts.add(own);
    else own.release();
    bytes.addAndGet(out.length());
  }

  private ByteBuf part(RespWriter.Shared shared) {
    return shared.isLastUse()
        ? new LastUse(shared)
        : Unpooled.wrappedBuffer(shared.array(), shared.offset(), shared.length());
  }

  /**
   * Whether a long value comes first, or after the bytes before it. Not one whose array becomes a
   * spare one: it has just been written, and to copy it from the caches costs less.
   */
  boolean beginsWithLongValue() {
    int looked = 0;
    for (ByteBuf part : parts) {
      if (part.readableBytes() >= LONG_VALUE && !(part instanceof LastUse)) return true;
      if (++looked == 2) break;
    }
    return false;
  }

  /** Sends the first bytes, straight from their arrays, as far as the socket takes them now. */
  void sendTo(HeapSocket socket) {
    long before = bytes.get();
    long left = before;
    while (!parts.isEmpty()) {
      ByteBuf first = parts.getFirst();
      int length = Math.min(first.readableBytes(), SEND_LENGTH);
      int from = first.arrayOffset() + first.readerIndex();
      int sent = socket.send(first.array(), from, length, length < left);
      if (sent <= 0) break;
      left -= sent;
      first.skipBytes(sent);
      if (!first.isReadable()) parts.removeFirst().release();
    }
    bytes.addAndGet(left - before);
  }

  /** Moves the first bytes to a buffer, until it is full or nothing is left. */
  void moveTo(ByteBuf piece) {
    int before = piece.writableBytes();
    while (piece.isWritable() && !parts.isEmpty()) {
      ByteBuf first = parts.getFirst();
      piece.writeBytes(first, Math.min(piece.writableBytes(), first.readableBytes()));
      if (!first.isReadable()) parts.removeFirst().release();
    }
    bytes.addAndGet(piece.writableBytes() - before);
  }

  /** Gives up the output. */
  void clear() {
    while (!parts.isEmpty()) parts.removeFirst().release();
    bytes.set(0);
  }

  /** A range of an array that is a spare one as soon as the range is released. */
  private final class LastUse extends UnpooledHeapByteBuf {

    LastUse(RespWriter.Shared shared) {
      super(UnpooledByteBufAllocator.DEFAULT, shared.array(), shared.array().length);
      setIndex(shared.offset(), shared.offset() + shared.length());
    }

    @Override
    protected void freeArray(byte[] array) {
      spares.give(array);
    }
  }
}
