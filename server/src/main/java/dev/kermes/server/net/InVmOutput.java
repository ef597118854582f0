package dev.kermes.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The output of a client in the same JVM. A {@link io.netty.channel.local.LocalChannel} hands every
 * buffer to its peer at once, however slowly the peer reads, so the bytes are counted here until
 * the peer releases them. Any thread.
 */
final class InVmOutput {

  /** 512 KiB, about what the buffers of a socket on loopback hold. */
  private static final int UNREAD_MAX = 512 * 1024;

  private final Runnable onSpace;
  private final AtomicLong unread = new AtomicLong();

  /**
   * @param onSpace called by the reading thread once the output is no longer full
   */
  InVmOutput(Runnable onSpace) {
    this.onSpace = onSpace;
  }

  /** The number of bytes that the client has not read. */
  long unread() {
    return unread.get();
  }

  boolean isFull() {
    return unread.get() > UNREAD_MAX;
  }

  /** Returns an empty buffer whose bytes count as unread until it is released. */
  ByteBuf newBuffer(int length) {
    ByteBuf buffer = new Buffer(length);
    unread.addAndGet(length);
    return buffer;
  }

  private void read(int length) {
    long left = unread.addAndGet(-length);
    if (left <= UNREAD_MAX && left + length > UNREAD_MAX) onSpace.run();
  }

  /** On the heap: the client reads into an array, and memory outside of the heap may be scarce. */
  private final class Buffer extends UnpooledHeapByteBuf {
    private final int length;

    Buffer(int length) {
      super(UnpooledByteBufAllocator.DEFAULT, length, length);
      this.length = length;
    }

    @Override
    protected void freeArray(byte[] array) {
      read(length);
    }
  }
}
