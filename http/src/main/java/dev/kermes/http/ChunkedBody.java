package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A body of unknown length on its way from a handler's thread to the connection: in chunks, or with
 * HTTP/1.0 as it is. Waits while the client takes nothing. Written by one thread.
 */
final class ChunkedBody extends OutputStream {

  /** 16 KiB: what is written is collected up to that. */
  private static final int CHUNK = 16 * 1024;

  private final Http1Connection connection;
  private final Http1Exchange exchange;
  private final byte[] buffer = new byte[CHUNK];
  private int length;
  private boolean isClosed;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable IOException failure;

  ChunkedBody(Http1Connection connection, Http1Exchange exchange) {
    this.connection = connection;
    this.exchange = exchange;
  }

  @Override
  public void write(int b) throws IOException {
    if (length == CHUNK) flush();
    buffer[length++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    int done = 0;
    while (done < count) {
      if (length == CHUNK) flush();
      int piece = Math.min(CHUNK - length, count - done);
      System.arraycopy(bytes, offset + done, buffer, length, piece);
      length += piece;
      done += piece;
    }
  }

  @Override
  public void flush() throws IOException {
    awaitRoom();
    if (length == 0 || exchange.isHead()) {
      length = 0;
      return;
    }
    ByteBuf chunk = connection.channel().alloc().directBuffer(length + 16);
    if (!exchange.isHttp10()) chunk.writeBytes(Ascii.bytes(Integer.toHexString(length) + "\r\n"));
    chunk.writeBytes(buffer, 0, length);
    if (!exchange.isHttp10()) chunk.writeBytes(Ascii.bytes("\r\n"));
    length = 0;
    connection.channel().writeAndFlush(chunk);
  }

  private void awaitRoom() throws IOException {
    Channel channel = connection.channel();
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
  public void close() throws IOException {
    if (isClosed) return;
    isClosed = true;
    flush();
    boolean hasEnd = !exchange.isHttp10() && !exchange.isHead();
    connection
        .loop()
        .execute(() -> {
          if (hasEnd) {
            ByteBuf end = connection.channel().alloc().directBuffer(8);
            connection.channel().write(end.writeBytes(Ascii.bytes("0\r\n\r\n")));
          }
          connection.responseDone(exchange);
        });
  }

  // ---- the loop

  void writabilityChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void fail(IOException why) {
    lock.lock();
    try {
      failure = why;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
