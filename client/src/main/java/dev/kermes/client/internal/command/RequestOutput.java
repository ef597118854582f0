package dev.kermes.client.internal.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the requests of one burst into few buffers: small ones are copied together, large ones
 * are sent without copying. Nothing is flushed before {@link #flush}. Owned by the event loop.
 */
public final class RequestOutput {
  /** Requests of at least this many bytes are not copied. */
  private static final int LARGE = 16 * 1024;

  private static final int BURST_MIN = 512;
  private static final int BURST_MAX = 32 * 1024;

  private final Channel channel;

  /** An array: copying a few bytes into a Netty buffer takes three times as long. */
  private byte[] burst = new byte[BURST_MIN];

  private int end;
  private boolean hasWritten;

  public RequestOutput(Channel channel) {
    this.channel = channel;
  }

  /** The address of the other end, or null when the connection is gone. */
  public @Nullable SocketAddress peer() {
    return channel.remoteAddress();
  }

  public void append(EncodedCommand<?> command) {
    append(command.request(), command.from(), command.length());
  }

  public void append(byte[] bytes, int from, int length) {
    if (length >= LARGE) {
      flushBurst();
      write(Unpooled.wrappedBuffer(bytes, from, length));
      return;
    }
    if (burst.length - end < length) makeRoom(length);
    System.arraycopy(bytes, from, burst, end, length);
    end += length;
  }

  private void makeRoom(int length) {
    if (burst.length < BURST_MAX) burst = Arrays.copyOf(burst, BURST_MAX);
    if (burst.length - end < length) flushBurst();
  }

  public void flush() {
    flushBurst();
    if (hasWritten) {
      hasWritten = false;
      channel.flush();
    }
  }

  private void flushBurst() {
    if (end == 0) return;
    write(channel.alloc().ioBuffer(end).writeBytes(burst, 0, end));
    end = 0;
  }

  private void write(ByteBuf bytes) {
    hasWritten = true;
    // A failed write closes the channel, which fails everything in flight.
    channel.write(bytes, channel.voidPromise());
  }
}
