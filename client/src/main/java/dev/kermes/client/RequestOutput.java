package dev.kermes.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Collects the requests of one burst into few buffers: small ones are copied together, a large one
 * goes out as it is. Nothing is flushed before {@link #flush}. Owned by the event loop.
 */
final class RequestOutput {
  /** Requests of at least this many bytes are not copied. */
  private static final int LARGE = 16 * 1024;

  private static final int CHUNK = 32 * 1024;

  private final Channel channel;
  private @Nullable ByteBuf chunk;
  private boolean hasWritten;

  RequestOutput(Channel channel) {
    this.channel = channel;
  }

  void append(Command<?> command) {
    append(command.request(), command.from(), command.length());
  }

  void append(byte[] bytes, int from, int length) {
    if (length >= LARGE) {
      flushChunk();
      write(Unpooled.wrappedBuffer(bytes, from, length));
      return;
    }
    ByteBuf target = chunk;
    if (target == null || target.writableBytes() < length) target = newChunk();
    target.writeBytes(bytes, from, length);
  }

  void flush() {
    flushChunk();
    if (hasWritten) {
      hasWritten = false;
      channel.flush();
    }
  }

  private ByteBuf newChunk() {
    flushChunk();
    ByteBuf fresh = channel.alloc().ioBuffer(CHUNK);
    chunk = fresh;
    return fresh;
  }

  private void flushChunk() {
    if (chunk == null) return;
    write(chunk);
    chunk = null;
  }

  private void write(ByteBuf bytes) {
    hasWritten = true;
    // A failed write closes the channel, which fails everything in flight.
    channel.write(bytes, channel.voidPromise());
  }
}
