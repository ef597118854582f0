package dev.kermes.http.internal.body;

import dev.kermes.http.HttpException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
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

  /** 8 KiB: the first array of a body that is read while it arrives. */
  private static final int LENGTH_FIRST = 8 * 1024;

  private final Source source;
  private final int lengthMax;
  private final BodyMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<ByteBuf> buffers = new ArrayDeque<>();
  private int buffered;

  /** Bytes counted in {@link #memory} for this body: those buffered, and arrays. */
  private long held;

  /** Of the buffered bytes, those that count for the array that they are moving into. */
  private int moving;

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

  /**
   * Reads the whole body into an array, which grows as bytes arrive: a declared length alone takes
   * no memory.
   *
   * @param declared the length according to the request, or -1
   * @throws HttpException 413 if it is too long, 503 if all bodies together take too much memory
   */
  public byte[] all(long declared) {
    if (all != null) return all;
    byte[] bytes = new byte[0];
    int length = 0;
    try (InputStream in = stream()) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (length == bytes.length) bytes = longer(bytes, declared);
        bytes[length++] = (byte) next;
        length += in.readNBytes(bytes, length, bytes.length - length);
      }
    } catch (IOException e) {
      throw new HttpException(400, "body could not be read: " + e.getMessage());
    }
    all = length == bytes.length ? bytes : copy(bytes, length, length);
    return all;
  }

  /** The whole body as UTF-8, which takes its memory again. Throws as {@link #all} does. */
  public String text(long declared) {
    byte[] bytes = all(declared);
    reserve(bytes.length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns a longer copy of a full array; of the right length as soon as that is known. */
  private byte[] longer(byte[] bytes, long declared) {
    if (bytes.length == lengthMax) {
      throw new HttpException(413, "body too long: max=" + lengthMax);
    }
    lock.lock();
    try {
      int needed = bytes.length + 1 + buffered; // one byte has been taken
      long wanted = isEnded ? needed : Math.max(LENGTH_FIRST, Math.max(needed, 2L * bytes.length));
      if (bytes.length < declared) wanted = Math.min(wanted, declared);
      int length = (int) Math.min(wanted, lengthMax);
      int moves = Math.min(buffered, length - bytes.length);
      byte[] copied = copy(bytes, length, length - moves);
      moving = moves;
      return copied;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Copies within the memory for bodies, and no longer counts the old array.
   *
   * @param added the part of the new array that is not counted yet
   */
  private byte[] copy(byte[] bytes, int length, int added) {
    reserve(added);
    byte[] copied = Arrays.copyOf(bytes, length);
    release(bytes.length);
    return copied;
  }

  /** Counts an array that is to be allocated and stays until the request is complete. */
  private void reserve(int length) {
    lock.lock();
    try {
      if (isAbandoned) return;
      if (!memory.tryAdd(length)) {
        throw new HttpException(503, "request bodies take too much memory");
      }
      held += length;
    } finally {
      lock.unlock();
    }
  }

  private void release(int length) {
    lock.lock();
    try {
      if (!isAbandoned) hold(-length);
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
      int moved = Math.min(taken, moving);
      moving -= moved;
      hold(moved - taken);
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
