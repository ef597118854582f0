package dev.kermes.http.internal.files;

import dev.kermes.http.Response;
import dev.kermes.http.internal.syntax.HttpDates;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.ReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The state of a file at the time it was opened. A small file is held in memory; a large one is an
 * open channel, which is closed when the cache and every response have released it. Any thread.
 */
public final class CachedFile {

  private final FileState state;
  private final long modifiedSecond;
  private final String etag;
  private final List<Response.Header> fields;
  private final @Nullable ByteBuf content;
  private final @Nullable FileChannel channel;
  private final AtomicInteger holders = new AtomicInteger(1);
  private volatile long checkedNanos;
  private volatile List<String> variants = List.of();

  private CachedFile(FileState state, @Nullable ByteBuffer content, @Nullable FileChannel channel) {
    this.state = state;
    // Not later than the response's Date; RFC 9110, 8.8.2.1.
    modifiedSecond =
        Math.min(
            Math.floorDiv(state.modifiedNanos(), 1_000_000_000L),
            System.currentTimeMillis() / 1000);
    this.content = content == null ? null : Unpooled.wrappedBuffer(content);
    this.channel = channel;
    etag =
        '"'
            + Long.toHexString(state.modifiedNanos())
            + '-'
            + Long.toHexString(state.size())
            + '-'
            + Long.toHexString(state.statusNanos())
            + '"';
    fields =
        List.of(
            Response.Header.encoded("etag", etag),
            Response.Header.encoded("last-modified", HttpDates.format(modifiedSecond)),
            Response.Header.encoded("accept-ranges", "bytes"));
  }

  /**
   * Creates one held in memory. {@code content} is a direct buffer, which the garbage collector
   * frees when no response refers to it any more.
   */
  static CachedFile inMemory(ByteBuffer content, FileState state) {
    return new CachedFile(state, content, null);
  }

  static CachedFile onDisk(FileChannel channel, FileState state) {
    return new CachedFile(state, null, channel);
  }

  public long size() {
    return state.size();
  }

  /** A strong validator: the size, and the times of change of content and status in nanoseconds. */
  String etag() {
    return etag;
  }

  /** The header fields of the file: its validators and accept-ranges. */
  List<Response.Header> fields() {
    return fields;
  }

  long modifiedSecond() {
    return modifiedSecond;
  }

  boolean isInMemory() {
    return content != null;
  }

  boolean isSame(FileState other) {
    return state.equals(other);
  }

  /** The time at which this was last verified to be the current state of the file. */
  long checkedNanos() {
    return checkedNanos;
  }

  void recordCheck(long nanos) {
    checkedNanos = nanos;
  }

  /** The content codings for which a precompressed variant exists, the best first. */
  List<String> variants() {
    return variants;
  }

  void variants(List<String> codings) {
    variants = codings;
  }

  /** Keeps the file open for one response; false if it has been closed already. */
  boolean tryRetain() {
    if (channel == null) return true;
    for (int count = holders.get(); count > 0; count = holders.get()) {
      if (holders.compareAndSet(count, count + 1)) return true;
    }
    return false;
  }

  public void release() {
    if (channel == null || holders.decrementAndGet() > 0) return;
    try {
      channel.close();
    } catch (IOException e) {
      // The channel was only read, so nothing is lost.
    }
  }

  /** A message that sends a range of the file, and keeps the file open until it is sent. */
  public ReferenceCounted slice(long offset, long length) {
    if (content != null) return content.retainedSlice((int) offset, (int) length);
    if (!tryRetain()) throw new IllegalStateException("file is closed: etag=" + etag);
    return new Region(offset, length);
  }

  /** Copies a range of a file that is in memory. */
  public void copy(long offset, int length, ByteBuf to) {
    to.writeBytes(Objects.requireNonNull(content), (int) offset, length);
  }

  /**
   * Reads at least one byte of a file on disk. Blocks.
   *
   * @throws EOFException if the file has become shorter
   */
  ByteBuf read(long offset, int length, ByteBufAllocator allocator) throws IOException {
    ByteBuf bytes = allocator.directBuffer(length);
    try {
      int read = bytes.writeBytes(Objects.requireNonNull(channel), offset, length);
      if (read <= 0) throw new EOFException("file became shorter: etag=" + etag);
      return bytes;
    } catch (IOException e) {
      bytes.release();
      throw e;
    }
  }

  /** A range sent by sendfile, from a channel shared with other responses. */
  private final class Region extends DefaultFileRegion {
    Region(long offset, long length) {
      super(Objects.requireNonNull(channel), offset, length);
    }

    @Override
    protected void deallocate() {
      CachedFile.this.release();
    }
  }
}
