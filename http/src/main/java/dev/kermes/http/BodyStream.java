package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way from a handler's thread to the client, piece by piece. Waits while the client
 * takes nothing. Written by one thread.
 */
abstract class BodyStream extends OutputStream {

  /** 16 KiB: what is written is collected up to that. */
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

  /** {@code isDropped}: nothing is sent, because HEAD asked. */
  BodyStream(Channel channel, boolean isDropped) {
    this.channel = channel;
    this.isDropped = isDropped;
  }

  final Channel channel() {
    return channel;
  }

  /** Writes a piece in the framing of the protocol, and flushes. */
  abstract void write(ByteBuf piece);

  /** Writes what tells the end of the body; on the loop. */
  abstract void end();

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

  /** Sends what has been written; waits until the client takes it. */
  @Override
  public final void flush() throws IOException {
    if (length == 0) awaitRoom();
    else send(channel.alloc().directBuffer(length).writeBytes(buffer, 0, length));
    length = 0;
  }

  /** Sends {@code piece}, which it takes over, as it is; waits for room before. */
  final void send(ByteBuf piece) throws IOException {
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

  /** Has {@code work}, which must not block, done when nobody takes the body any more. */
  final void whenFailed(Runnable work) {
    lock.lock();
    try {
      whenFailed = work;
      if (failure != null) work.run();
    } finally {
      lock.unlock();
    }
  }

  // ---- the loop

  final void writabilityChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  final void fail(IOException why) {
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
