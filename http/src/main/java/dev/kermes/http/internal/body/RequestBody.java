package dev.kermes.http.internal.body;

import dev.kermes.http.HttpException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: the event loop adds to it and the handler reads from it. It buffers at
 * most {@link #BUFFERED_MAX} and one read; then the loop stops reading until the handler has taken
 * half of that.
 */
public final class RequestBody {

  /** The connection that a body comes from. */
  public interface Source {
    /** Called when the handler starts to read: time to send 100 Continue. Any thread. */
    void bodyRequested();

    /** Called when the buffer has space again. Any thread. */
    void resume();
  }

  private static final int BUFFERED_MAX = 256 * 1024;

  private final Source source;
  private final int lengthMax;
  private final BodyMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<ByteBuf> buffers = new ArrayDeque<>();
  private int buffered;

  /** Bytes counted in {@link #memory} for this body: those buffered, and those read by all(). */
  private long held;

  private boolean isPaused;
  private boolean isEnded;
  private boolean isAbandoned;
  private @Nullable IOException failure;
  private byte @Nullable [] all;

  public RequestBody(Source source, int lengthMax, BodyMemory memory) {
    this.source = source;
    this.lengthMax = lengthMax;
    this.memory = memory;
  }

  /** Creates an empty body, shared by all requests that have none. */
  public static RequestBody empty() {
    RequestBody body =
        new RequestBody(
            new Source() {
              @Override
              public void bodyRequested() {}

              @Override
              public void resume() {}
            },
            0,
            new BodyMemory(0));
    body.end();
    return body;
  }

  // ---- the loop

  /** Adds {@code buffer}, whose ownership it takes; false if the loop must stop reading. */
  public boolean add(ByteBuf buffer) {
    lock.lock();
    try {
      if (isAbandoned || !buffer.isReadable()) {
        buffer.release();
        return true;
      }
      buffers.add(buffer);
      buffered += buffer.readableBytes();
      hold(buffer.readableBytes());
      changed.signalAll();
      if (buffered > BUFFERED_MAX) isPaused = true; // until half of it has been read
      return !isPaused;
    } finally {
      lock.unlock();
    }
  }

  public void end() {
    lock.lock();
    try {
      isEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void fail(IOException why) {
    lock.lock();
    try {
      if (isEnded) return;
      if (failure == null) failure = why;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Discards the buffered bytes and those to come, because the handler no longer reads. */
  public void abandon() {
    lock.lock();
    try {
      isAbandoned = true;
      for (ByteBuf buffer : buffers) buffer.release();
      buffers.clear();
      buffered = 0;
      hold(-held);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Changes the count of held bytes; guarded by the lock. */
  private void hold(long bytes) {
    held += bytes;
    memory.add(bytes);
  }

  // ---- the handler

  public byte[] all() {
    if (all != null) return all;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] piece = new byte[8192];
    try (InputStream in = stream()) {
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        if (bytes.size() + length > lengthMax) {
          throw new HttpException(413, "body too long: max=" + lengthMax);
        }
        bytes.write(piece, 0, length);
        keep(length);
      }
    } catch (IOException e) {
      throw new HttpException(400, "body could not be read: " + e.getMessage());
    }
    all = bytes.toByteArray();
    return all;
  }

  /** Counts bytes that have been read and stay in memory until the request is complete. */
  private void keep(int length) {
    lock.lock();
    try {
      if (!isAbandoned) hold(length);
    } finally {
      lock.unlock();
    }
  }

  public InputStream stream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return take(bytes, offset, length);
      }
    };
  }

  /** Reads at least one byte, waiting if necessary; -1 at the end. */
  private int take(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    boolean resumes = false;
    int taken;
    lock.lock();
    try {
      if (buffers.isEmpty() && !isEnded) source.bodyRequested();
      while (buffers.isEmpty()) {
        if (failure != null) throw new BodyException(failure);
        if (isAbandoned) throw new BodyException(new IOException("answered already"));
        if (isEnded) return -1;
        changed.await();
      }
      ByteBuf first = buffers.getFirst();
      taken = Math.min(length, first.readableBytes());
      first.readBytes(bytes, offset, taken);
      if (!first.isReadable()) buffers.removeFirst().release();
      buffered -= taken;
      hold(-taken);
      if (isPaused && buffered <= BUFFERED_MAX / 2) {
        isPaused = false;
        resumes = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      lock.unlock();
    }
    if (resumes) source.resume();
    return taken;
  }
}
