package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file as it was when it was opened: its content in memory if it is small, otherwise its channel,
 * which stays open until the cache and every response have let go of it. Any thread.
 */
final class CachedFile {

  private final long size;
  private final long modifiedNanos;
  private final String etag;
  private final List<Response.Header> fields;
  private final @Nullable ByteBuf content;
  private final @Nullable FileChannel channel;
  private final AtomicInteger holders = new AtomicInteger(1);
  private volatile long checkedNanos;
  private volatile List<String> siblings = List.of();

  private CachedFile(
      long size, long modifiedNanos, @Nullable ByteBuffer content, @Nullable FileChannel channel) {
    this.size = size;
    this.modifiedNanos = modifiedNanos;
    this.content = content == null ? null : Unpooled.wrappedBuffer(content);
    this.channel = channel;
    etag = '"' + Long.toHexString(modifiedNanos) + '-' + Long.toHexString(size) + '"';
    fields =
        List.of(
            Response.Header.ready("etag", etag),
            Response.Header.ready("last-modified", HttpDates.format(modifiedSecond())),
            Response.Header.ready("accept-ranges", "bytes"));
  }

  /**
   * {@code content} is a direct buffer, which the collector frees when nobody sends it any more.
   */
  static CachedFile inMemory(ByteBuffer content, long modifiedNanos) {
    return new CachedFile(content.remaining(), modifiedNanos, content, null);
  }

  static CachedFile onDisk(FileChannel channel, long size, long modifiedNanos) {
    return new CachedFile(size, modifiedNanos, null, channel);
  }

  long size() {
    return size;
  }

  /** A strong validator: size and time of change to the nanosecond. */
  String etag() {
    return etag;
  }

  /** The header fields that go with it: validators, and that it comes in ranges. */
  List<Response.Header> fields() {
    return fields;
  }

  long modifiedSecond() {
    return Math.floorDiv(modifiedNanos, 1_000_000_000L);
  }

  boolean isInMemory() {
    return content != null;
  }

  boolean isSame(long otherSize, long otherModifiedNanos) {
    return size == otherSize && modifiedNanos == otherModifiedNanos;
  }

  /** When it was last seen to be the file's present state. */
  long checkedNanos() {
    return checkedNanos;
  }

  void checked(long nanos) {
    checkedNanos = nanos;
  }

  /** The content codings that there are files of beside it, the best first. */
  List<String> siblings() {
    return siblings;
  }

  void siblings(List<String> codings) {
    siblings = codings;
  }

  /** Holds it open for one response; false if it has been closed meanwhile. */
  boolean hold() {
    if (channel == null) return true;
    for (int count = holders.get(); count > 0; count = holders.get()) {
      if (holders.compareAndSet(count, count + 1)) return true;
    }
    return false;
  }

  void release() {
    if (channel == null || holders.decrementAndGet() > 0) return;
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }

  /** A part of it for the channel to send, which holds it. */
  Object slice(long offset, long length) {
    if (content != null) return content.retainedSlice((int) offset, (int) length);
    if (!hold()) throw new IllegalStateException("file is closed: etag=" + etag);
    return new Region(offset, length);
  }

  /** Writes a part of a file that is in memory. */
  void copy(long offset, int length, ByteBuf to) {
    to.writeBytes(Objects.requireNonNull(content), (int) offset, length);
  }

  /** Bytes of a file on disk, at least one; EOFException if it has become shorter. Blocks. */
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

  /** Sendfile, from a channel that others send from as well. */
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
