package dev.kermes.http.internal.body;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stream through which a handler's thread sends a response body in pieces. Writing waits while
 * the client reads nothing. Owned by one writing thread.
 */
public abstract class BodyStream extends OutputStream {

  /** 16 KiB: size of the buffer that collects small writes. */
  private static final int PIECE = 16 * 1024;

  private final Channel channel;
  private final boolean isDropped;
  private final byte[] buffer = new byte[PIECE];
  private int length;
  private boolean isClosed;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable IOException failure;
  private Runnable whenFailed = () -> {};

  /** {@code isDropped}: the body is discarded, because the request is a HEAD. */
  public BodyStream(Channel channel, boolean isDropped) {
    this.channel = channel;
    this.isDropped = isDropped;
  }

  public final Channel channel() {
    return channel;
  }

  /** Writes a piece in the framing of the protocol and flushes it. */
  protected abstract void write(ByteBuf piece);

  /** Writes the end of the body in the framing of the protocol; on the loop. */
  protected abstract void end();

  @Override
  public final void write(int b) throws IOException {
    if (length == PIECE) flush();
    buffer[length++] = (byte) b;
  }

  @Override
  public final void write(byte[] bytes, int offset, int count) throws IOException {
    int done = 0;
    while (done < count) {
      if (length == PIECE) flush();
      int part = Math.min(PIECE - length, count - done);
      System.arraycopy(bytes, offset + done, buffer, length, part);
      length += part;
      done += part;
    }
  }

  /** Sends the buffered bytes; waits while the client reads nothing. */
  @Override
  public final void flush() throws IOException {
    if (length == 0) awaitRoom();
    else send(channel.alloc().directBuffer(length).writeBytes(buffer, 0, length));
    length = 0;
  }

  /** Sends {@code piece}, whose ownership it takes, without copying; first waits for space. */
  public final void send(ByteBuf piece) throws IOException {
    try {
      awaitRoom();
    } catch (IOException e) {
      piece.release();
      throw e;
    }
    if (isDropped) piece.release();
    else write(piece);
  }

  private void awaitRoom() throws IOException {
    lock.lock();
    try {
      while (failure == null && !channel.isWritable() && channel.isActive()) changed.await();
      if (failure != null) throw new IOException(failure);
      if (!channel.isActive()) throw new IOException("connection closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void close() throws IOException {
    if (isClosed) return;
    isClosed = true;
    flush();
    channel.eventLoop().execute(this::end);
  }

  /** Runs {@code work}, which must not block, when the body can no longer be sent. */
  public final void whenFailed(Runnable work) {
    lock.lock();
    try {
      whenFailed = work;
      if (failure != null) work.run();
    } finally {
      lock.unlock();
    }
  }

  // ---- the loop

  public final void writabilityChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public final void fail(IOException why) {
    lock.lock();
    try {
      failure = why;
      changed.signalAll();
      whenFailed.run();
    } finally {
      lock.unlock();
    }
  }
}
